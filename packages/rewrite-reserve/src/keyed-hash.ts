/**
 * A secret linear hash: the sum, modulo 2^32, of each byte times its own random word. Whoever does not know the words cannot
 * make keys that collide: for any two keys fixed beforehand, the upper 25 bits agree with chance 2^-25, however the keys were
 * crafted (multilinear hashing over 8-bit characters). Use the upper bits. The words differ in every interner and nothing
 * observable depends on them.
 */
export class KeyedHash {
  private readonly words: Uint32Array;
  private lastHeader = -1;
  private lastHeaderSum = 0;

  constructor() {
    this.words = globalThis.crypto.getRandomValues(new Uint32Array(1 + 4 + 8 + 32));
  }

  /** Hash of a header and a 64-bit payload given as two unsigned words. */
  ofWords(header: number, low: number, high: number): number {
    const sum = (this.ofHeader(header) + this.ofWord(low, 5)) | 0;
    return high === 0 ? sum >>> 0 : (sum + this.ofWord(high, 9)) >>> 0;
  }

  /** Hash of a header and 32 bytes. */
  ofBytes(header: number, bytes: Uint8Array): number {
    const words = this.words;
    let sum = this.ofHeader(header);
    for (let at = 0; at < 32; at++) sum = (sum + Math.imul(words[at + 13]!, bytes[at]!)) | 0;
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
