import { systemRandom } from '@horae/clock-store';
import { NAME_WORDS } from '../keys/name-words.js';

/** Where the multipliers of the payload begin: one addend and the four of the header come before. */
const PAYLOAD = 5;

/**
 * A secret linear hash: the sum, modulo 2^32, of each byte it reads times its own random word. Without the words it is not possible to
 * construct keys that collide: for any two keys fixed beforehand, the upper 25 bits agree with chance 2^-25, however the keys were crafted
 * (multilinear hashing over 8-bit characters). Use the upper bits. The words differ in every interner and nothing observable depends on
 * them. Hashes are signed: the engine keeps those as plain integers, where it boxes large unsigned ones.
 */
export class KeyedHash {
  private readonly multipliers: Int32Array;
  private lastHeader = -1;
  private lastHeaderSum = 0;

  constructor() {
    const random = systemRandom();
    this.multipliers = Int32Array.from({ length: PAYLOAD + 4 * NAME_WORDS }, () => random.uint32());
  }

  /** Hash of a header and a payload of two words, or of the first two words of one: the others do not count. */
  ofTwo(header: number, first: number, second: number): number {
    return (this.ofHeader(header) + this.ofWord(first, PAYLOAD) + this.ofWord(second, PAYLOAD + 4)) | 0;
  }

  /** Hash of a header and the whole name at `words[from]`. */
  ofName(header: number, words: Uint32Array, from: number): number {
    let sum = this.ofHeader(header);
    for (let word = 0; word < NAME_WORDS; word++) {
      sum = (sum + this.ofWord(words[from + word]!, PAYLOAD + 4 * word)) | 0;
    }
    return sum;
  }

  /** The share of the header; neighbours mostly have the same one. */
  private ofHeader(header: number): number {
    if (header !== this.lastHeader) {
      this.lastHeader = header;
      this.lastHeaderSum = (this.multipliers[0]! + this.ofWord(header, 1)) | 0;
    }
    return this.lastHeaderSum;
  }

  private ofWord(word: number, at: number): number {
    const { multipliers } = this;
    return (
      (Math.imul(multipliers[at]!, word & 0xff) +
        Math.imul(multipliers[at + 1]!, (word >>> 8) & 0xff) +
        Math.imul(multipliers[at + 2]!, (word >>> 16) & 0xff) +
        Math.imul(multipliers[at + 3]!, word >>> 24)) |
      0
    );
  }
}
