import { latestDue, nextDue } from '../task/timetable.js';
import type { TraceEvent } from './trace-event.js';
import { judgeLateness } from './trace-lateness.js';
import { momentOf, type TracedTask, type TraceReader } from './trace-state.js';

/** Judges a start of a registered task, and what follows from it. */
export function judgeStart(reader: TraceReader, task: TracedTask, event: TraceEvent): void {
  if (task.running !== null) reader.blame('overlap', `${task.name} starts while it is running`);
  if (task.paused && event.reason !== 'manual' && event.reason !== 'orphan')
    reader.blame('start-while-paused', `${task.name} starts by itself while it is paused`);
  const cause = task.uncertain ? 'orphan' : causeOf(reader, task, event);
  if (cause === null) reader.blame(...noCause(task, event));
  else if (cause === 'cron' || cause === 'retry') judgeLateness(reader, task, event, dueOf(task, event, cause));
  judgePreemption(reader, task, event, cause);
  judgeExhaustion(reader, task);
  if (task.running === null) reader.running += 1;
  if (cause !== 'manual') task.handledUntil = Math.max(task.handledUntil, event.at);
  Object.assign(task, {
    running: momentOf(event),
    attempt: event.attempt ?? (cause === 'retry' || cause === 'orphan' ? task.attempt + 1 : 1),
    retryAt: null,
    preempted: false,
    orphanOf: null,
    maybeOrphaned: false,
    uncertain: false,
    owesExhaustion: false,
  });
}

/** Exhausted retries are reported with the failure: they have to be before the next start, the end of leading, or of the trace. */
export function judgeExhaustion(reader: TraceReader, task: TracedTask): void {
  if (!task.owesExhaustion) return;
  reader.blame('exhaustion-unreported', `${task.name} had no retry left, which was not reported`);
  task.owesExhaustion = false;
}

type Cause = 'orphan' | 'manual' | 'cron' | 'retry';

function judgePreemption(reader: TraceReader, task: TracedTask, event: TraceEvent, cause: Cause | null): void {
  if ((cause === 'cron' || cause === 'manual') && task.retryAt !== null && !task.preempted) {
    reader.blame(
      'preemption-untold',
      `${task.name} starts by ${cause} while a retry is pending, without TaskRetryPreempted`,
    );
  }
  if (task.preempted && event.event === 'TaskRetryStarted') {
    reader.blame('preempted-retry-started', `the retry of ${task.name} was preempted and starts all the same`);
  }
}

/** What allows the start: an unfinished run, a request by hand, an occurrence since the last start, or a retry delay that is over. */
function causeOf(reader: TraceReader, task: TracedTask, event: TraceEvent): Cause | null {
  if (task.orphanOf !== null) {
    if (event.reason !== 'orphan' && event.reason !== undefined) {
      reader.blame(
        'orphan-restarts-first',
        `${task.name} was left unfinished and starts as ${event.reason} before it starts as an orphan`,
      );
    }
    return 'orphan';
  }
  if (event.reason === 'orphan') return task.maybeOrphaned ? 'orphan' : null;
  if (event.reason === 'manual') return 'manual';
  if (event.event === 'TaskRetryStarted') return task.retryAt !== null && task.retryAt <= event.at ? 'retry' : null;
  const due = nextDue(task.timetable, task.handledUntil);
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

function dueOf(task: TracedTask, event: TraceEvent, cause: 'cron' | 'retry'): number {
  if (cause === 'retry') return task.retryAt!;
  // The first occurrence since the last start has waited longest.
  return (nextDue(task.timetable, task.handledUntil) ?? latestDue(task.timetable, event.at)) + task.jitterMs;
}
