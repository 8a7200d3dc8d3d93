import type { EpochMs } from '@horae/clock-store';
import type { RunReason } from './run-reason.js';
import type { TaskRecord } from './task-record.js';
import { latestDue, minuteOf, type Timetable } from './timetable.js';

/** A run that may start now. */
export interface RunDecision {
  readonly reason: RunReason;
  readonly dueAt: EpochMs;
  readonly attempt: number;
  /** A retry was pending and gives way to this run. */
  readonly preemptsRetry: boolean;
}

/** What a decision needs besides the record: the timetable, and the state of the task in this instance. */
export interface TaskView {
  readonly timetable: Timetable;
  /** A run of an earlier instance was left unfinished and has not been started again yet. */
  readonly orphaned: boolean;
  /** The task was registered for the first time by the present `initialize`. */
  readonly firstSeen: boolean;
  /** How much later than its occurrence a start by cron comes this time. */
  readonly jitterMs: number;
  /** A run by hand was requested. */
  readonly requested: boolean;
}

/** When the task has to be looked at again: its next occurrence or the end of its retry delay, whichever comes first. */
export function nextLookAt(
  cronDue: EpochMs | null,
  record: TaskRecord,
  { orphaned, jitterMs, requested }: Pick<TaskView, 'orphaned' | 'jitterMs' | 'requested'>,
): EpochMs {
  if (requested) return Number.NEGATIVE_INFINITY;
  if (record.paused) return Number.POSITIVE_INFINITY;
  if (orphaned) return Number.NEGATIVE_INFINITY;
  const cronAt = cronDue === null ? Number.POSITIVE_INFINITY : cronDue + jitterMs;
  return Math.min(cronAt, record.pendingRetryUntil ?? Number.POSITIVE_INFINITY);
}

/**
 * Whether a task that is not running starts at `now`, and why; null when it does not. An orphan comes first, then a run by hand,
 * then cron, then retry: an exact tie is a cron run. However many occurrences were missed, the answer is one run. A paused task
 * starts by hand only. `cronDue` is the first occurrence after what the record has handled.
 */
export function decideRun(
  record: TaskRecord,
  view: TaskView,
  cronDue: EpochMs | null,
  now: EpochMs,
): RunDecision | null {
  if (record.paused && !view.requested) return null;
  const preemptsRetry = record.pendingRetryUntil !== null;
  if (view.orphaned) return { reason: 'orphan', dueAt: now, attempt: record.attempt + 1, preemptsRetry: false };
  if (view.requested) return { reason: 'manual', dueAt: now, attempt: 1, preemptsRetry };
  if (cronDue !== null && cronDue + view.jitterMs <= now) {
    // The run stands for the latest of several missed occurrences.
    const dueAt = latestDue(view.timetable, now);
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
  // An occurrence that came due while the task was still running is caught up on, even within the same minute.
  if (cronDue < lastEndAt || isLate(view, cronDue, dueAt, now)) return 'catch-up';
  return isFirstMinute(record, view, now) ? 'boot' : 'cron';
}

/** Whether the occurrence that a run stands for is older than its start should be. */
function isLate({ timetable, jitterMs }: TaskView, cronDue: EpochMs, dueAt: EpochMs, now: EpochMs): boolean {
  const plannedAt = dueAt === cronDue ? dueAt + jitterMs : dueAt;
  if (timetable.expression.dialect === 'quartz') return now - plannedAt >= 60_000;
  return minuteOf(plannedAt) !== minuteOf(now);
}

/** Whether `at` lies in the minute in which the present `initialize` registered the task, and nothing has run since. */
export function isFirstMinute(
  record: TaskRecord,
  { firstSeen }: { readonly firstSeen: boolean },
  at: EpochMs,
): boolean {
  return firstSeen && record.lastAttemptAt === null && minuteOf(record.registeredAt) === minuteOf(at);
}
