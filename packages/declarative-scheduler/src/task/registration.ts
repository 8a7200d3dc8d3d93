import type { Calendar, CalendarDefinition } from '@horae/cron-grammar';
import type { DurationInput } from './duration.js';
import type { RetryPlan } from './retry-plan.js';
import type { RunReason } from './run-reason.js';
import type { CheckedSettings } from './task-settings.js';
import type { Timetable } from './timetable.js';

/** What a callback receives about its run. A function that takes no argument fits as well. */
export interface RunContext {
  /** Aborted when the run exceeds its time limit, when `stop` reaches its deadline, and when this instance loses its lease. */
  readonly signal: AbortSignal;
  readonly taskName: string;
  /** 1 for the first try, one more for each retry of the same work. */
  readonly attempt: number;
  /** The instant the run became due: the latest occurrence, or the end of the retry delay. */
  readonly dueAt: number;
  readonly reason: RunReason;
}

/** The work of a task. Resolving is success; throwing or rejecting is failure. */
export type Callback = (context: RunContext) => unknown;

/** Name, cron expression, callback, retry delay. */
export type Registration = readonly [name: string, cron: string, callback: Callback, retryDelay: DurationInput];

/** A registration and its settings, checked. */
export interface DeclaredTask extends RetryPlan {
  readonly name: string;
  readonly cron: string;
  readonly timetable: Timetable;
  readonly callback: Callback;
  readonly timeoutMs: number | null;
  readonly jitterMs: number;
  /** The settings of this task besides its registration, as the trace reports them. */
  readonly given: Omit<CheckedSettings, 'timeoutMs'>;
}

/** A registration as the trace reports it: enough to judge the task's runs, without its callback. */
export interface TracedRegistration extends RetryPlan, Omit<CheckedSettings, 'timeoutMs' | 'except'> {
  readonly name: string;
  readonly cron: string;
  /** Calendars; their definitions once the trace has been JSON. */
  readonly except?: readonly (Calendar | CalendarDefinition)[];
}

/** A declared task as the trace reports it. */
export function tracedRegistration({ name, cron, retryDelayMs, given }: DeclaredTask): TracedRegistration {
  return { name, cron, retryDelayMs, ...given };
}
