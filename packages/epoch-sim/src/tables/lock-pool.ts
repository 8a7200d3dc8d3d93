import { grown } from './columns.js';
import { KeptArrays } from './kept-arrays.js';

const kept = new KeptArrays({ locks: new Int32Array(0) });

/** A place is a lock, the action that needs it, and its neighbours in the lock's queue. */
const PLACE = 4;

/** The locks of all actions. Each action has a stretch of places, and each place is also its place in that lock's queue. */
export class LockPool {
  size = 0;
  #cells = new Int32Array(PLACE * 4);
  /** Units by place; null as long as every place asks for one. */
  #units: Int32Array | null = null;

  /** Makes room for `more` places. */
  reserve(more: number): void {
    const wanted = (this.size + more) * PLACE;
    if (this.#cells.length >= wanted) return;
    const cells = new Int32Array(Math.max(wanted, 2 * this.#cells.length));
    cells.set(this.#cells);
    this.#cells = cells;
  }

  /** Adds a place that stands in no queue. */
  add(lock: number, owner: number, units = 1): void {
    const at = this.size++ * PLACE;
    if (at >= this.#cells.length) this.reserve(0);
    this.#cells[at] = lock;
    this.#cells[at + 1] = owner;
    if (units !== 1 || this.#units !== null) this.#setUnits(this.size - 1, units);
  }

  #setUnits(place: number, units: number): void {
    this.#units ??= new Int32Array(this.#cells.length / PLACE).fill(1);
    this.#units = grown(this.#units, place + 1, 1);
    this.#units[place] = units;
  }

  /** How many units of the lock are asked for. */
  units(place: number): number {
    return this.#units === null ? 1 : this.#units[place]!;
  }

  lock(place: number): number {
    return this.#cells[place * PLACE]!;
  }

  owner(place: number): number {
    return this.#cells[place * PLACE + 1]!;
  }

  /** The place before this one in the queue. Meaningless for the first one. */
  before(place: number): number {
    return this.#cells[place * PLACE + 2]!;
  }
  setBefore(place: number, before: number): void {
    this.#cells[place * PLACE + 2] = before;
  }

  /** The place behind this one in the queue, or -1. */
  after(place: number): number {
    return this.#cells[place * PLACE + 3]!;
  }
  setAfter(place: number, after: number): void {
    this.#cells[place * PLACE + 3] = after;
  }

  /** The locks of all places in their order. The array holds until the next call for any pool. */
  locks(): Int32Array {
    const locks = kept.take('locks', this.size);
    for (let place = 0; place < this.size; place++) locks[place] = this.#cells[place * PLACE]!;
    return locks;
  }

  /** The units of all places in their order; null when all of them are one. */
  allUnits(): Int32Array | null {
    return this.#units === null ? null : grown(this.#units, this.size, 1).subarray(0, this.size);
  }

  clone(): LockPool {
    const copy = new LockPool();
    copy.size = this.size;
    copy.#units = this.#units?.slice() ?? null;
    copy.#cells = this.#cells.slice(0, Math.max(this.size, 4) * PLACE);
    return copy;
  }
}
