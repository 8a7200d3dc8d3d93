import type { Clock } from '@horae/clock-store';

/** Made once: a new error with its stack for every nap would cost more than the nap. */
const NAP_OVER = 'the nap is over';

/**
 * The same clock, whose appointments also end after `longestMs` of elapsed time, so that a stepped clock is noticed by then. A simulated
 * clock detects its own steps and skips the wake-ups in between.
 */
export function withMaxSleep(clock: Clock, longestMs: number): Clock {
  const nap = (signal: AbortSignal | undefined) =>
    clock.sleepIdle?.(longestMs, { everyMs: longestMs, idleMs: Number.POSITIVE_INFINITY, signal }) ??
    clock.sleepFor(longestMs, signal && { signal });
  return {
    now: () => clock.now(),
    monotonicMs: () => clock.monotonicMs(),
    sleepFor: (ms, options) => (ms < longestMs ? clock.sleepFor(ms, options) : nap(options?.signal)),
    async sleepUntil(at, { signal } = {}) {
      const over = new AbortController();
      const cancel = () => over.abort(signal?.reason);
      signal?.throwIfAborted();
      signal?.addEventListener('abort', cancel, { once: true });
      const either = { signal: over.signal };
      try {
        await Promise.race([clock.sleepUntil(at, either), nap(over.signal)]);
      } finally {
        signal?.removeEventListener('abort', cancel);
        over.abort(NAP_OVER);
      }
    },
  };
}
