import type { EventName, TraceEvent } from 'horae/tasks';
import type { TraceLine } from '../../wire/tasks.js';

/** Everything worth a line on the page. */
export const eventNames: readonly EventName[] = [
  'SchedulerInitializationStarted',
  'SchedulerInitializationCompleted',
  'SchedulerInitializationFailed',
  'SchedulerStopRequested',
  'SchedulerStopped',
  'TaskRunStarted',
  'TaskRunCompleted',
  'TaskRunFailed',
  'TaskRetryStarted',
  'TaskRetryPreempted',
  'PollingStarted',
  'PollingStopRequested',
  'PollingStopped',
  'StoreFailed',
  'TaskRecordDiscarded',
];

/** The last `count` events as lines, newest first. */
export function traceLines(trace: readonly TraceEvent[], count: number): TraceLine[] {
  const first = Math.max(0, trace.length - count);
  return trace
    .slice(first)
    .map((event, i) => ({
      index: first + i,
      event: event.event,
      at: event.at,
      taskName: event.taskName ?? null,
      detail: detailOf(event),
    }))
    .reverse();
}

export function detailOf(event: TraceEvent): string {
  const parts: string[] = [];
  if (event.reason !== undefined) parts.push(event.reason);
  if (event.attempt !== undefined) parts.push(`attempt ${event.attempt}`);
  if (event.error !== undefined) parts.push(event.error instanceof Error ? event.error.message : String(event.error));
  if (event.registrations !== undefined) parts.push(`${event.registrations.length} registrations`);
  return parts.join(', ');
}
