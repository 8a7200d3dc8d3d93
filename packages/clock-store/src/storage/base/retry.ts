import { type Backoff, backoffMs } from '../../backoff.js';
import type { Clock } from '../../clock.js';
import type { Random } from '../../random.js';
import { DatabaseBusyError } from './storage-errors.js';

/** How long, and by which clock, work is retried under contention. */
export interface RetryPolicy {
  readonly clock: Clock;
  readonly random: Random;
  /** No new attempt begins later than this after the first. */
  readonly limitMs: number;
}

const BACKOFF: Backoff = { firstMs: 5, longestMs: 200 };
const MAX_ATTEMPTS = 1_000;

/**
 * Runs `attempt` until it succeeds, fails for another reason than contention, or the limit is reached; then the last
 * `DatabaseBusyError` comes with the number of attempts and the time they took. `cleared` may cut a wait short.
 */
export async function retryWhileBusy<T>(
  policy: RetryPolicy,
  attempt: () => Promise<T>,
  cleared?: (signal: AbortSignal) => Promise<void> | undefined,
): Promise<T> {
  const { clock, random, limitMs } = policy;
  const startMs = clock.monotonicMs();
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      const busy = busyCause(error);
      // Contention that an inner call has already retried is final.
      if (busy === undefined || busy.details.attempts > 0) throw error;
      const delayMs = backoffMs(attempts, BACKOFF, random);
      const waitedMs = Math.round(clock.monotonicMs() - startMs);
      if (attempts >= MAX_ATTEMPTS || waitedMs + delayMs > limitMs) throw gaveUp(busy, attempts, waitedMs);
      await pause(clock, delayMs, cleared);
    }
  }
}

/** The contention behind `error`, also when the work wrapped it in errors of its own. */
function busyCause(error: unknown): DatabaseBusyError | undefined {
  let current = error;
  for (let depth = 0; depth < 8 && current instanceof Error; depth++) {
    if (current instanceof DatabaseBusyError) return current;
    current = current.cause;
  }
  return undefined;
}

function gaveUp(busy: DatabaseBusyError, attempts: number, waitedMs: number): DatabaseBusyError {
  const { url } = busy.details;
  return new DatabaseBusyError(
    `${url} is still busy after ${attempts} attempts in ${waitedMs} ms: look for a long transaction of another process, or raise busyLimitMs`,
    { url, attempts, waitedMs },
    { cause: busy.cause ?? busy },
  );
}

async function pause(
  clock: Clock,
  delayMs: number,
  cleared: ((signal: AbortSignal) => Promise<void> | undefined) | undefined,
): Promise<void> {
  const over = new AbortController();
  const early = cleared?.(over.signal);
  const late = clock.sleepFor(delayMs, { signal: over.signal });
  if (early === undefined) return late;
  try {
    await Promise.race([early, late]);
  } finally {
    late.catch(() => {});
    over.abort();
  }
}
