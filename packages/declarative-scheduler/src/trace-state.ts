import type { EpochMs } from '@horae/clock-store';
import type { CronExpression } from '@horae/cron-grammar';

/** An instant on both clocks. `monotonicMs` is missing in traces written by hand. */
export interface TraceMoment {
  readonly at: EpochMs;
  readonly monotonicMs: number | undefined;
}

/** What the checker believes about one task, from the events alone. It outlives sessions, as the store does. */
export interface TracedTask {
  readonly name: string;
  expression: CronExpression;
  retryDelayMs: number;
  /** Occurrences up to this instant are dealt with. */
  handledUntil: EpochMs;
  /** Registered for the first time in the present session. */
  firstSeen: boolean;
  running: TraceMoment | null;
  /** The end of the latest run, or the beginning of the session. */
  idleSince: TraceMoment;
  retryAt: EpochMs | null;
  /** A preemption was told and the run it announces has not started yet. */
  preempted: boolean;
  /** A run was cut off by a crash or left behind by a stop. */
  orphaned: boolean;
}

/** `inactive` before `initialize` and after the end; after a crash nothing may happen until the next `initialize`. */
export type TracedPhase = 'inactive' | 'initializing' | 'active' | 'stopping' | 'crashed';

/** The state of the checker while it reads. */
export interface TraceReader {
  readonly zone: string;
  readonly tasks: Map<string, TracedTask>;
  readonly concurrency: number;
  phase: TracedPhase;
  /** How many tasks run, and when the last one of a full house ended. */
  running: number;
  roomAt: EpochMs;
  /** A store failure since the tasks were last seen to start excuses lateness. */
  storeFailedAt: number | null;
  blame(rule: string, message: string): void;
}
