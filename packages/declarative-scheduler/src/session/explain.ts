import type { EpochMs } from '@horae/clock-store';
import { decideRun } from '../task/decide-run.js';
import type { RunReason } from '../task/run-reason.js';
import { type TaskState, taskState } from '../task/task-transitions.js';
import { type ActiveTask, viewOf } from './active-task.js';

/** Why a task would or would not start at an instant. */
export interface Explanation {
  readonly taskName: string;
  readonly at: EpochMs;
  readonly wouldRun: boolean;
  /** Why it would start; null when it would not. */
  readonly reason: RunReason | null;
  readonly state: TaskState;
  /** The instant that the run would stand for, or null. */
  readonly dueAt: EpochMs | null;
  readonly nextDueAt: EpochMs | null;
  readonly pendingRetryUntil: EpochMs | null;
  readonly lastAttemptAt: EpochMs | null;
  /** The same as a sentence. */
  readonly sentence: string;
}

/** Judges the task as it is now, as if the clock showed `at`. */
export function explainTask(task: ActiveTask, at: EpochMs): Explanation {
  const { record, declared, cronDue, orphaned } = task;
  const isRunning = record.runningSchedulerId !== null && !orphaned;
  const decision = isRunning ? null : decideRun(record, viewOf(task), cronDue, at);
  const words = isRunning
    ? runningWords(task, at)
    : decision === null
      ? waitingWords(task)
      : runWords[decision.reason](task, decision.dueAt);
  return Object.freeze({
    taskName: declared.name,
    at,
    wouldRun: decision !== null,
    reason: decision?.reason ?? null,
    state: taskState(record),
    dueAt: decision?.dueAt ?? null,
    nextDueAt: cronDue,
    pendingRetryUntil: record.pendingRetryUntil,
    lastAttemptAt: record.lastAttemptAt,
    sentence: `${declared.name} ${decision === null ? 'does not start' : 'starts'} at ${iso(at)}: ${words}.`,
  });
}

const runWords: Readonly<Record<RunReason, (task: ActiveTask, dueAt: EpochMs) => string>> = {
  orphan: () => 'an earlier instance started it and did not record its end',
  boot: (task, dueAt) => `it was registered in the minute of ${iso(dueAt)}, which ${quoted(task)} matches`,
  cron: (task, dueAt) => `${quoted(task)} matches the minute of ${iso(dueAt)} and nothing has run for it yet`,
  'catch-up': (task, dueAt) =>
    `${quoted(task)} was due at ${iso(dueAt)} and could not start then; one run stands for everything missed`,
  manual: () => 'somebody started it by hand',
  retry: (_, dueAt) => `its latest run failed and the retry delay was over at ${iso(dueAt)}`,
};

function runningWords(task: ActiveTask, at: EpochMs): string {
  const since = `it is running since ${iso(task.record.lastAttemptAt ?? at)} and never runs twice at once`;
  const isOverdue = task.cronDue !== null && task.cronDue <= at;
  return isOverdue ? `${since}; one catch-up run follows at once` : since;
}

function waitingWords({ cronDue, record }: ActiveTask): string {
  if (record.paused) return 'it is paused and starts by hand only';
  const next = cronDue === null ? 'its expression has no occurrence left' : `its next occurrence is ${iso(cronDue)}`;
  if (record.pendingRetryUntil !== null) return `its retry is due at ${iso(record.pendingRetryUntil)} and ${next}`;
  return next;
}

function quoted({ declared }: ActiveTask): string {
  return `"${declared.cron}"`;
}

function iso(at: EpochMs): string {
  return Number.isFinite(at) ? new Date(at).toISOString() : 'its start';
}
