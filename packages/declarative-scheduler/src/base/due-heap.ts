import type { EpochMs } from '@horae/clock-store';

/** An entry that is to be examined at an instant. `heapIndex` belongs to the heap; -1 means that it is in none. */
export interface HeapEntry {
  lookAt: EpochMs;
  /** The tie-break: entries of the same instant come out in this order. */
  readonly order: number;
  heapIndex: number;
}

/** A binary heap by (lookAt, order) whose entries store their index. The cost of a look depends on due entries, not on all entries. */
export class DueHeap<Entry extends HeapEntry> {
  private readonly entries: Entry[] = [];

  get size(): number {
    return this.entries.length;
  }

  peek(): Entry | undefined {
    return this.entries[0];
  }

  push(entry: Entry): void {
    entry.heapIndex = this.entries.length;
    this.entries.push(entry);
    this.up(entry.heapIndex);
  }

  pop(): Entry | undefined {
    const first = this.entries[0];
    if (first === undefined) return undefined;
    const last = this.entries.pop()!;
    if (last !== first) {
      this.place(last, 0);
      this.down(0);
    }
    first.heapIndex = -1;
    return first;
  }

  /** Takes an entry out that is in this heap. */
  remove(entry: Entry): void {
    const index = entry.heapIndex;
    const last = this.entries.pop()!;
    entry.heapIndex = -1;
    if (last === entry) return;
    this.place(last, index);
    this.down(index);
    this.up(last.heapIndex);
  }

  clear(): void {
    for (const entry of this.entries) entry.heapIndex = -1;
    this.entries.length = 0;
  }

  private place(entry: Entry, index: number): void {
    this.entries[index] = entry;
    entry.heapIndex = index;
  }

  private up(start: number): void {
    const entry = this.entries[start]!;
    let index = start;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isBefore(entry, this.entries[parent]!)) break;
      this.place(this.entries[parent]!, index);
      index = parent;
    }
    this.place(entry, index);
  }

  private down(start: number): void {
    const entry = this.entries[start]!;
    const size = this.entries.length;
    let index = start;
    for (let child = 2 * index + 1; child < size; child = 2 * index + 1) {
      if (child + 1 < size && isBefore(this.entries[child + 1]!, this.entries[child]!)) child += 1;
      if (!isBefore(this.entries[child]!, entry)) break;
      this.place(this.entries[child]!, index);
      index = child;
    }
    this.place(entry, index);
  }
}

function isBefore(a: HeapEntry, b: HeapEntry): boolean {
  return a.lookAt < b.lookAt || (a.lookAt === b.lookAt && a.order < b.order);
}
