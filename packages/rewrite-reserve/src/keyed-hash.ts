import { systemRandom } from '@horae/clock-store';

/**
 * A secret linear hash: the sum, modulo 2^32, of each byte it reads times its own random word. Whoever does not know the words cannot
 * make keys that collide: for any two keys fixed beforehand, the upper 25 bits agree with chance 2^-25, however the keys were
 * crafted (multilinear hashing over 8-bit characters). Use the upper bits. The words differ in every interner and nothing
 * observable depends on them.
 */
export class KeyedHash {
  private readonly words: Uint32Array;
  private lastHeader = -1;
  private lastHeaderSum = 0;

  constructor() {
    const random = systemRandom();
    this.words = Uint32Array.from({ length: 1 + 4 + 8 + 32 }, () => random.uint32());
  }

  /** Hash of a header and a 64-bit payload given as two unsigned words. */
  ofWords(header: number, low: number, high: number): number {
    const sum = (this.ofHeader(header) + this.ofWord(low, 5)) | 0;
    return high === 0 ? sum >>> 0 : (sum + this.ofWord(high, 9)) >>> 0;
  }

  /** Hash of a header and the first 8 bytes of a name. It says nothing about names that agree in those. */
  ofBytes(header: number, bytes: Uint8Array): number {
    const words = this.words;
    return (
      (this.ofHeader(header) +
        Math.imul(words[13]!, bytes[0]!) +
        Math.imul(words[14]!, bytes[1]!) +
        Math.imul(words[15]!, bytes[2]!) +
        Math.imul(words[16]!, bytes[3]!) +
        Math.imul(words[17]!, bytes[4]!) +
        Math.imul(words[18]!, bytes[5]!) +
        Math.imul(words[19]!, bytes[6]!) +
        Math.imul(words[20]!, bytes[7]!)) >>>
      0
    );
  }

  /** Hash of a header and all 32 bytes of a name that lies in `bytes` from `from` on. */
  ofAllBytes(header: number, bytes: Uint8Array, from: number): number {
    const words = this.words;
    let sum = this.ofHeader(header);
    for (let at = 0; at < 32; at++) sum = (sum + Math.imul(words[at + 13]!, bytes[from + at]!)) | 0;
    return sum >>> 0;
  }

  /** The share of the header; neighbours mostly have the same one. */
  private ofHeader(header: number): number {
    if (header !== this.lastHeader) {
      this.lastHeader = header;
      this.lastHeaderSum = (this.words[0]! + this.ofWord(header, 1)) | 0;
    }
    return this.lastHeaderSum;
  }

  private ofWord(word: number, at: number): number {
    const words = this.words;
    return (
      (Math.imul(words[at]!, word & 0xff) +
        Math.imul(words[at + 1]!, (word >>> 8) & 0xff) +
        Math.imul(words[at + 2]!, (word >>> 16) & 0xff) +
        Math.imul(words[at + 3]!, word >>> 24)) |
      0
    );
  }
}
