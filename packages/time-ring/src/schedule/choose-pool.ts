import type { EpochMs } from '@horae/clock-store';
import type { PoolOptions } from '../model/interface.js';

/** The numbers of the design: 200 + 2,000 fast, 100 + 5,000 slow, slow after more than 10 triggers over 500 ms in a minute. */
export const poolDefaults = {
  fast: { size: 200, queue: 2_000 },
  slow: { size: 100, queue: 5_000 },
  slowAfterMs: 500,
  slowAfterCount: 10,
  windowMs: 60_000,
} as const satisfies Required<PoolOptions>;

/**
 * Returns the pool of a job's next trigger. Windows are fixed: only triggers that ended in the window of `now` count, so that a job begins
 * every window in the fast pool.
 */
export function choosePool(
  history: readonly { at: EpochMs; tookMs: number }[],
  now: EpochMs,
  options: Pick<PoolOptions, 'slowAfterMs' | 'slowAfterCount' | 'windowMs'> = {},
): 'fast' | 'slow' {
  const { slowAfterMs, slowAfterCount, windowMs } = { ...poolDefaults, ...options };
  const window = Math.floor(now / windowMs);
  const slow = history.filter(({ at, tookMs }) => Math.floor(at / windowMs) === window && tookMs > slowAfterMs);
  return slow.length > slowAfterCount ? 'slow' : 'fast';
}
