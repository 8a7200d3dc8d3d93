import type { Clock } from '@horae/clock-store';
import { TaskTimeoutError } from '../base/scheduler-errors.js';
import type { Callback, RunContext } from '../task/registration.js';

export type RunOutcome = { readonly kind: 'succeeded' } | { readonly kind: 'failed'; readonly error: unknown };

/** A callback under way. */
export interface CallbackRun {
  /** How the run ends: by the callback, or by its time limit. Never rejects. */
  readonly ended: Promise<RunOutcome>;
  /** When the callback itself is over, which may be long after the time limit. Never rejects. */
  readonly settled: Promise<void>;
  abort(reason: unknown): void;
}

/** Calls a callback at once, under a time limit if there is one. What it throws is a failed outcome. */
export function runCallback(
  callback: Callback,
  context: Omit<RunContext, 'signal'>,
  { clock, timeoutMs }: { clock: Clock; timeoutMs: number | null },
): CallbackRun {
  let controller: AbortController | undefined;
  const abort = (reason: unknown) => {
    controller ??= new AbortController();
    controller.abort(reason);
  };
  // Most callbacks never read their signal, and making one costs more than the rest of a short run.
  const outcome = call(callback, {
    ...context,
    get signal() {
      controller ??= new AbortController();
      return controller.signal;
    },
  });
  const settled = outcome.then(() => {});
  const ended = timeoutMs === null ? outcome : Promise.race([outcome, limit(context.taskName, timeoutMs)]);
  return { ended, settled, abort };

  async function limit(taskName: string, limitMs: number): Promise<RunOutcome> {
    const over = new AbortController();
    void settled.then(() => over.abort());
    try {
      await clock.sleepFor(limitMs, { signal: over.signal });
    } catch {
      return outcome;
    }
    const error = new TaskTimeoutError(taskName, limitMs);
    abort(error);
    return { kind: 'failed', error };
  }
}

async function call(callback: Callback, context: RunContext): Promise<RunOutcome> {
  try {
    await callback(context);
    return { kind: 'succeeded' };
  } catch (error) {
    return { kind: 'failed', error };
  }
}
