import { HoraeError } from './errors.js';

/** A source of integers that produces the same sequence for the same seed, in every process and on every engine. */
export interface Random {
  /** The next integer in [0, 2^32). */
  uint32(): number;
  /** The next integer in [0, n), without bias. `n` is an integer from 1 to 2^32. */
  below(n: number): number;
}

/** A bound or a seed that `Random` cannot work with. */
export class RandomInputError extends HoraeError<{ field: string; value: unknown }> {
  readonly code = 'bad-random-input';
}

const TWO_32 = 0x1_0000_0000;

/**
 * Random numbers from a seed: xoshiro128** whose four state words come from splitmix32 over the seed. A text seed is first
 * hashed with 32-bit FNV-1a over its UTF-16 code units, a number seed is taken as two 32-bit halves of its integer part.
 * Not for secrets.
 */
export function seededRandom(seed: number | string): Random {
  const nextWord = splitmix32(seedWord(seed));
  let a = nextWord();
  let b = nextWord();
  let c = nextWord();
  let d = nextWord();

  function uint32(): number {
    const result = Math.imul(rotateLeft(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotateLeft(d, 11);
    return result;
  }

  return { uint32, below: (n) => belowOf(uint32, n) };
}

/** An integer in [0, n) drawn from `uint32`, without bias. */
export function belowOf(uint32: () => number, n: number): number {
  if (!Number.isInteger(n) || n < 1 || n > TWO_32) {
    throw new RandomInputError(`below(n) needs an integer from 1 to 2^32, got ${String(n)}`, { field: 'n', value: n });
  }
  // Values past the last whole multiple of n would favour small results; on average fewer than two draws are needed.
  const limit = TWO_32 - (TWO_32 % n);
  let drawn = uint32();
  while (drawn >= limit) drawn = uint32();
  return drawn % n;
}

function rotateLeft(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

function splitmix32(state: number): () => number {
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let word = state ^ (state >>> 16);
    word = Math.imul(word, 0x21f0aaad);
    word ^= word >>> 15;
    word = Math.imul(word, 0x735a2d97);
    return word ^ (word >>> 15);
  };
}

function seedWord(seed: number | string): number {
  if (typeof seed === 'string') {
    let hash = 0x811c9dc5;
    for (let i = 0; i < seed.length; i++) hash = Math.imul(hash ^ seed.charCodeAt(i), 0x01000193);
    return hash;
  }
  if (!Number.isFinite(seed)) {
    throw new RandomInputError(`A seed is a finite number or a text, got ${String(seed)}`, {
      field: 'seed',
      value: seed,
    });
  }
  const whole = Math.trunc(seed);
  const low = whole >>> 0;
  const high = Math.floor(whole / TWO_32) | 0;
  return low ^ Math.imul(high, 0x85ebca6b);
}
