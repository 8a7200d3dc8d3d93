import type { EventName } from '../trace/trace-event.js';
import type { Logger } from './logger.js';

/** The log line of each event: its level and its sentence. */
export const eventWords: Readonly<Record<EventName, readonly [level: keyof Logger, sentence: string]>> = {
  SchedulerInitializationStarted: ['debug', 'The scheduler is initializing'],
  SchedulerInitializationCompleted: ['debug', 'The scheduler is initialized'],
  SchedulerInitializationFailed: ['error', 'The scheduler could not be initialized'],
  SchedulerStopRequested: ['debug', 'The scheduler is stopping'],
  SchedulerStopped: ['debug', 'The scheduler has stopped'],
  SchedulerRoleChanged: ['info', 'The role of this instance changed'],
  PollingStarted: ['debug', 'Polling started'],
  PollingStopRequested: ['debug', 'Polling is stopping'],
  PollingStopped: ['debug', 'Polling stopped'],
  TaskRunStarted: ['info', 'A run started'],
  TaskRetryStarted: ['info', 'A retry started'],
  TaskRunCompleted: ['info', 'A run completed'],
  TaskRunFailed: ['warn', 'A run failed'],
  TaskRetryPreempted: ['debug', 'A retry gave way to another run'],
  TaskRetriesExhausted: ['warn', 'A task has no retry left and waits for its next occurrence'],
  TaskPaused: ['info', 'A task was paused'],
  TaskResumed: ['info', 'A task was resumed'],
  TaskRetryCancelled: ['info', 'A retry was cancelled'],
  TaskAdded: ['info', 'A task was added'],
  TaskRemoved: ['info', 'A task was removed'],
  StoreFailed: ['error', 'The task store failed; trying again'],
  TaskRecordDiscarded: ['error', 'A stored task cannot be read; it counts as new'],
};
