import type { Clock } from './clock.js';

/** Options of `retryUntilAborted`. */
export interface RetryUntilAbortedOptions {
  /** Waits between the attempts. */
  readonly clock: Pick<Clock, 'sleepFor'>;
  /** The pause between two attempts. */
  readonly pauseMs: number;
  /** Ends the attempts: the one under way is the last. */
  readonly signal: AbortSignal;
  /** Called after each failed attempt; `attempt` counts from 1. */
  onFailure?(error: unknown, attempt: number): void;
}

/**
 * Attempts `work` until it succeeds, for writes that must not be lost while a database is unavailable. After the signal is aborted a failed
 * attempt is the last, and its error is thrown. `work` receives the number of the attempt, from 1 on.
 */
export async function retryUntilAborted<T>(
  work: (attempt: number) => Promise<T>,
  { clock, pauseMs, signal, onFailure }: RetryUntilAbortedOptions,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      onFailure?.(error, attempt);
      if (signal.aborted) throw error;
      // An abort ends the pause, not the work: it gets one more attempt.
      await clock.sleepFor(pauseMs, { signal }).catch(() => {});
    }
  }
}
