import type { EpochMs } from '@horae/clock-store';
import { type CronExpression, previousOccurrence, tryNextOccurrence } from '@horae/cron-grammar';
import type { RunReason } from './run-reason.js';
import type { TaskRecord } from './task-record.js';

/** A run that may start now. */
export interface RunDecision {
  readonly reason: RunReason;
  readonly dueAt: EpochMs;
  readonly attempt: number;
  /** A retry was pending and gives way to this run. */
  readonly preemptsRetry: boolean;
}

/** What a decision needs besides the record: the parsed expression, the zone, and what this boot knows of the task. */
export interface TaskView {
  readonly expression: CronExpression;
  readonly zone: string;
  /** A run of an earlier instance was left unfinished and has not been started again yet. */
  readonly orphaned: boolean;
  /** The task was registered for the first time by the present `initialize`. */
  readonly firstSeen: boolean;
}

const MINUTE_MS = 60_000;

/** The first millisecond of the minute that contains `at`. Minutes are those of the epoch; no zone has a fraction of one today. */
export function minuteOf(at: EpochMs): EpochMs {
  return Math.floor(at / MINUTE_MS) * MINUTE_MS;
}

/** The first occurrence that is not dealt with yet, due or not; null when the calendar has none left. */
export function nextCronDue(record: TaskRecord, expression: CronExpression, zone: string): EpochMs | null {
  return tryNextOccurrence(expression, record.handledUntil, zone);
}

/** When the task has to be looked at again: its next occurrence or the end of its retry delay, whichever comes first. */
export function nextLookAt(cronDue: EpochMs | null, record: TaskRecord, orphaned: boolean): EpochMs {
  if (orphaned) return Number.NEGATIVE_INFINITY;
  return Math.min(cronDue ?? Number.POSITIVE_INFINITY, record.pendingRetryUntil ?? Number.POSITIVE_INFINITY);
}

/**
 * Whether a task that is not running starts at `now`, and why; null when it does not. An orphan comes first, then cron, then
 * retry: an exact tie is a cron run. However many occurrences were missed, the answer is one run. `cronDue` is what
 * `nextCronDue` gave for the record.
 */
export function decideRun(
  record: TaskRecord,
  view: TaskView,
  cronDue: EpochMs | null,
  now: EpochMs,
): RunDecision | null {
  const preemptsRetry = record.pendingRetryUntil !== null;
  if (view.orphaned) return { reason: 'orphan', dueAt: now, attempt: record.attempt + 1, preemptsRetry: false };
  if (cronDue !== null && cronDue <= now) {
    // Of several missed occurrences the latest one is what this run stands for.
    const dueAt = previousOccurrence(view.expression, now + 1, view.zone);
    return { reason: cronReason(record, view, { cronDue, dueAt, now }), dueAt, attempt: 1, preemptsRetry };
  }
  const { pendingRetryUntil } = record;
  if (pendingRetryUntil !== null && pendingRetryUntil <= now) {
    return { reason: 'retry', dueAt: pendingRetryUntil, attempt: record.attempt + 1, preemptsRetry: false };
  }
  return null;
}

function cronReason(
  record: TaskRecord,
  view: TaskView,
  { cronDue, dueAt, now }: { cronDue: EpochMs; dueAt: EpochMs; now: EpochMs },
): RunReason {
  const lastEndAt = Math.max(record.lastSuccessAt ?? -Infinity, record.lastFailureAt ?? -Infinity);
  // What became due while the task was still running is caught up on, also when that is in this very minute.
  if (cronDue < lastEndAt || minuteOf(dueAt) !== minuteOf(now)) return 'catch-up';
  const isFirstMinute =
    view.firstSeen && record.lastAttemptAt === null && minuteOf(record.registeredAt) === minuteOf(now);
  return isFirstMinute ? 'boot' : 'cron';
}
