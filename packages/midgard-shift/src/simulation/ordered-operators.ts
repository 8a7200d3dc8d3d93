import { countBelow, type PubKeyHash } from '../state/pub-key-hash.js';

/**
 * The active operators of a simulation: ascending keys with a cursor that walks down, holes for retired operators, and a tree of counts
 * that finds the operator of a rank. A turn is a step of the cursor, a retirement O(log n); holes are closed and newcomers merged once a
 * cycle, so nothing is ever searched one by one.
 */
export class OrderedOperators {
  #keys: PubKeyHash[];
  #isHole: Uint8Array;
  #size: number;
  /** The next turn goes to the last key before this position that is not a hole. */
  #cursor: number;
  /** Binary indexed counts of those present; built when a rank is first read. */
  #counts: Int32Array | null = null;

  constructor(ascending: readonly PubKeyHash[], previous: PubKeyHash) {
    this.#keys = [...ascending];
    this.#isHole = new Uint8Array(ascending.length);
    this.#size = ascending.length;
    this.#cursor = countBelow(ascending, previous);
  }

  /** How many are present. */
  get size(): number {
    return this.#size;
  }

  /** Whether an operator is left below the cursor. */
  hasBelow(): boolean {
    while (this.#cursor > 0 && this.#isHole[this.#cursor - 1] === 1) this.#cursor -= 1;
    return this.#cursor > 0;
  }

  /** The next one down. Only after `hasBelow` returned true. */
  takeBelow(): PubKeyHash {
    this.#cursor -= 1;
    return this.#keys[this.#cursor] as PubKeyHash;
  }

  /** The greatest key, from which the cursor goes down again. Only while an operator is present. */
  takeGreatest(): PubKeyHash {
    this.#cursor = this.#keys.length;
    this.hasBelow();
    return this.takeBelow();
  }

  /** Takes out the operator of `rank`, counted from 0 in ascending order. */
  removeRank(rank: number): PubKeyHash {
    this.#counts ??= countsOf(this.#isHole);
    const position = positionOfRank(this.#counts, rank);
    for (let at = position + 1; at < this.#counts.length; at += at & -at) this.#counts[at]! -= 1;
    this.#isHole[position] = 1;
    this.#size -= 1;
    return this.#keys[position] as PubKeyHash;
  }

  /** Closes the holes, merges the ascending `newcomers` and puts the cursor back below `previous`. */
  rebuild(newcomers: readonly PubKeyHash[], previous: PubKeyHash): void {
    if (newcomers.length === 0 && this.#size === this.#keys.length) return;
    const present = this.present();
    this.#keys = newcomers.length === 0 ? present : mergeAscending(present, newcomers);
    this.#isHole = new Uint8Array(this.#keys.length);
    this.#size = this.#keys.length;
    this.#cursor = countBelow(this.#keys, previous);
    this.#counts = null;
  }

  /** Those present, ascending. */
  present(): PubKeyHash[] {
    return this.#keys.filter((_, position) => this.#isHole[position] === 0);
  }
}

/** Both ascending lists as one; `right` is meant to be the short one, whose places are found by halving. */
export function mergeAscending(left: readonly PubKeyHash[], right: readonly PubKeyHash[]): PubKeyHash[] {
  const pieces: PubKeyHash[] = [];
  let at = 0;
  for (const key of right) {
    const place = countBelow(left, key);
    while (at < place) pieces.push(left[at++] as PubKeyHash);
    pieces.push(key);
  }
  while (at < left.length) pieces.push(left[at++] as PubKeyHash);
  return pieces;
}

function countsOf(isHole: Uint8Array): Int32Array {
  const counts = new Int32Array(isHole.length + 1);
  for (let at = 1; at < counts.length; at++) {
    counts[at]! += 1 - (isHole[at - 1] as number);
    const parent = at + (at & -at);
    if (parent < counts.length) counts[parent]! += counts[at] as number;
  }
  return counts;
}

function positionOfRank(counts: Int32Array, rank: number): number {
  let position = 0;
  for (let step = 2 ** Math.floor(Math.log2(counts.length)); step >= 1; step /= 2) {
    const next = position + step;
    if (next < counts.length && (counts[next] as number) <= rank) {
      rank -= counts[next] as number;
      position = next;
    }
  }
  return position;
}
