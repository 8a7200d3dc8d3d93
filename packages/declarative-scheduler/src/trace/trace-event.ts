import type { EpochMs } from '@horae/clock-store';
import type { TracedRegistration } from '../task/registration.js';
import type { RunReason } from '../task/run-reason.js';

/** The role of an instance: it leads its namespace, or stands by while another one leads. */
export type Role = 'leader' | 'standby';

/** Every event of a scheduler. The specification names those up to `PollingStopped`. */
export type EventName =
  | 'SchedulerInitializationStarted'
  | 'SchedulerInitializationCompleted'
  | 'SchedulerInitializationFailed'
  | 'SchedulerStopRequested'
  | 'SchedulerStopped'
  | 'TaskRunStarted'
  | 'TaskRunCompleted'
  | 'TaskRunFailed'
  | 'TaskRetryStarted'
  | 'TaskRetryPreempted'
  | 'PollingStarted'
  | 'PollingStopRequested'
  | 'PollingStopped'
  | 'StoreFailed'
  | 'TaskRecordDiscarded'
  | 'SchedulerRoleChanged'
  | 'TaskRetriesExhausted'
  | 'TaskPaused'
  | 'TaskResumed'
  | 'TaskRetryCancelled'
  | 'TaskAdded'
  | 'TaskRemoved';

/** One thing that happened, in the order in which it happened. */
export interface TraceEvent {
  /** `Crash` never comes from a scheduler; the recorder of a trace may insert it. */
  readonly event: EventName | 'Crash';
  /** Wall time. */
  readonly at: EpochMs;
  readonly monotonicMs?: number;
  /** Which `initialize` of which instance. On a `Crash` the instance that crashed; without it all of them. */
  readonly schedulerId?: string;
  readonly taskName?: string;
  readonly dueAt?: EpochMs;
  readonly attempt?: number;
  /** Why a run starts; on `SchedulerStopped`, why runs were left behind: `deadline` or `store`. */
  readonly reason?: RunReason | 'deadline' | 'store';
  /** When a failed run may be tried again. */
  readonly retryAt?: EpochMs;
  readonly error?: unknown;
  /** Set on `SchedulerRoleChanged`. */
  readonly role?: Role;
  readonly registrations?: readonly TracedRegistration[];
  /** Set on `TaskAdded`. */
  readonly registration?: TracedRegistration;
}

/** The facts of an event besides its time and its instance. */
export type EventFacts = Omit<TraceEvent, 'event' | 'at' | 'monotonicMs' | 'schedulerId'>;
