import type { Random } from './random.js';

/** How long to wait after the 1st, 2nd, 3rd … failure in a row. */
export interface Backoff {
  /** Longest wait after the first failure. Doubles with every further failure. */
  readonly firstMs: number;
  /** No wait is longer than this. */
  readonly longestMs: number;
}

/**
 * The wait after failure number `failures` (1 is the first): a whole number between half of the doubled first wait and all
 * of it, never above `longestMs`. The random half keeps many processes that failed together from coming back together.
 */
export function backoffMs(failures: number, backoff: Backoff, random: Random): number {
  const ceiling = Math.max(1, Math.min(backoff.longestMs, backoff.firstMs * 2 ** Math.min(failures - 1, 40)));
  const half = Math.floor(ceiling / 2);
  return half + random.below(Math.floor(ceiling) - half + 1);
}
