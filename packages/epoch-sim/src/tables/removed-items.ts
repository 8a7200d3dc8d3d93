/**
 * Items that were removed from a list of items but still stand in it. An item that was put again stands behind its old
 * places, so of each item it is the first ones that do not count.
 */
export class RemovedItems {
  #counts = new Map<number, number>();
  /** How many places of the list do not count. */
  total = 0;

  add(item: number): void {
    this.#counts.set(item, (this.#counts.get(item) ?? 0) + 1);
    this.total++;
  }

  /** A test for the places of the list, to be called in their order: whether the item counts there. */
  filter(): (item: number) => boolean {
    const left = new Map(this.#counts);
    return (item) => {
      const count = left.get(item) ?? 0;
      if (count > 0) left.set(item, count - 1);
      return count === 0;
    };
  }

  clone(): RemovedItems {
    const copy = new RemovedItems();
    copy.#counts = new Map(this.#counts);
    copy.total = this.total;
    return copy;
  }
}
