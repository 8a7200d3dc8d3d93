import type { Clock, EpochMs } from '@horae/clock-store';

/** A clock that reads `now` and never wakes a sleeper: a scheduler on this clock answers queries and starts nothing. */
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
