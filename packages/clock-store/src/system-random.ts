import { belowOf, type Random } from './random.js';

const BATCH = 256;

/**
 * Random numbers from the operating system: different in every process, for identities and for seeds. Not for anything that
 * a test should be able to repeat; use `seededRandom` there.
 */
export function systemRandom(): Random {
  const batch = new Uint32Array(BATCH);
  let used = BATCH;

  function uint32(): number {
    if (used === BATCH) {
      crypto.getRandomValues(batch);
      used = 0;
    }
    return batch[used++] as number;
  }

  return { uint32, below: (n) => belowOf(uint32, n) };
}
