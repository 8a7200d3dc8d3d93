/** A sleeper that waits for `at`. `sequence` is the order of arrival; `index` is its place in the heap, -1 when it is in none. */
export interface Sleeper {
  readonly at: number;
  readonly sequence: number;
  index: number;
  readonly wake: () => void;
}

/** The waiting sleepers by (at, sequence): a binary heap in which every sleeper stores its place, so that it can be removed. */
export class SleeperHeap {
  readonly #items: Sleeper[] = [];

  get size(): number {
    return this.#items.length;
  }

  first(): Sleeper | undefined {
    return this.#items[0];
  }

  add(sleeper: Sleeper): void {
    this.#items.push(sleeper);
    this.#rise(sleeper, this.#items.length - 1);
  }

  /** Takes `sleeper` out wherever it stands; nothing happens when it is not in the heap. */
  remove(sleeper: Sleeper): void {
    const index = sleeper.index;
    if (index < 0) return;
    sleeper.index = -1;
    const last = this.#items.pop() as Sleeper;
    if (last === sleeper) return;
    this.#sink(last, index);
    this.#rise(last, last.index);
  }

  #rise(sleeper: Sleeper, index: number): void {
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = this.#items[parentIndex] as Sleeper;
      if (!isBefore(sleeper, parent)) break;
      this.#place(parent, index);
      index = parentIndex;
    }
    this.#place(sleeper, index);
  }

  #sink(sleeper: Sleeper, index: number): void {
    const { length } = this.#items;
    for (let child = 2 * index + 1; child < length; child = 2 * index + 1) {
      const right = child + 1;
      if (right < length && isBefore(this.#items[right] as Sleeper, this.#items[child] as Sleeper)) child = right;
      const candidate = this.#items[child] as Sleeper;
      if (!isBefore(candidate, sleeper)) break;
      this.#place(candidate, index);
      index = child;
    }
    this.#place(sleeper, index);
  }

  #place(sleeper: Sleeper, index: number): void {
    this.#items[index] = sleeper;
    sleeper.index = index;
  }
}

/** The order in which sleepers wake. */
export function isBefore(a: Pick<Sleeper, 'at' | 'sequence'>, b: Pick<Sleeper, 'at' | 'sequence'>): boolean {
  return a.at < b.at || (a.at === b.at && a.sequence < b.sequence);
}
