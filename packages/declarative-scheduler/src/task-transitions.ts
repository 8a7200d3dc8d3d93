import type { EpochMs } from '@horae/clock-store';
import { minuteOf, type RunDecision } from './decide-run.js';
import type { TaskRecord } from './task-record.js';

/** The three states of a task. */
export type TaskState = 'AwaitingRun' | 'Running' | 'AwaitingRetry';

/** A task whose retry delay is 0 waits this long from start to start, so that constant failure never spins. */
export const LEAST_RETRY_SPACING_MS = 1_000;

export function taskState(record: TaskRecord): TaskState {
  if (record.runningSchedulerId !== null) return 'Running';
  return record.pendingRetryUntil === null ? 'AwaitingRun' : 'AwaitingRetry';
}

/** The record of a task that is registered for the first time: occurrences before the minute of `now` are none of its business. */
export function newRecord(name: string, cron: string, retryDelayMs: number, now: EpochMs): TaskRecord {
  return {
    name,
    cron,
    retryDelayMs,
    registeredAt: now,
    handledUntil: minuteOf(now) - 1,
    lastAttemptAt: null,
    lastSuccessAt: null,
    lastFailureAt: null,
    pendingRetryUntil: null,
    attempt: 0,
    runningSchedulerId: null,
  };
}

/** A run begins: everything due up to `now` is dealt with by it, a pending retry included. */
export function startRun(record: TaskRecord, decision: RunDecision, now: EpochMs, schedulerId: string): TaskRecord {
  return {
    ...record,
    handledUntil: Math.max(record.handledUntil, now),
    lastAttemptAt: now,
    pendingRetryUntil: null,
    attempt: decision.attempt,
    runningSchedulerId: schedulerId,
  };
}

/** A run ends well. */
export function succeedRun(record: TaskRecord, now: EpochMs): TaskRecord {
  return { ...record, lastSuccessAt: now, pendingRetryUntil: null, runningSchedulerId: null };
}

/** A run fails: the retry delay counts from its end. */
export function failRun(record: TaskRecord, now: EpochMs): TaskRecord {
  const { retryDelayMs, lastAttemptAt } = record;
  const pendingRetryUntil =
    retryDelayMs > 0 ? now + retryDelayMs : Math.max(now, (lastAttemptAt ?? now) + LEAST_RETRY_SPACING_MS);
  return { ...record, lastFailureAt: now, pendingRetryUntil, runningSchedulerId: null };
}
