import { type Backoff, backoffMs, type Clock, type Random } from '@horae/clock-store';
import { LeaseLostError } from '../store/lease.js';
import type { TaskStore } from '../store/task-store.js';
import type { TaskRecord } from '../task/task-record.js';
import { type ActiveTask, updateRecord } from './active-task.js';

/** One change of one task's record. It is computed when its turn comes, from the record as it is then. */
export interface RecordChange {
  readonly task: ActiveTask;
  change(record: TaskRecord): TaskRecord;
}

export interface LedgerOptions {
  readonly store: TaskStore;
  readonly clock: Clock;
  readonly random: Random;
  /** The fence of the lease under which writes are made; undefined without a lease. */
  readonly fence: number | undefined;
  onFailure(error: unknown): void;
  /** The store works. */
  onSuccess(): void;
  /** Calls `update`, which changes when the task is to be looked at, and plans the task anew where it was planned. */
  replan(task: ActiveTask, update: () => void): void;
}

interface Waiting extends RecordChange {
  done(outcome: 'saved' | 'abandoned'): void;
}

export const STORE_BACKOFF: Backoff = { firstMs: 1_000, longestMs: 60_000 };

const MAX_RECORDS_PER_SAVE = 10_000;

/**
 * The only writer of a session's records: changes are made one after the other, in memory only once they are durable. Results are
 * batched: all that arrive while one save is under way go into the next.
 */
export class Ledger {
  private turn: Promise<void> = Promise.resolve();
  private waiting: Waiting[] = [];
  private flushing: Promise<void> | null = null;
  private failures = 0;
  private isAbandoned = false;
  private readonly closing = new AbortController();

  constructor(private readonly options: LedgerOptions) {}

  /** Makes the changes durable, then calls `then`, all before any other change. Rejects when the store fails; nothing changes then. */
  update(changes: readonly RecordChange[], then: () => void = () => {}): Promise<void> {
    return this.inTurn(async () => {
      await this.commit(changes);
      then();
    });
  }

  /** Runs `work` while no record changes. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.turn.then(work);
    this.turn = result.then(
      () => {},
      () => {},
    );
    return result;
  }

  /** Removes a task's record. */
  async remove(task: ActiveTask): Promise<void> {
    const { store, fence } = this.options;
    const change = { remove: [task.declared.name], put: [] };
    await this.written(fence === undefined ? store.apply(change) : store.apply(change, fence));
    task.removed = true;
  }

  /** Makes a change durable, trying again while the store fails. `abandoned` when the ledger closed first. Never rejects. */
  record(change: RecordChange): Promise<'saved' | 'abandoned'> {
    return new Promise((done) => {
      if (this.isAbandoned) {
        done('abandoned');
        return;
      }
      this.waiting.push({ ...change, done });
      this.flushing ??= this.flush();
    });
  }

  /** Tries once more to save the remaining changes, then drops them. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.flushing;
    this.dropWaiting();
    await this.turn;
  }

  /** Drops the remaining changes without another write: the lease is lost. */
  abandon(): void {
    this.isAbandoned = true;
    this.closing.abort();
    this.dropWaiting();
  }

  /** Saves changes within a turn. */
  async commit(changes: readonly RecordChange[]): Promise<void> {
    const { store, fence } = this.options;
    const next = new Map<ActiveTask, TaskRecord>();
    for (const { task, change } of changes) {
      if (!task.removed) next.set(task, change(next.get(task) ?? task.record));
    }
    if (next.size === 0) return;
    const records = [...next.values()];
    await this.written(fence === undefined ? store.save(records) : store.save(records, fence));
    for (const [task, record] of next) this.options.replan(task, () => updateRecord(task, record));
  }

  private async written(work: Promise<void>): Promise<void> {
    await work;
    this.failures = 0;
    this.options.onSuccess();
  }

  private async flush(): Promise<void> {
    // Results of the same turn of the event loop share a save.
    await Promise.resolve();
    try {
      while (this.waiting.length > 0 && (await this.flushBatch())) {}
    } finally {
      // In the same moment in which nothing waits any more: what comes later starts another flush.
      this.flushing = null;
    }
  }

  /** Saves the oldest changes that wait; false when further attempts are of no use. */
  private async flushBatch(): Promise<boolean> {
    const { clock, random, onFailure } = this.options;
    const batch = this.waiting.slice(0, MAX_RECORDS_PER_SAVE);
    try {
      await this.update(batch);
    } catch (error) {
      this.failures += 1;
      onFailure(error);
      const { signal } = this.closing;
      if (signal.aborted || error instanceof LeaseLostError) return false;
      await clock.sleepFor(backoffMs(this.failures, STORE_BACKOFF, random), { signal }).catch(() => {});
      return true;
    }
    if (this.isAbandoned) return false;
    this.waiting = this.waiting.slice(batch.length);
    for (const { done } of batch) done('saved');
    return true;
  }

  private dropWaiting(): void {
    const dropped = this.waiting;
    this.waiting = [];
    for (const { done } of dropped) done('abandoned');
  }
}
