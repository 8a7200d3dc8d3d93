import { grown } from './columns.js';

/** Slots that are probed before a name goes to the overflow; hostile names cannot make it slow. */
const MAX_PROBES = 32;
/** For longer names only the length and both ends are hashed. */
const HASHED_END = 32;
const MIN_SLOTS = 64;

/**
 * Names and their numbers. It only grows and a name keeps its number, so that branches of a simulation share one table. The
 * slots are plain integers: a new name is found to be new without touching any other string.
 */
export class NameTable {
  readonly texts: string[] = [];
  #hashes = new Int32Array(0);
  /** Numbers plus one; zero is a free slot. */
  #slots = new Int32Array(MIN_SLOTS);
  readonly #overflow = new Map<string, number>();

  /** The number of `text`, assigned now if it has none yet. */
  numberOf(text: string): number {
    const hash = hashOf(text);
    const known = this.#search(text, hash);
    if (known >= 0) return known;
    const number = this.texts.push(text) - 1;
    this.#hashes = grown(this.#hashes, number + 1);
    this.#hashes[number] = hash;
    if (this.texts.length * 2 > this.#slots.length) this.#enlarge();
    else this.#place(number);
    return number;
  }

  /** The number of `text`, or -1. */
  find(text: string): number {
    return this.#search(text, hashOf(text));
  }

  #search(text: string, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      const number = slots[(hash + probe) & mask]! - 1;
      if (number < 0) return -1;
      if (this.#hashes[number] === hash && this.texts[number] === text) return number;
    }
    return this.#overflow.get(text) ?? -1;
  }

  #place(number: number): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    const hash = this.#hashes[number]!;
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      const slot = (hash + probe) & mask;
      if (slots[slot] !== 0) continue;
      slots[slot] = number + 1;
      return;
    }
    this.#overflow.set(this.texts[number]!, number);
  }

  #enlarge(): void {
    this.#slots = new Int32Array(this.#slots.length * 4);
    this.#overflow.clear();
    for (let number = 0; number < this.texts.length; number++) this.#place(number);
  }
}

/** FNV-1a over code units, with its bits mixed so that the low ones depend on all. */
function hashOf(text: string): number {
  const { length } = text;
  let hash = 0x811c9dc5 ^ length;
  const head = Math.min(length, HASHED_END);
  for (let i = 0; i < head; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  for (let i = Math.max(head, length - HASHED_END); i < length; i++)
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}
