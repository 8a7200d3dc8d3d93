import { grown } from './columns.js';

/** Lists of lock numbers in one array: an action asks for those of its kind, and there are many kinds. */
export class LockSets {
  count = 0;
  #ends = new Int32Array(1);
  #locks = new Int32Array(1);

  /** Adds a list, whose number is the count before. */
  add(locks: readonly number[]): void {
    const start = this.end(this.count - 1);
    const end = start + locks.length;
    this.#locks = grown(this.#locks, end);
    this.#locks.set(locks, start);
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

  clone(): LockSets {
    const copy = new LockSets();
    copy.count = this.count;
    copy.#ends = this.#ends.slice();
    copy.#locks = this.#locks.slice();
    return copy;
  }
}
