import type { EpochMs } from '@horae/clock-store';
import type { RunReason } from './run-reason.js';

/** Everything a scheduler tells. All but the last two are named by the specification. */
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
  | 'TaskRecordDiscarded';

/** One thing that happened, in the order in which it happened. */
export interface TraceEvent {
  /** `Crash` is never told by a scheduler; who writes down a trace may put it in. */
  readonly event: EventName | 'Crash';
  /** Wall time. */
  readonly at: EpochMs;
  readonly monotonicMs?: number;
  readonly schedulerId?: string;
  readonly taskName?: string;
  readonly dueAt?: EpochMs;
  readonly attempt?: number;
  /** Why a run starts; on `SchedulerStopped`, why runs were left behind: `deadline` or `store`. */
  readonly reason?: RunReason | 'deadline' | 'store';
  /** When a failed run may be tried again. */
  readonly retryAt?: EpochMs;
  readonly error?: unknown;
  readonly registrations?: readonly { readonly name: string; readonly cron: string; readonly retryDelayMs: number }[];
}

/** The facts of an event besides when and by whom. */
export type EventFacts = Omit<TraceEvent, 'event' | 'at' | 'monotonicMs' | 'schedulerId'>;
