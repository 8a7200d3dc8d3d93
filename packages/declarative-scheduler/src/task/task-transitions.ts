import type { EpochMs } from '@horae/clock-store';
import type { RunDecision } from './decide-run.js';
import type { DeclaredTask } from './registration.js';
import { type RetryPlan, retryDelayAfter } from './retry-plan.js';
import type { TaskRecord } from './task-record.js';
import { unitOf } from './timetable.js';

/** The three states of a task. */
export type TaskState = 'AwaitingRun' | 'Running' | 'AwaitingRetry';

/** A task whose retry delay is 0 waits this long from start to start, so that constant failure never spins. */
export const MIN_RETRY_SPACING_MS = 1_000;

export function taskState(record: TaskRecord): TaskState {
  if (record.runningSchedulerId !== null) return 'Running';
  return record.pendingRetryUntil === null ? 'AwaitingRun' : 'AwaitingRetry';
}

/** The record of a task that is registered for the first time: occurrences before the minute of `now` do not concern it. */
export function newRecord(
  { name, cron, retryDelayMs, timetable }: Pick<DeclaredTask, 'name' | 'cron' | 'retryDelayMs' | 'timetable'>,
  now: EpochMs,
): TaskRecord {
  return {
    name,
    cron,
    retryDelayMs,
    registeredAt: now,
    handledUntil: unitOf(timetable, now) - 1,
    lastAttemptAt: null,
    lastSuccessAt: null,
    lastFailureAt: null,
    pendingRetryUntil: null,
    attempt: 0,
    runningSchedulerId: null,
    paused: false,
  };
}

/** A run begins: everything due up to `now` is handled by it, a pending retry included. One by hand leaves occurrences due. */
export function startRun(record: TaskRecord, decision: RunDecision, now: EpochMs, schedulerId: string): TaskRecord {
  return {
    ...record,
    handledUntil: decision.reason === 'manual' ? record.handledUntil : Math.max(record.handledUntil, now),
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

/** A run fails: the retry delay counts from its end. Without a retry left the task waits for its next occurrence. */
export function failRun(record: TaskRecord, plan: RetryPlan, now: EpochMs): TaskRecord {
  const delayMs = retryDelayAfter(plan, record.attempt);
  const pendingRetryUntil = delayMs === null ? null : retryAt(delayMs, record.lastAttemptAt ?? now, now);
  return { ...record, lastFailureAt: now, pendingRetryUntil, runningSchedulerId: null };
}

function retryAt(delayMs: number, startedAt: EpochMs, now: EpochMs): EpochMs {
  return delayMs > 0 ? now + delayMs : Math.max(now, startedAt + MIN_RETRY_SPACING_MS);
}

/** Ends a pause: occurrences that came due meanwhile are not made up, a pending retry still runs. */
export function resume(record: TaskRecord, now: EpochMs): TaskRecord {
  return { ...record, paused: false, handledUntil: Math.max(record.handledUntil, now) };
}
