import { type Backoff, backoffMs, type Clock, type Random } from '@horae/clock-store';
import type { TaskRecord } from './task-record.js';
import type { TaskStore } from './task-store.js';

/** Makes results durable. */
export interface ResultWriter {
  /** Resolves to `saved` once the record is durable, or to `abandoned` when the writer closed first. Never rejects. */
  write(record: TaskRecord): Promise<'saved' | 'abandoned'>;
  /** Tries once more to save what is left, then gives up on it. */
  close(): Promise<void>;
}

interface Waiting {
  readonly record: TaskRecord;
  done(outcome: 'saved' | 'abandoned'): void;
}

export const STORE_BACKOFF: Backoff = { firstMs: 1_000, longestMs: 60_000 };

const MOST_RECORDS_A_SAVE = 10_000;

/**
 * Saves results in batches: all that arrive while one save is under way go into the next. A failing store is tried again with
 * growing pauses, because a result that is only in memory would be a second run after a crash.
 */
export function createResultWriter(
  store: TaskStore,
  { clock, random, onFailure }: { clock: Clock; random: Random; onFailure(error: unknown): void },
): ResultWriter {
  let waiting: Waiting[] = [];
  let flushing: Promise<void> | null = null;
  let failures = 0;
  const closing = new AbortController();

  async function saveOnce(): Promise<boolean> {
    const batch = waiting.slice(0, MOST_RECORDS_A_SAVE);
    try {
      await store.save(batch.map(({ record }) => record));
    } catch (error) {
      failures += 1;
      onFailure(error);
      return false;
    }
    failures = 0;
    waiting = waiting.slice(batch.length);
    for (const { done } of batch) done('saved');
    return true;
  }

  async function flush(): Promise<void> {
    // Results of the same turn of the event loop share a save.
    await Promise.resolve();
    while (waiting.length > 0) {
      if (await saveOnce()) continue;
      if (closing.signal.aborted) return;
      await clock.sleepFor(backoffMs(failures, STORE_BACKOFF, random), { signal: closing.signal }).catch(() => {});
    }
  }

  return {
    write: (record) =>
      new Promise((done) => {
        waiting.push({ record, done });
        flushing ??= flush().finally(() => {
          flushing = null;
        });
      }),
    async close() {
      closing.abort();
      await flushing;
      for (const { done } of waiting) done('abandoned');
      waiting = [];
    },
  };
}
