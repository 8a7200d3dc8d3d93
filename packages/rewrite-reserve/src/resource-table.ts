import { invariant } from '@horae/clock-store';
import { ByteNames } from './byte-names.js';
import { grown } from './growing-words.js';
import { KeyedHash } from './keyed-hash.js';

/** Numbers above this would not leave room for the use bit of a compiled footprint. */
const MAX_RESOURCES = 2 ** 30;
const FIRST_BITS = 10;
/** Chance gives one name in many thousands a single stranger with the same hash; more have the same first bytes. */
const MOST_STRANGERS = 4;

/**
 * Numbers resources 0, 1, 2, ... in the order in which they are first seen. A resource is a header word (warp, category,
 * form of the name) and a payload: two words or 32 bytes. Open addressing with at most half of the slots in use. The upper bits
 * of the hash are the place of a slot and the lower ones stand in it beside the number, so that a probe rarely looks at a wrong
 * resource; one word per slot, because a table that grows is paid for by the byte.
 */
export class ResourceTable {
  size = 0;

  /** `isBytes` tells from a header whether the payload is 32 bytes. */
  constructor(private readonly isBytes: (header: number) => boolean) {}

  private readonly hash = new KeyedHash();
  /** There are 2^bits slots, and a number + 1 fits into `bits` bits. */
  private bits = FIRST_BITS;
  /** Lower hash bits above, number + 1 below; 0 is an empty slot. */
  private slots = new Uint32Array(1 << FIRST_BITS);
  private hashes = new Uint32Array(1 << (FIRST_BITS - 1));
  private headers = new Uint32Array(1 << (FIRST_BITS - 1));
  private lows = new Uint32Array(1 << (FIRST_BITS - 1));
  /** Upper payload words; stays empty until a port above 2^32 needs it. */
  private highs = new Uint32Array(0);
  private readonly names = new ByteNames();
  /** Whether the hash of a name is that of all its bytes. */
  private wholeNames = false;

  /** The number of the resource with a two-word payload. */
  ofWords(header: number, low: number, high: number): number {
    const hash = this.hash.ofWords(header, low, high);
    const { slots, bits } = this;
    const mask = slots.length - 1;
    const tag = hash << bits;
    let slot = hash >>> (32 - bits);
    for (let entry = slots[slot]!; entry !== 0; entry = slots[slot]!) {
      if ((entry ^ tag) >>> bits === 0) {
        const found = (entry & mask) - 1;
        if (this.headers[found] === header && this.lows[found] === low && this.hasHigh(found, high)) return found;
      }
      slot = (slot + 1) & mask;
    }
    const added = this.add(slot, hash, header, low);
    if (high !== 0) {
      if (this.highs.length === 0) this.highs = new Uint32Array(this.headers.length);
      this.highs[added] = high;
    }
    return added;
  }

  /** The number of the resource with a payload of 32 bytes, which are copied. */
  ofBytes(header: number, name: Uint8Array): number {
    const hash = this.wholeNames ? this.hash.ofAllBytes(header, name, 0) : this.hash.ofBytes(header, name);
    const { slots, bits } = this;
    const mask = slots.length - 1;
    const tag = hash << bits;
    let slot = hash >>> (32 - bits);
    let strangers = 0;
    for (let entry = slots[slot]!; entry !== 0; entry = slots[slot]!) {
      if ((entry ^ tag) >>> bits === 0) {
        const found = (entry & mask) - 1;
        if (this.headers[found] === header && this.names.equal(this.lows[found]!, name)) return found;
        strangers += 1;
      }
      slot = (slot + 1) & mask;
    }
    if (strangers > MOST_STRANGERS && !this.wholeNames) {
      this.hashWholeNames();
      return this.ofBytes(header, name);
    }
    return this.add(slot, hash, header, this.names.add(name));
  }

  private hasHigh(found: number, high: number): boolean {
    return this.highs.length === 0 ? high === 0 : this.highs[found] === high;
  }

  private add(slot: number, hash: number, header: number, low: number): number {
    const added = this.size;
    if (added === this.headers.length) this.growNumbers();
    this.hashes[added] = hash;
    this.headers[added] = header;
    this.lows[added] = low;
    this.slots[slot] = (hash << this.bits) | (added + 1);
    this.size = added + 1;
    if (this.size * 2 > this.slots.length - 2) this.growSlots();
    return added;
  }

  private growNumbers(): void {
    invariant(this.size < MAX_RESOURCES, 'an interner holds fewer than 2^30 resources');
    this.hashes = grown(this.hashes, 0);
    this.headers = grown(this.headers, 0);
    this.lows = grown(this.lows, 0);
    if (this.highs.length > 0) this.highs = grown(this.highs, 0);
  }

  /**
   * From now on the hash reads names to their end. Names are mostly digests, and their first bytes differ; whoever hands over
   * names that agree in them, by chance or on purpose, makes all names be hashed again, once.
   */
  private hashWholeNames(): void {
    this.wholeNames = true;
    const { hashes, headers, lows, names, hash } = this;
    for (let number = 0; number < this.size; number++) {
      if (this.isBytes(headers[number]!)) hashes[number] = names.hash(hash, headers[number]!, lows[number]!);
    }
    this.placeAll(this.bits);
  }

  private growSlots(): void {
    this.placeAll(this.bits + 1);
  }

  /** Puts every number into a new array of 2^bits slots. */
  private placeAll(bits: number): void {
    const { hashes, size } = this;
    const larger = new Uint32Array(2 ** bits);
    const mask = larger.length - 1;
    for (let number = 0; number < size; number++) {
      const hash = hashes[number]!;
      let slot = hash >>> (32 - bits);
      while (larger[slot] !== 0) slot = (slot + 1) & mask;
      larger[slot] = (hash << bits) | (number + 1);
    }
    this.bits = bits;
    this.slots = larger;
  }
}
