import { type Backoff, backoffMs } from './backoff.js';
import type { Clock, EpochMs } from './clock.js';
import type { Random } from './random.js';

/** When the next pass is due: elapsed milliseconds from now, an appointment on the wall clock, or never again. */
export type NextPass = { readonly afterMs: number } | { readonly at: EpochMs } | 'done';

/** Options of `createSupervisedLoop`. */
export interface SupervisedLoopOptions {
  /** Waits between the passes. */
  readonly clock: Clock;
  /** Spreads the back-off after failures. */
  readonly random: Random;
  /** One pass. What it throws is reported and followed by a back-off; the loop continues. */
  pass(signal: AbortSignal): Promise<NextPass>;
  /** Called after every failed pass, with the number of failures in a row and the wait before the next. */
  onFailure?(error: unknown, failure: { readonly failures: number; readonly delayMs: number }): void;
  /** Called once when a pass succeeds again after `failures` failed ones. */
  onRecovery?(recovery: { readonly failures: number }): void;
  /** Default: 100 ms doubling to 30 s. */
  readonly backoff?: Backoff;
}

/** A loop that outlives the failures of its passes. */
export interface SupervisedLoop {
  /** Runs passes one after the other until `signal` is aborted or a pass returns `done`. Never rejects because a pass failed. */
  run(signal: AbortSignal): Promise<void>;
  /** Cuts the present wait short, or the next one if a pass is running. A back-off is not cut: the fault may persist. */
  poke(): void;
}

const DEFAULT_BACKOFF: Backoff = { firstMs: 100, longestMs: 30_000 };

/** A loop of passes that backs off while they fail and continues when they succeed again, as when a database is reachable again. */
export function createSupervisedLoop(options: SupervisedLoopOptions): SupervisedLoop {
  const { clock, random, backoff = DEFAULT_BACKOFF } = options;
  let poked = false;
  let wait: AbortController | undefined;
  let failures = 0;

  async function tryPass(signal: AbortSignal): Promise<NextPass | { backoffMs: number }> {
    try {
      const next = await options.pass(signal);
      if (failures > 0) options.onRecovery?.({ failures });
      failures = 0;
      return next;
    } catch (error) {
      failures += 1;
      const delayMs = backoffMs(failures, backoff, random);
      // A pass that fails because it is being stopped has not failed.
      if (!signal.aborted) options.onFailure?.(error, { failures, delayMs });
      return { backoffMs: delayMs };
    }
  }

  async function pause(next: Exclude<NextPass, 'done'>, signal: AbortSignal): Promise<void> {
    if (poked) return;
    wait = new AbortController();
    const onStop = () => wait?.abort();
    signal.addEventListener('abort', onStop, { once: true });
    try {
      const either = { signal: wait.signal };
      await ('at' in next ? clock.sleepUntil(next.at, either) : clock.sleepFor(next.afterMs, either));
    } catch (error) {
      if (!wait.signal.aborted) throw error;
    } finally {
      signal.removeEventListener('abort', onStop);
      wait = undefined;
    }
  }

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      poked = false;
      const next = await tryPass(signal);
      if (next === 'done' || signal.aborted) return;
      if ('backoffMs' in next) await clock.sleepFor(next.backoffMs, { signal }).catch(unlessAborted(signal));
      else await pause(next, signal);
    }
  }

  function poke(): void {
    poked = true;
    wait?.abort();
  }

  return { run, poke };
}

function unlessAborted(signal: AbortSignal): (error: unknown) => void {
  return (error) => {
    if (!signal.aborted) throw error;
  };
}
