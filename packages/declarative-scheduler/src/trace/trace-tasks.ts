import { retryDelayAfter } from '../task/retry-plan.js';
import { MIN_RETRY_SPACING_MS } from '../task/task-transitions.js';
import { judgeControl } from './trace-control.js';
import type { TraceEvent } from './trace-event.js';
import { steppedMs } from './trace-lateness.js';
import { judgeStart } from './trace-start.js';
import { instanceOf, momentOf, type TracedTask, type TraceReader } from './trace-state.js';

/** Follows the runs of each task: no overlap, no start without a cause, no start too late, no second run for one occurrence. */
export function judgeTaskEvent(reader: TraceReader, event: TraceEvent): void {
  if (event.taskName === undefined || event.event === 'TaskRecordDiscarded') return;
  const isStart = event.event === 'TaskRunStarted' || event.event === 'TaskRetryStarted';
  if (isStart) judgeStarter(reader, event);
  if (judgeControl(reader, event)) return;
  const task = reader.tasks.get(event.taskName);
  if (task === undefined) {
    reader.blame('unregistered-task', `${event.event} of ${event.taskName}, which is not registered`);
    return;
  }
  if (isStart) judgeStart(reader, task, event);
  else if (event.event === 'TaskRunCompleted' || event.event === 'TaskRunFailed') judgeEnd(reader, task, event);
  else if (event.event === 'TaskRetryPreempted') {
    if (task.retryAt === null) reader.blame('preempt-without-retry', `${task.name} has no retry to preempt`);
    task.preempted = true;
  } else if (event.event === 'TaskRetriesExhausted') {
    if (!task.owesExhaustion) reader.blame('retries-exhausted', `${task.name} has retries left, or has not failed`);
    task.owesExhaustion = false;
  }
}

function judgeStarter(reader: TraceReader, event: TraceEvent): void {
  const instance = instanceOf(reader, event);
  if (instance.phase !== 'active')
    reader.blame('start-while-inactive', `${event.taskName} starts while the scheduler is ${instance.phase}`);
  else if (reader.leader !== instance)
    reader.blame('start-while-not-leading', `${event.taskName} starts in an instance that does not lead`);
}

function judgeEnd(reader: TraceReader, task: TracedTask, event: TraceEvent): void {
  const instance = instanceOf(reader, event);
  if (task.running === null && task.orphanOf === instance.id && instance.phase !== 'crashed') {
    // Recorded before the lease was lost and reported after it: nothing was left behind.
    task.orphanOf = null;
  } else if (task.running === null || reader.leader !== instance) {
    reader.blame('end-without-start', `${event.event} of ${task.name}, which this instance does not run`);
    return;
  } else {
    if (instance.phase !== 'active' && instance.phase !== 'stopping')
      reader.blame('end-while-inactive', `${task.name} ends while the scheduler is ${instance.phase}`);
    if (reader.running >= reader.concurrency) reader.roomAt = event.at;
    reader.running -= 1;
  }
  const steppedBackMs = task.running === null ? 0 : Math.max(0, -steppedMs(task.running, event));
  task.running = null;
  task.idleSince = momentOf(event);
  if (event.event === 'TaskRunFailed') planRetry(reader, task, event, steppedBackMs);
}

function planRetry(reader: TraceReader, task: TracedTask, event: TraceEvent, steppedBackMs: number): void {
  const delayMs = retryDelayAfter(task.plan, event.attempt ?? task.attempt);
  task.owesExhaustion = delayMs === null;
  if (delayMs === null) {
    task.retryAt = null;
    if (event.retryAt !== undefined) reader.blame('too-many-retries', `${task.name} plans a retry and has none left`);
    return;
  }
  task.retryAt = event.retryAt ?? event.at + delayMs;
  // The delay counts from the end of the callback, which a stepped clock may have seen at a later hour.
  if (task.retryAt > event.at + steppedBackMs + Math.max(delayMs, MIN_RETRY_SPACING_MS)) {
    reader.blame('retry-delay', `the retry of ${task.name} is set later than its delay`);
  }
}
