import { grown } from './columns.js';

/** Lists of lock numbers in one array: an action asks for those of its kind, and there are many kinds. */
export class LockSets {
  count = 0;
  #ends = new Int32Array(1);
  #locks = new Int32Array(1);
  #units = new Int32Array(1);

  /** Adds a list, whose number is the count before, with the units of each lock; one unless it is said otherwise. */
  add(locks: readonly number[], units?: readonly number[]): void {
    const start = this.end(this.count - 1);
    const end = start + locks.length;
    this.#locks = grown(this.#locks, end);
    this.#locks.set(locks, start);
    this.#units = grown(this.#units, end);
    if (units === undefined) this.#units.fill(1, start, end);
    else this.#units.set(units, start);
    this.#ends = grown(this.#ends, this.count + 1);
    this.#ends[this.count++] = end;
  }

  /** Where the list begins; it goes to `end`. */
  start(set: number): number {
    return this.end(set - 1);
  }

  end(set: number): number {
    return set < 0 ? 0 : this.#ends[set]!;
  }

  /** The lock at a place between `start` and `end`. */
  lock(place: number): number {
    return this.#locks[place]!;
  }

  units(place: number): number {
    return this.#units[place]!;
  }

  clone(): LockSets {
    const copy = new LockSets();
    copy.count = this.count;
    copy.#ends = this.#ends.slice();
    copy.#locks = this.#locks.slice();
    copy.#units = this.#units.slice();
    return copy;
  }
}
