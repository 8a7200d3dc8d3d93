import { NAME_WORDS } from '../keys/name-words.js';

/** Words per entry of the key pool: those of the scope hash, most significant first, then the rule. */
export const KEY_WORDS = NAME_WORDS + 1;

/** Up to this many entries, comparing beats counting. */
const FEW = 24;

/**
 * Sorts entry numbers by their keys in a pool of `KEY_WORDS` words each. Two counting passes over the upper bits of the first
 * word order nearly everything; entries that agree there are ordered by the next bits in which they differ, and so on, and
 * few of them by comparing. Stable, so entries with the same key stay in the order of their numbers. A round looks at the
 * bits from the first difference on, so common prefixes of any length cost one round and not one per word.
 */
export class CanonicalSort {
  /** Entry numbers in key order after `sort`. Reused by the next call. */
  order = new Uint32Array(0);
  /** 1 at every position whose successor in `order` has the same key. */
  repeated = new Uint8Array(0);
  private spare = new Uint32Array(0);
  private keys = new Uint32Array(0);
  private spareKeys = new Uint32Array(0);
  /** How often each digit occurs, then where the next entry with it goes. */
  private readonly lower = new Uint32Array(2048);
  private readonly upper = new Uint32Array(2048);

  /**
   * Orders the entries 0 to `count - 1`; the first `count` places of `order` and `repeated` then hold the result. `firsts` has the
   * first words of all keys once more: side by side they are a ninth of the memory, and few entries need another word.
   */
  sort(pool: Uint32Array, firsts: Uint32Array, count: number): void {
    if (this.order.length < count) this.allocate(Math.max(count, this.order.length * 2));
    const { order, keys } = this;
    const first = firsts[0]!;
    let differences = 0;
    for (let at = 0; at < count; at++) {
      const key = firsts[at]!;
      order[at] = at;
      keys[at] = key;
      differences |= key ^ first;
    }
    this.repeated.fill(0, 0, count);
    if (count <= FEW || differences === 0) this.sortRun(pool, 0, count, 0);
    else this.sortByDigits(pool, 0, count, 0, differences);
  }

  /** Orders the run [from, to), whose entries agree in all words before `word`. */
  private sortRun(pool: Uint32Array, from: number, to: number, word: number): void {
    if (to - from <= FEW) {
      this.insert(pool, from, to, word);
      return;
    }
    const differing = this.firstDifferingWord(pool, from, to, word);
    if (differing === KEY_WORDS) this.repeated.fill(1, from, to - 1);
    else this.sortByDigits(pool, from, to, differing, this.loadKeys(pool, from, to, differing));
  }

  /** Orders the run by one word, which is in `keys`, and then the entries that agree in the bits that were looked at. */
  private sortByDigits(pool: Uint32Array, from: number, to: number, word: number, differences: number): void {
    const lowBit = this.countingSort(from, to, differences);
    const { keys } = this;
    // Deeper rounds write this array only inside their own run, which this walk has already passed.
    for (let start = from; start < to; ) {
      const value = keys[start]! >>> lowBit;
      let end = start + 1;
      while (end < to && keys[end]! >>> lowBit === value) end++;
      if (end - start > 1) this.sortRun(pool, start, end, lowBit === 0 ? word + 1 : word);
      start = end;
    }
  }

  private firstDifferingWord(pool: Uint32Array, from: number, to: number, word: number): number {
    const { order } = this;
    const first = order[from]! * KEY_WORDS;
    let best = KEY_WORDS;
    for (let at = from + 1; at < to && best > word; at++) {
      const other = order[at]! * KEY_WORDS;
      for (let probe = word; probe < best; probe++) {
        if (pool[first + probe] !== pool[other + probe]) best = probe;
      }
    }
    return best;
  }

  /** Puts one word of every entry into `keys` and returns the bits in which they differ. */
  private loadKeys(pool: Uint32Array, from: number, to: number, word: number): number {
    const { order, keys } = this;
    const first = pool[order[from]! * KEY_WORDS + word]!;
    let differences = 0;
    for (let at = from; at < to; at++) {
      const key = pool[order[at]! * KEY_WORDS + word]!;
      keys[at] = key;
      differences |= key ^ first;
    }
    return differences;
  }

  /**
   * Orders the run by two digits of `keys`, the upper one beginning at the first bit in which entries differ, and returns the lowest bit
   * that was used. Large digits for many entries, small ones where clearing the counters would cost more than a pass. Two passes bring
   * everything back to where it came from; `keys` then has the words in the new order.
   */
  private countingSort(from: number, to: number, differences: number): number {
    const { order, keys, spare, spareKeys, lower, upper } = this;
    const digitBits = to - from < 2048 ? 8 : 11;
    const digitMask = (1 << digitBits) - 1;
    const lowBit = Math.max(0, 32 - Math.clz32(differences) - 2 * digitBits);
    const highBit = lowBit + digitBits;
    lower.fill(0, 0, digitMask + 1);
    upper.fill(0, 0, digitMask + 1);
    for (let at = from; at < to; at++) {
      const key = keys[at]!;
      const low = (key >>> lowBit) & digitMask;
      const high = (key >>> highBit) & digitMask;
      lower[low] = lower[low]! + 1;
      upper[high] = upper[high]! + 1;
    }
    turnIntoPositions(lower, digitMask, from);
    turnIntoPositions(upper, digitMask, from);
    this.scatter(order, keys, spare, spareKeys, from, to, lowBit, digitMask, lower);
    this.scatter(spare, spareKeys, order, keys, from, to, highBit, digitMask, upper);
    return lowBit;
  }

  private scatter(
    order: Uint32Array,
    keys: Uint32Array,
    toOrder: Uint32Array,
    toKeys: Uint32Array,
    from: number,
    to: number,
    shift: number,
    digitMask: number,
    positions: Uint32Array,
  ): void {
    for (let at = from; at < to; at++) {
      const key = keys[at]!;
      const digit = (key >>> shift) & digitMask;
      const target = positions[digit]!;
      positions[digit] = target + 1;
      toOrder[target] = order[at]!;
      toKeys[target] = key;
    }
  }

  private insert(pool: Uint32Array, from: number, to: number, word: number): void {
    const { order, repeated } = this;
    for (let at = from + 1; at < to; at++) {
      const entry = order[at]!;
      let hole = at;
      while (hole > from && compare(pool, entry, order[hole - 1]!, word) < 0) {
        order[hole] = order[hole - 1]!;
        hole--;
      }
      order[hole] = entry;
    }
    for (let at = from + 1; at < to; at++) {
      if (compare(pool, order[at - 1]!, order[at]!, word) === 0) repeated[at - 1] = 1;
    }
  }

  private allocate(entries: number): void {
    this.order = new Uint32Array(entries);
    this.repeated = new Uint8Array(entries);
    this.spare = new Uint32Array(entries);
    this.keys = new Uint32Array(entries);
    this.spareKeys = new Uint32Array(entries);
  }
}

/** Makes of how often each digit occurs the first position of its entries. */
function turnIntoPositions(counts: Uint32Array, digitMask: number, from: number): void {
  let position = from;
  for (let digit = 0; digit <= digitMask; digit++) {
    const share = counts[digit]!;
    counts[digit] = position;
    position += share;
  }
}

function compare(pool: Uint32Array, a: number, b: number, word: number): number {
  const atA = a * KEY_WORDS;
  const atB = b * KEY_WORDS;
  for (let probe = word; probe < KEY_WORDS; probe++) {
    const difference = pool[atA + probe]! - pool[atB + probe]!;
    if (difference !== 0) return difference;
  }
  return 0;
}
