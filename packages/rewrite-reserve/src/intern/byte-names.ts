import { NAME_WORDS } from '../keys/name-words.js';

/** Names per chunk; 16 KiB each, so that a small scheduler stays small. */
const CHUNK_BITS = 9;
const CHUNK_MASK = (1 << CHUNK_BITS) - 1;

/**
 * Copies of 32-byte names as words, numbered 0, 1, 2, ... They lie in chunks: growing copies nothing and leaves nothing for the
 * garbage collector, whose work would otherwise be most of what a new name costs.
 */
export class ByteNames {
  private readonly chunks: Uint32Array[] = [];
  private count = 0;

  /** Keeps a copy of the name at `words[from]` and returns its number. */
  add(words: Uint32Array, from: number): number {
    const number = this.count++;
    if ((number & CHUNK_MASK) === 0) this.chunks.push(new Uint32Array(NAME_WORDS << CHUNK_BITS));
    const chunk = this.chunkOf(number);
    const to = this.placeOf(number);
    // A loop: for so few words the call of `set` takes longer than the copying.
    for (let word = 0; word < NAME_WORDS; word++) chunk[to + word] = words[from + word]!;
    return number;
  }

  /** Whether the name with this number is the one at `words[from]`. */
  equal(number: number, words: Uint32Array, from: number): boolean {
    const chunk = this.chunkOf(number);
    const place = this.placeOf(number);
    for (let word = 0; word < NAME_WORDS; word++) if (chunk[place + word] !== words[from + word]) return false;
    return true;
  }

  /** The words that the name with this number lies in, from `placeOf(number)` on. */
  chunkOf(number: number): Uint32Array {
    return this.chunks[number >>> CHUNK_BITS]!;
  }

  placeOf(number: number): number {
    return (number & CHUNK_MASK) * NAME_WORDS;
  }
}
