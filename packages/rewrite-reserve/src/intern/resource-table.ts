import { invariant } from '@horae/clock-store';
import { ByteNames } from './byte-names.js';
import { grown } from './growing-words.js';
import { KeyedHash } from './keyed-hash.js';

/** Numbers above this would not leave room for the use bit of a compiled footprint. */
const MAX_RESOURCES = 2 ** 30;
const FIRST_BITS = 10;
/** By chance one name in many thousands shares its hash with a single other name; more of them mean equal first bytes. */
const MAX_STRANGERS = 4;

// A record of a resource: its hash, its header, and the low word of its payload or the number of its name.
const HASH = 0;
const HEADER = 1;
const LOW = 2;
const RECORD_WORDS = 3;

/**
 * Numbers resources 0, 1, 2, ... in the order in which they are first seen. A resource is a header word (warp, category,
 * form of the name) and a payload: two words or a name of eight. Open addressing with at most half of the slots in use. The upper
 * bits of the hash are the place of a slot and the lower ones stand in it beside the number, so that a probe rarely looks at a
 * wrong resource; one word per slot, because a table that grows is paid for by the byte.
 */
export class ResourceTable {
  size = 0;

  /** `isName` decides from a header whether the payload is a name. */
  constructor(private readonly isName: (header: number) => boolean) {}

  private readonly hash = new KeyedHash();
  /** There are 2^bits slots, and a number + 1 fits into `bits` bits. */
  private bits = FIRST_BITS;
  /** Lower hash bits above, number + 1 below; 0 is an empty slot. */
  private slots = new Uint32Array(1 << FIRST_BITS);
  private records = new Uint32Array(RECORD_WORDS << (FIRST_BITS - 1));
  /** Upper payload words; stays empty until a port above 2^32 needs it. */
  private highs = new Uint32Array(0);
  private readonly names = new ByteNames();
  /** Whether the hash of a name is that of all its words. */
  private wholeNames = false;

  /** The number of the resource with a two-word payload. */
  ofWords(header: number, low: number, high: number): number {
    const hash = this.hash.ofTwo(header, low, high);
    const { slots, bits, records } = this;
    const mask = slots.length - 1;
    const tag = hash << bits;
    let slot = hash >>> (32 - bits);
    for (let entry = slots[slot]!; entry !== 0; entry = slots[slot]!) {
      if ((entry ^ tag) >>> bits === 0) {
        const found = (entry & mask) - 1;
        const record = found * RECORD_WORDS;
        if (records[record + HEADER] === header && records[record + LOW] === low && this.hasHigh(found, high))
          return found;
      }
      slot = (slot + 1) & mask;
    }
    const added = this.add(slot, hash, header, low);
    if (high !== 0) this.setHigh(added, high);
    return added;
  }

  /** The number of the resource whose payload is the name at `words[from]`, which is copied. */
  ofName(header: number, words: Uint32Array, from: number): number {
    const hash = this.wholeNames
      ? this.hash.ofName(header, words, from)
      : this.hash.ofTwo(header, words[from]!, words[from + 1]!);
    const { slots, bits, records } = this;
    const mask = slots.length - 1;
    const tag = hash << bits;
    let slot = hash >>> (32 - bits);
    let strangers = 0;
    for (let entry = slots[slot]!; entry !== 0; entry = slots[slot]!) {
      if ((entry ^ tag) >>> bits === 0) {
        const found = (entry & mask) - 1;
        const record = found * RECORD_WORDS;
        if (records[record + HEADER] === header && this.names.equal(records[record + LOW]!, words, from)) return found;
        strangers += 1;
      }
      slot = (slot + 1) & mask;
    }
    if (strangers > MAX_STRANGERS && !this.wholeNames) {
      this.hashWholeNames();
      return this.ofName(header, words, from);
    }
    return this.add(slot, hash, header, this.names.add(words, from));
  }

  private hasHigh(found: number, high: number): boolean {
    return this.highs.length === 0 ? high === 0 : this.highs[found] === high;
  }

  private setHigh(added: number, high: number): void {
    const room = this.records.length / RECORD_WORDS;
    if (this.highs.length < room) this.highs = grown(this.highs, room);
    this.highs[added] = high;
  }

  private add(slot: number, hash: number, header: number, low: number): number {
    const added = this.size;
    const record = added * RECORD_WORDS;
    if (record === this.records.length) this.growRecords();
    const { records } = this;
    records[record + HASH] = hash;
    records[record + HEADER] = header;
    records[record + LOW] = low;
    this.slots[slot] = (hash << this.bits) | (added + 1);
    this.size = added + 1;
    if (this.size * 2 > this.slots.length - 2) this.placeAll(this.bits + 1);
    return added;
  }

  private growRecords(): void {
    invariant(this.size < MAX_RESOURCES, 'an interner holds fewer than 2^30 resources');
    this.records = grown(this.records, 0);
    if (this.highs.length > 0) this.highs = grown(this.highs, this.records.length / RECORD_WORDS);
  }

  /**
   * From now on the hash reads names to their end. Names are mostly digests, and their first bytes differ; names that agree in them, by
   * chance or on purpose, cause all names to be hashed again, once.
   */
  private hashWholeNames(): void {
    this.wholeNames = true;
    const { records, names, hash } = this;
    for (let record = 0; record < this.size * RECORD_WORDS; record += RECORD_WORDS) {
      const header = records[record + HEADER]!;
      if (!this.isName(header)) continue;
      const name = records[record + LOW]!;
      records[record + HASH] = hash.ofName(header, names.chunkOf(name), names.placeOf(name));
    }
    this.placeAll(this.bits);
  }

  /** Puts every number into a new array of 2^bits slots. */
  private placeAll(bits: number): void {
    const { records, size } = this;
    const larger = new Uint32Array(2 ** bits);
    const mask = larger.length - 1;
    for (let number = 0; number < size; number++) {
      const hash = records[number * RECORD_WORDS + HASH]!;
      let slot = hash >>> (32 - bits);
      while (larger[slot] !== 0) slot = (slot + 1) & mask;
      larger[slot] = (hash << bits) | (number + 1);
    }
    this.bits = bits;
    this.slots = larger;
  }
}
