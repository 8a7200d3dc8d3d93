import { invariant } from '@horae/clock-store';
import { grown } from './growing-words.js';
import { KeyedHash } from './keyed-hash.js';

/** Numbers above this would not leave room for the use bit of a compiled footprint. */
const MAX_RESOURCES = 2 ** 30;
const FIRST_BITS = 10;

/**
 * Numbers resources 0, 1, 2, ... in the order in which they are first seen. A resource is a header word (warp, category,
 * form of the name) and a payload: two words or 32 bytes. Open addressing with at most half of the slots in use; a slot
 * keeps the hash, so that growing reads no payload again and a probe rarely touches a wrong one.
 */
export class ResourceTable {
  size = 0;
  private readonly hash = new KeyedHash();
  private bits = FIRST_BITS;
  /** Pairs: hash, number + 1 (0 is an empty slot). */
  private slots = new Uint32Array(2 << FIRST_BITS);
  private headers = new Uint32Array(1 << (FIRST_BITS - 1));
  private lows = new Uint32Array(1 << (FIRST_BITS - 1));
  /** Upper payload words; stays empty until a port above 2^32 needs it. */
  private highs = new Uint32Array(0);
  private bytes = new Uint8Array(0);
  private byteNames = 0;

  /** The number of the resource with a two-word payload. */
  ofWords(header: number, low: number, high: number): number {
    const hash = this.hash.ofWords(header, low, high);
    const { slots, headers, lows } = this;
    const mask = slots.length - 1;
    let slot = (hash >>> (32 - this.bits)) << 1;
    for (; slots[slot + 1] !== 0; slot = (slot + 2) & mask) {
      if (slots[slot] !== hash) continue;
      const found = slots[slot + 1]! - 1;
      if (headers[found] === header && lows[found] === low && this.hasHigh(found, high)) return found;
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
    const hash = this.hash.ofBytes(header, name);
    const { slots, headers } = this;
    const mask = slots.length - 1;
    let slot = (hash >>> (32 - this.bits)) << 1;
    for (; slots[slot + 1] !== 0; slot = (slot + 2) & mask) {
      if (slots[slot] !== hash) continue;
      const found = slots[slot + 1]! - 1;
      if (headers[found] === header && this.hasBytes(found, name)) return found;
    }
    const at = this.byteNames++;
    if (this.bytes.length < this.byteNames * 32) this.growBytes();
    this.bytes.set(name, at * 32);
    return this.add(slot, hash, header, at);
  }

  private hasHigh(found: number, high: number): boolean {
    return this.highs.length === 0 ? high === 0 : this.highs[found] === high;
  }

  private hasBytes(found: number, name: Uint8Array): boolean {
    const { bytes } = this;
    let from = this.lows[found]! * 32;
    for (let byte = 0; byte < 32; byte++) if (bytes[from++] !== name[byte]) return false;
    return true;
  }

  private add(slot: number, hash: number, header: number, low: number): number {
    const added = this.size;
    invariant(added < MAX_RESOURCES, 'an interner holds fewer than 2^30 resources');
    if (added === this.headers.length) {
      this.headers = grown(this.headers, 0);
      this.lows = grown(this.lows, 0);
      if (this.highs.length > 0) this.highs = grown(this.highs, 0);
    }
    this.headers[added] = header;
    this.lows[added] = low;
    this.slots[slot] = hash;
    this.slots[slot + 1] = added + 1;
    this.size = added + 1;
    if (this.size * 4 > this.slots.length) this.growSlots();
    return added;
  }

  private growSlots(): void {
    const old = this.slots;
    this.bits += 1;
    const larger = new Uint32Array(old.length * 2);
    const mask = larger.length - 1;
    for (let from = 0; from < old.length; from += 2) {
      if (old[from + 1] === 0) continue;
      let slot = (old[from]! >>> (32 - this.bits)) << 1;
      while (larger[slot + 1] !== 0) slot = (slot + 2) & mask;
      larger[slot] = old[from]!;
      larger[slot + 1] = old[from + 1]!;
    }
    this.slots = larger;
  }

  private growBytes(): void {
    const larger = new Uint8Array(Math.max(1024, this.bytes.length * 2));
    larger.set(this.bytes);
    this.bytes = larger;
  }
}
