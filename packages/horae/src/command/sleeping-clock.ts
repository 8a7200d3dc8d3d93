import type { Clock, EpochMs } from '@horae/clock-store';

/** A clock that shows what `now` gives and never wakes anybody: whoever runs by it answers questions and does nothing by itself. */
export function sleepingClock(now: () => EpochMs): Clock {
  const sleep = (options?: { signal?: AbortSignal }) =>
    new Promise<void>((_, reject) => {
      const { signal } = options ?? {};
      if (signal?.aborted === true) reject(signal.reason);
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  return {
    now,
    monotonicMs: () => 0,
    sleepUntil: (_, options) => sleep(options),
    sleepFor: (_, options) => sleep(options),
  };
}
