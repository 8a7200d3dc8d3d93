import type { EventName, TraceEvent } from '@horae/declarative-scheduler';
import type { DaemonLog } from '../daemon/daemon-log.js';
import { reportOf } from '../output/report-error.js';

type Level = 'debug' | 'info' | 'warn' | 'error';

const words: Readonly<Record<EventName, readonly [Level, string]>> = {
  SchedulerInitializationStarted: ['debug', 'initializing'],
  SchedulerInitializationCompleted: ['debug', 'initialized'],
  SchedulerInitializationFailed: ['error', 'could not be initialized'],
  SchedulerStopRequested: ['debug', 'stop requested'],
  SchedulerStopped: ['debug', 'scheduler stopped'],
  TaskRunStarted: ['info', 'started'],
  TaskRunCompleted: ['info', 'done'],
  TaskRunFailed: ['warn', 'failed'],
  TaskRetryStarted: ['info', 'tried again'],
  TaskRetryPreempted: ['debug', 'the retry gave way to the next occurrence'],
  PollingStarted: ['debug', 'polling'],
  PollingStopRequested: ['debug', 'polling is to stop'],
  PollingStopped: ['debug', 'polling stopped'],
  StoreFailed: ['error', 'the database failed; what cannot be recorded is not started'],
  SchedulerRoleChanged: ['info', 'the role of this daemon changed'],
  TaskRetriesExhausted: ['warn', 'no retry is left; it waits for its next occurrence'],
  TaskPaused: ['info', 'paused'],
  TaskResumed: ['info', 'resumed'],
  TaskRetryCancelled: ['info', 'the retry was cancelled'],
  TaskAdded: ['info', 'added'],
  TaskRemoved: ['info', 'removed'],
  TaskRecordDiscarded: ['warn', 'a stored record is damaged; the task counts as new'],
};

/** Every event of a scheduler. */
export const taskEventNames = Object.keys(words) as readonly EventName[];

/** Logs an event of the scheduler. */
export function logTaskEvent(log: DaemonLog, event: TraceEvent): void {
  if (event.event === 'Crash') return;
  const [level, message] = words[event.event];
  log[level](factsOf(event), message);
}

/** An event as plain facts; instants as ISO text. */
export function factsOf(event: TraceEvent): Record<string, unknown> {
  const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString());
  return {
    event: event.event,
    task: event.taskName,
    reason: event.reason,
    role: event.role,
    attempt: event.attempt,
    dueAt: iso(event.dueAt),
    retryAt: iso(event.retryAt),
    error: event.error === undefined ? undefined : reportOf(event.error).message,
  };
}
