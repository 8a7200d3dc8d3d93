import { previousOccurrence, tryNextOccurrence } from '@horae/cron-grammar';
import { minuteOf } from './decide-run.js';
import { latencyBoundMs } from './late-start.js';
import { LEAST_RETRY_SPACING_MS } from './task-transitions.js';
import type { TraceEvent } from './trace-event.js';
import type { TracedTask, TraceMoment, TraceReader } from './trace-state.js';

/** A difference between the two clocks beyond this is a step and not drift. */
const STEP_MS = 1_000;

/** Follows the runs of each task: no overlap, no start without a cause, no start too late, no second run for one occurrence. */
export function judgeTaskEvent(reader: TraceReader, event: TraceEvent): void {
  if (event.taskName === undefined || event.event === 'TaskRecordDiscarded') return;
  const task = reader.tasks.get(event.taskName);
  if (task === undefined) {
    reader.blame('unregistered-task', `${event.event} of ${event.taskName}, which is not registered`);
    return;
  }
  switch (event.event) {
    case 'TaskRunStarted':
    case 'TaskRetryStarted':
      judgeStart(reader, task, event);
      return;
    case 'TaskRetryPreempted':
      if (task.retryAt === null) reader.blame('preempt-without-retry', `${task.name} has no retry to preempt`);
      task.preempted = true;
      return;
    case 'TaskRunCompleted':
    case 'TaskRunFailed':
      judgeEnd(reader, task, event);
      return;
    default:
  }
}

function judgeStart(reader: TraceReader, task: TracedTask, event: TraceEvent): void {
  if (reader.phase !== 'active')
    reader.blame('start-while-inactive', `${task.name} starts while the scheduler is ${reader.phase}`);
  if (task.running !== null) reader.blame('overlap', `${task.name} starts while it is running`);
  const cause = causeOf(reader, task, event);
  if (cause === null) reader.blame(...noCause(task, event));
  else if (cause !== 'orphan') judgeLateness(reader, task, event, dueOf(reader, task, event, cause));
  if (cause === 'cron' && task.retryAt !== null && !task.preempted) {
    reader.blame(
      'preemption-untold',
      `${task.name} starts by cron while a retry is pending, without TaskRetryPreempted`,
    );
  }
  if (task.preempted && event.event === 'TaskRetryStarted') {
    reader.blame('preempted-retry-started', `the retry of ${task.name} was preempted and starts all the same`);
  }
  if (task.running === null) reader.running += 1;
  task.running = { at: event.at, monotonicMs: event.monotonicMs };
  task.handledUntil = Math.max(task.handledUntil, event.at);
  Object.assign(task, { retryAt: null, preempted: false, orphaned: false });
}

type Cause = 'orphan' | 'cron' | 'retry';

/** What allows the start: an unfinished run, an occurrence since the last start, or a retry delay that is over. */
function causeOf(reader: TraceReader, task: TracedTask, event: TraceEvent): Cause | null {
  const isRetry = event.event === 'TaskRetryStarted';
  if (task.orphaned) {
    if (event.reason === 'orphan' || event.reason === undefined) return 'orphan';
    reader.blame(
      'orphan-restarts-first',
      `${task.name} was left unfinished and starts as ${event.reason} before it starts as an orphan`,
    );
    return 'orphan';
  }
  if (event.reason === 'orphan') return null;
  if (isRetry) return task.retryAt !== null && task.retryAt <= event.at ? 'retry' : null;
  const due = tryNextOccurrence(task.expression, task.handledUntil, reader.zone);
  return due !== null && due <= event.at ? 'cron' : null;
}

function noCause(task: TracedTask, event: TraceEvent): [rule: string, message: string] {
  const when = new Date(event.at).toISOString();
  if (event.reason === 'orphan')
    return ['orphan-once', `${task.name} starts as an orphan at ${when} and nothing of it was left unfinished`];
  if (event.event === 'TaskRetryStarted')
    return ['retry-too-early', `${task.name} is retried at ${when} and no retry is due`];
  const handled = new Date(task.handledUntil).toISOString();
  const rule = event.reason === 'catch-up' ? 'make-up-run' : 'start-without-cause';
  return [rule, `${task.name} starts at ${when} and no occurrence has passed since ${handled}`];
}

function dueOf(reader: TraceReader, task: TracedTask, event: TraceEvent, cause: 'cron' | 'retry'): number {
  if (cause === 'retry') return task.retryAt!;
  // Of the occurrences since the last start the first one has waited longest.
  return (
    tryNextOccurrence(task.expression, task.handledUntil, reader.zone) ??
    previousOccurrence(task.expression, event.at + 1, reader.zone)
  );
}

function judgeLateness(reader: TraceReader, task: TracedTask, event: TraceEvent, dueAt: number): void {
  const lateMs = latenessOf(reader, task, event, dueAt);
  const boundMs = latencyBoundMs(reader.tasks.size);
  if (lateMs > boundMs)
    reader.blame('late-start', `${task.name} starts ${lateMs} ms after it could have, the bound is ${boundMs} ms`);
}

/**
 * For how long the task could have started and did not. A failing store and a full house excuse what they took. When the two clocks
 * disagree the wall clock was stepped, once or several times, and nothing can be said: 0.
 */
function latenessOf(reader: TraceReader, task: TracedTask, event: TraceEvent, dueAt: number): number {
  if (reader.running >= reader.concurrency) return 0;
  const couldSince = Math.max(
    dueAt,
    task.idleSince.at,
    reader.roomAt,
    reader.storeFailedAt ?? Number.NEGATIVE_INFINITY,
  );
  return Math.abs(steppedMs(task.idleSince, event)) > STEP_MS ? 0 : event.at - couldSince;
}

/** How far the wall clock stepped between two moments: the difference between the two clocks, where both are known. */
function steppedMs(from: TraceMoment, to: { readonly at: number; readonly monotonicMs?: number | undefined }): number {
  if (from.monotonicMs === undefined || to.monotonicMs === undefined) return 0;
  return to.at - from.at - (to.monotonicMs - from.monotonicMs);
}

/** At the end of a session nothing may be left that should have started long ago. */
export function judgeMissed(reader: TraceReader, event: TraceEvent): void {
  const boundMs = latencyBoundMs(reader.tasks.size);
  for (const task of reader.tasks.values()) {
    if (task.running !== null) continue;
    const cronDue = tryNextOccurrence(task.expression, task.handledUntil, reader.zone) ?? Number.POSITIVE_INFINITY;
    const due = task.orphaned ? task.idleSince.at : Math.min(cronDue, task.retryAt ?? Number.POSITIVE_INFINITY);
    if (due > event.at) continue;
    const lateMs = latenessOf(reader, task, event, due);
    if (lateMs > boundMs) {
      const what = task.orphaned ? 'an orphan' : minuteOf(due) === due ? 'an occurrence' : 'a retry';
      reader.blame(
        'never-started',
        `${what} of ${task.name} was due at ${new Date(due).toISOString()} and never started`,
      );
    }
  }
}

function judgeEnd(reader: TraceReader, task: TracedTask, event: TraceEvent): void {
  if (task.running === null) {
    reader.blame('end-without-start', `${event.event} of ${task.name}, which is not running`);
    return;
  }
  if (reader.phase !== 'active' && reader.phase !== 'stopping') {
    reader.blame('end-while-inactive', `${task.name} ends while the scheduler is ${reader.phase}`);
  }
  if (reader.running >= reader.concurrency) reader.roomAt = event.at;
  reader.running -= 1;
  const steppedBackMs = Math.max(0, -steppedMs(task.running, event));
  task.running = null;
  task.idleSince = { at: event.at, monotonicMs: event.monotonicMs };
  if (event.event !== 'TaskRunFailed') return;
  task.retryAt = event.retryAt ?? event.at + task.retryDelayMs;
  // The delay counts from the end of the callback, which a stepped clock may have seen at a later hour.
  if (task.retryAt > event.at + steppedBackMs + Math.max(task.retryDelayMs, LEAST_RETRY_SPACING_MS)) {
    reader.blame('retry-delay', `the retry of ${task.name} is set later than its delay`);
  }
}
