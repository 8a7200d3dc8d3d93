import type { Clock, EpochMs } from '@horae/clock-store';
import type { ActiveTask } from './active-task.js';
import type { EventLog } from './event-log.js';
import { type Explanation, explainTask } from './explain.js';
import type { TaskOrigin } from './resolve-overrides.js';
import { SchedulerOptionError, UnknownTaskError } from './scheduler-errors.js';
import type { Scheduler } from './scheduler-interface.js';
import { type TaskState, taskState } from './task-transitions.js';
import type { EventName, TraceEvent } from './trace-event.js';

/** One task as it is now. */
export interface TaskSnapshot {
  readonly name: string;
  readonly cron: string;
  readonly retryDelayMs: number;
  readonly state: TaskState;
  /** What the latest `initialize` found. */
  readonly origin: TaskOrigin;
  /** The start of the latest run. */
  readonly lastAttemptAt: EpochMs | null;
  /** Ends. A failure does not erase the success before it, nor the other way round. */
  readonly lastSuccessAt: EpochMs | null;
  readonly lastFailureAt: EpochMs | null;
  readonly pendingRetryUntil: EpochMs | null;
  /** The next occurrence that is not dealt with, whatever retry is pending. */
  readonly nextDueAt: EpochMs | null;
}

/** Everything about a scheduler besides its two methods. Watching changes nothing. */
export interface Observation {
  /** Hears every event of that name from now on; gives the remover. */
  on(name: EventName, listener: (event: TraceEvent) => void): () => void;
  /** What happened so far, oldest first: the latest 100,000 events. */
  trace(): TraceEvent[];
  /** The tasks of the latest `initialize`, in the order of their registration. */
  tasks(): TaskSnapshot[];
  /** Why a task would or would not run at `at` (now by default), as data and as a sentence. */
  explain(taskName: string, at?: EpochMs): Explanation;
}

interface Inside {
  readonly clock: Clock;
  readonly events: EventLog;
  tasks(): readonly ActiveTask[];
}

const insides = new WeakMap<Scheduler, Inside>();

/** Lets `observe` see into a scheduler. */
export function attachObservation(scheduler: Scheduler, inside: Inside): void {
  insides.set(scheduler, inside);
}

/** The view beside the two methods of a scheduler that `createScheduler` made. */
export function observe(scheduler: Scheduler): Observation {
  const inside = insides.get(scheduler);
  if (inside === undefined) {
    throw new SchedulerOptionError('observe needs a scheduler that createScheduler made', {
      option: 'scheduler',
      value: scheduler,
    });
  }
  const { events, clock } = inside;
  return {
    on: (name, listener) => events.on(name, listener),
    trace: () => events.trace(),
    tasks: () => inside.tasks().map(snapshot),
    explain(taskName, at = clock.now()) {
      const task = inside.tasks().find(({ declared }) => declared.name === taskName);
      if (task === undefined) throw new UnknownTaskError(taskName);
      return explainTask(task, at);
    },
  };
}

function snapshot({ declared, record, origin, cronDue }: ActiveTask): TaskSnapshot {
  return Object.freeze({
    name: declared.name,
    cron: declared.cron,
    retryDelayMs: declared.retryDelayMs,
    state: taskState(record),
    origin,
    lastAttemptAt: record.lastAttemptAt,
    lastSuccessAt: record.lastSuccessAt,
    lastFailureAt: record.lastFailureAt,
    pendingRetryUntil: record.pendingRetryUntil,
    nextDueAt: cronDue,
  });
}
