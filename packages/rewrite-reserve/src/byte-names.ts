import type { KeyedHash } from './keyed-hash.js';

/** Names per chunk; 16 KiB each, so that a small scheduler stays small. */
const CHUNK_BITS = 9;
const CHUNK_MASK = (1 << CHUNK_BITS) - 1;

/**
 * Copies of 32-byte names, numbered 0, 1, 2, ... They lie in chunks: growing copies nothing and leaves nothing for the garbage
 * collector, whose work would otherwise be most of what a new name costs.
 */
export class ByteNames {
  private readonly chunks: Uint8Array[] = [];
  private count = 0;

  /** Keeps a copy and gives its number. */
  add(name: Uint8Array): number {
    const number = this.count++;
    if ((number & CHUNK_MASK) === 0) this.chunks.push(new Uint8Array(32 << CHUNK_BITS));
    const chunk = this.chunks[number >>> CHUNK_BITS]!;
    const to = (number & CHUNK_MASK) << 5;
    // A loop: for so few bytes the call of `set` takes longer than the copying.
    for (let byte = 0; byte < 32; byte += 4) {
      chunk[to + byte] = name[byte]!;
      chunk[to + byte + 1] = name[byte + 1]!;
      chunk[to + byte + 2] = name[byte + 2]!;
      chunk[to + byte + 3] = name[byte + 3]!;
    }
    return number;
  }

  /** Whether the name with this number has the same bytes. */
  equal(number: number, name: Uint8Array): boolean {
    const chunk = this.chunks[number >>> CHUNK_BITS]!;
    const from = (number & CHUNK_MASK) << 5;
    for (let byte = 0; byte < 32; byte++) if (chunk[from + byte] !== name[byte]) return false;
    return true;
  }

  /** The hash of the whole name with this number. */
  hash(hash: KeyedHash, header: number, number: number): number {
    return hash.ofAllBytes(header, this.chunks[number >>> CHUNK_BITS]!, (number & CHUNK_MASK) << 5);
  }
}
