import type { RingEntry } from './ring-entry.js';

const FIRST_CELLS = 16;
/** A slot that was once full releases its memory when it is emptied. */
const MAX_CELLS_KEPT = 1 << 16;

/**
 * The entries of one slot, in the order of insertion, found by (jobId, scheduleTime). A table of cells that point into the list: a slot is
 * filled and emptied as a whole every minute, for which a `Map` would allocate an object each time.
 */
export class SlotTable<E extends RingEntry> {
  /** Undefined where an entry was removed. */
  private entries: (E | undefined)[] = [];
  /** One more than the index of an entry; 0 is empty. A power of two, at most half of it in use. */
  private cells = new Int32Array(FIRST_CELLS);

  /** Adds an entry; false when it is already in the slot. */
  add(entry: E): boolean {
    const { jobId, scheduleTime } = entry;
    const mask = this.cells.length - 1;
    let cell = scatter(jobId) & mask;
    for (let index = this.cells[cell]!; index !== 0; index = this.cells[cell]!) {
      const there = this.entries[index - 1];
      if (there !== undefined && there.jobId === jobId && there.scheduleTime === scheduleTime) return false;
      cell = (cell + 1) & mask;
    }
    this.entries.push(entry);
    this.cells[cell] = this.entries.length;
    if (this.entries.length * 2 > this.cells.length) this.grow();
    return true;
  }

  /** Moves a job's entries out of the slot into `taken`. */
  take(jobId: number, taken: E[]): void {
    const mask = this.cells.length - 1;
    let cell = scatter(jobId) & mask;
    for (let index = this.cells[cell]!; index !== 0; index = this.cells[cell]!) {
      const there = this.entries[index - 1];
      if (there !== undefined && there.jobId === jobId) {
        taken.push(there);
        this.entries[index - 1] = undefined;
      }
      cell = (cell + 1) & mask;
    }
  }

  /** The earliest time between two times, both exclusive; infinity when there is none. */
  firstBetween(after: number, before: number): number {
    let first = Number.POSITIVE_INFINITY;
    for (let i = 0; i < this.entries.length; i++) {
      const at = this.entries[i]?.scheduleTime;
      if (at !== undefined && at > after && at < before && at < first) first = at;
    }
    return first;
  }

  /** Empties the slot and returns its entries, with holes where entries were removed. */
  empty(): (E | undefined)[] {
    const { entries } = this;
    if (entries.length === 0) return entries;
    this.entries = [];
    if (this.cells.length > MAX_CELLS_KEPT) this.cells = new Int32Array(FIRST_CELLS);
    else this.cells.fill(0);
    return entries;
  }

  private grow(): void {
    const cells = new Int32Array(this.cells.length * 2);
    const mask = cells.length - 1;
    for (let i = 0; i < this.entries.length; i++) {
      const entry = this.entries[i];
      if (entry === undefined) continue;
      let cell = scatter(entry.jobId) & mask;
      while (cells[cell] !== 0) cell = (cell + 1) & mask;
      cells[cell] = i + 1;
    }
    this.cells = cells;
  }
}

/** Spreads consecutive ids, and ids that differ only in their high bits. */
function scatter(jobId: number): number {
  const mixed = Math.imul((jobId | 0) ^ Math.floor(jobId / 0x1_0000_0000), 0x9e37_79b1);
  return mixed ^ (mixed >>> 15);
}
