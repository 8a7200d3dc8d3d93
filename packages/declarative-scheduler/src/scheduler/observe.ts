import type { EpochMs } from '@horae/clock-store';
import { UnknownTaskError } from '../base/scheduler-errors.js';
import type { ActiveTask } from '../session/active-task.js';
import { type Explanation, explainTask } from '../session/explain.js';
import type { TaskOrigin } from '../task/resolve-overrides.js';
import { type TaskState, taskState } from '../task/task-transitions.js';
import type { EventName, Role, TraceEvent } from '../trace/trace-event.js';
import { insideOf } from './inside.js';
import type { Scheduler } from './scheduler-interface.js';

/** One task as it is now. */
export interface TaskSnapshot {
  readonly name: string;
  readonly cron: string;
  readonly retryDelayMs: number;
  readonly state: TaskState;
  /** Paused by hand: no scheduled start happens. */
  readonly paused: boolean;
  /** How the latest `initialize`, or the takeover after it, found the task. */
  readonly origin: TaskOrigin;
  /** The start of the latest run. */
  readonly lastAttemptAt: EpochMs | null;
  /** The end of the latest successful run. A failure does not erase the success before it, nor the other way round. */
  readonly lastSuccessAt: EpochMs | null;
  readonly lastFailureAt: EpochMs | null;
  readonly pendingRetryUntil: EpochMs | null;
  /** The next occurrence that is not handled, whatever retry is pending. */
  readonly nextDueAt: EpochMs | null;
}

/** Whether a scheduler is working. */
export interface SchedulerHealth {
  /** False while the store fails, and when nothing is initialized. */
  readonly ok: boolean;
  readonly role: Role | null;
  /** How many tasks are declared. */
  readonly tasks: number;
  /** How many callbacks run in this process. */
  readonly running: number;
  /** When the store began to fail; null while it works. */
  readonly storeFailedAt: EpochMs | null;
}

/** A view of everything about a scheduler besides its two methods. Observing changes nothing. */
export interface Observation {
  /** Calls the listener with every event of that name from now on; returns the remover. */
  on(name: EventName, listener: (event: TraceEvent) => void): () => void;
  /** The events so far, oldest first: the latest 100,000. */
  trace(): TraceEvent[];
  /** The tasks of the leader, in the order of their registration; empty while this instance stands by. */
  tasks(): TaskSnapshot[];
  /** Why a task would or would not run at `at` (now by default), as data and as a sentence. */
  explain(taskName: string, at?: EpochMs): Explanation;
  /** Whether this instance leads or stands by; null before `initialize` and after `stop`. */
  role(): Role | null;
  health(): SchedulerHealth;
}

/** The view beside the two methods of a scheduler that `createScheduler` made. */
export function observe(scheduler: Scheduler): Observation {
  const { events, settings, membership } = insideOf(scheduler, 'observe');
  const tasks = () => membership()?.session?.tasks ?? new Map<string, ActiveTask>();
  return {
    on: (name, listener) => events.on(name, listener),
    trace: () => events.trace(),
    tasks: () => [...tasks().values()].map(snapshot),
    explain(taskName, at = settings.clock.now()) {
      const task = tasks().get(taskName);
      if (task === undefined) throw new UnknownTaskError(taskName);
      return explainTask(task, at);
    },
    role: () => membership()?.role ?? null,
    health() {
      const member = membership();
      const role = member?.role ?? null;
      const storeFailedAt = member?.health.failedAt ?? null;
      return Object.freeze({
        ok: role !== null && storeFailedAt === null,
        role,
        tasks: role === null ? 0 : (member?.session?.tasks.size ?? member?.declared.length ?? 0),
        running: member?.session?.runs.quiet.runs.size ?? 0,
        storeFailedAt,
      });
    },
  };
}

function snapshot({ declared, record, origin, cronDue }: ActiveTask): TaskSnapshot {
  return Object.freeze({
    name: declared.name,
    cron: declared.cron,
    retryDelayMs: declared.retryDelayMs,
    state: taskState(record),
    paused: record.paused,
    origin,
    lastAttemptAt: record.lastAttemptAt,
    lastSuccessAt: record.lastSuccessAt,
    lastFailureAt: record.lastFailureAt,
    pendingRetryUntil: record.pendingRetryUntil,
    nextDueAt: cronDue,
  });
}
