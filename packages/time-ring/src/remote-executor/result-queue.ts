import type { Clock } from '@horae/clock-store';
import type { Logger } from '../model/logger.js';
import type { CallbackItem } from '../wire/callback-message.js';
import { schedulerPaths } from '../wire/dialect.js';
import type { SchedulerCalls } from './scheduler-calls.js';

/** The results to deliver to the scheduler. */
export interface ResultQueue {
  add(item: CallbackItem): void;
  /** Whether the result of the run is not delivered yet. */
  holds(runId: number): boolean;
  /** Tries at once, and resolves when no result waits any more, or at the signal. */
  drained(signal: AbortSignal): Promise<void>;
  /** Delivers no more. */
  close(): void;
}

export interface ResultQueueOptions {
  readonly calls: SchedulerCalls;
  readonly clock: Clock;
  readonly log: Logger;
  /** The wait after the first failure; doubled with every further one. */
  readonly retryMs: number;
}

/** The status of a scheduler that does not accept a body of that size. */
const TOO_LARGE = /HTTP 413/;
const MAX_WAIT_MS = 30_000;
const MAX_RESULTS = 10_000;
const MAX_AT_ONCE = 100;
/** Well below what any scheduler accepts; a single result is at most 15,000 characters. */
const MAX_BYTES_AT_ONCE = 262_144;

/** Delivers results, many at once, until the scheduler has accepted them. Beyond 10,000 waiting results the oldest are dropped. */
export function createResultQueue({ calls, clock, log, retryMs }: ResultQueueOptions): ResultQueue {
  const waiting = new Map<number, CallbackItem>();
  const closing = new AbortController();
  const onDrained = new Set<() => void>();
  let nap = new AbortController();
  let batchSize = MAX_AT_ONCE;
  let failures = 0;
  let isDelivering = false;

  function add(item: CallbackItem): void {
    if (closing.signal.aborted) return;
    if (waiting.size >= MAX_RESULTS) {
      const [oldest] = waiting.keys();
      waiting.delete(oldest!);
      log.error({ runId: oldest, limit: MAX_RESULTS }, 'A result is given up: too many wait for the scheduler');
    }
    waiting.set(item.logId, item);
    if (!isDelivering) void deliver();
  }

  async function deliver(): Promise<void> {
    isDelivering = true;
    // Results that arrive at the same moment are sent together.
    await Promise.resolve();
    while (waiting.size > 0 && !closing.signal.aborted) {
      const batch = nextBatch();
      const answer = await calls.call(schedulerPaths.callback, batch, { signal: closing.signal });
      if (answer === true) succeed(batch);
      else await fail(batch, answer);
    }
    isDelivering = false;
    for (const tell of onDrained) tell();
  }

  function nextBatch(): CallbackItem[] {
    const batch: CallbackItem[] = [];
    let bytes = 0;
    for (const item of waiting.values()) {
      bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
      if (batch.length > 0 && (batch.length >= batchSize || bytes > MAX_BYTES_AT_ONCE)) break;
      batch.push(item);
    }
    return batch;
  }

  function succeed(batch: readonly CallbackItem[]): void {
    failures = 0;
    batchSize = Math.min(MAX_AT_ONCE, batchSize * 2);
    for (const item of batch) if (waiting.get(item.logId) === item) waiting.delete(item.logId);
  }

  async function fail(batch: readonly CallbackItem[], problem: string): Promise<void> {
    failures += 1;
    // One result that the scheduler does not accept must not delay the others: they are sent in smaller parts, and it moves to the end.
    if (batch.length === 1 && waiting.delete(batch[0]!.logId)) {
      const [item] = batch as [CallbackItem];
      const isTooLarge = TOO_LARGE.test(problem);
      if (isTooLarge)
        log.warn(
          { runId: item.logId, setting: 'http.maxBodyBytes' },
          'A result is shortened: the scheduler takes no body of its size',
        );
      waiting.set(item.logId, isTooLarge ? shortened(item) : item);
    }
    batchSize = Math.max(1, Math.floor(batchSize / 8));
    const delayMs = Math.min(MAX_WAIT_MS, retryMs * 2 ** Math.min(failures - 1, 30));
    log.warn({ problem, results: waiting.size, delayMs }, 'Results could not be delivered');
    nap = new AbortController();
    await clock.sleepFor(delayMs, { signal: nap.signal }).catch(() => {});
  }

  return {
    add,
    holds: (runId) => waiting.has(runId),
    drained(signal) {
      if (waiting.size === 0 || signal.aborted) return Promise.resolve();
      failures = 0;
      nap.abort();
      return new Promise((resolve) => {
        onDrained.add(resolve);
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    },
    close() {
      closing.abort();
      nap.abort();
    },
  };
}

/** The end of a run matters more than its details: drops its result, error and progress, and halves its message. */
function shortened(item: CallbackItem): CallbackItem {
  const { horae, ...plain } = item;
  const { result: _, error: __, progress: ___, ...kept } = horae ?? {};
  const handleMsg = item.handleMsg?.slice(0, Math.floor(item.handleMsg.length / 2)) || null;
  return Object.keys(kept).length === 0 ? { ...plain, handleMsg } : { ...plain, handleMsg, horae: kept };
}
