import type { EpochMs } from '@horae/clock-store';
import type { PoolOptions } from '../../model/interface.js';
import { choosePool } from '../../schedule/choose-pool.js';

/** Records slow triggers, which decide the pool. */
export interface PoolHistory {
  note(jobId: number, at: EpochMs, tookMs: number): void;
  choose(jobId: number, now: EpochMs): 'fast' | 'slow';
}

/** Keeps only slow triggers of the current window, and no more of them than the decision needs. */
export function createPoolHistory(
  options: Required<Pick<PoolOptions, 'slowAfterMs' | 'slowAfterCount' | 'windowMs'>>,
): PoolHistory {
  const slow = new Map<number, { at: EpochMs; tookMs: number }[]>();
  let window = Number.NaN;
  return {
    note(jobId, at, tookMs) {
      const noted = Math.floor(at / options.windowMs);
      if (noted !== window) slow.clear();
      window = noted;
      if (tookMs <= options.slowAfterMs) return;
      const history = slow.get(jobId);
      if (history === undefined) slow.set(jobId, [{ at, tookMs }]);
      else if (history.length <= options.slowAfterCount) history.push({ at, tookMs });
    },
    choose(jobId, now) {
      const history = slow.get(jobId);
      return history === undefined ? 'fast' : choosePool(history, now, options);
    },
  };
}
