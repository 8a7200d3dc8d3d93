/** Numbers that are taken out smallest first. */
export class NumberHeap {
  private readonly items: number[] = [];

  get size(): number {
    return this.items.length;
  }

  push(item: number): void {
    const { items } = this;
    let at = items.push(item) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (items[parent]! <= item) break;
      items[at] = items[parent]!;
      at = parent;
    }
    items[at] = item;
  }

  /** The smallest number; undefined when there is none. */
  pop(): number | undefined {
    const { items } = this;
    const smallest = items[0];
    const last = items.pop();
    if (last === undefined || items.length === 0) return smallest;
    let at = 0;
    for (let child = 1; child < items.length; child = 2 * at + 1) {
      if (child + 1 < items.length && items[child + 1]! < items[child]!) child += 1;
      if (items[child]! >= last) break;
      items[at] = items[child]!;
      at = child;
    }
    items[at] = last;
    return smallest;
  }
}
