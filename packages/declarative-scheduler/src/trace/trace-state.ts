import type { EpochMs } from '@horae/clock-store';
import type { RetryPlan } from '../task/retry-plan.js';
import type { Timetable } from '../task/timetable.js';
import type { TraceEvent } from './trace-event.js';

/** An instant on both clocks. `monotonicMs` is missing in traces written by hand. */
export interface TraceMoment {
  readonly at: EpochMs;
  readonly monotonicMs: number | undefined;
}

/** What the checker infers about one task, from the events alone. It outlives instances, as the store does. */
export interface TracedTask {
  readonly name: string;
  timetable: Timetable;
  plan: RetryPlan;
  jitterMs: number;
  /** Occurrences up to this instant are handled. */
  handledUntil: EpochMs;
  running: TraceMoment | null;
  /** The end of the latest run, or the beginning of leading. */
  idleSince: TraceMoment;
  attempt: number;
  retryAt: EpochMs | null;
  /** A preemption was reported and the run it announces has not started yet. */
  preempted: boolean;
  /** The instance whose run of it was cut off by a crash or a lost lease, or left behind by a stop. */
  orphanOf: string | null;
  /** It was due when its leader was cut off: its start may have been recorded without being reported. */
  maybeOrphaned: boolean;
  /** An `initialize` was cut off by a crash: whether the store took its registration shows only at the next start. */
  uncertain: boolean;
  paused: boolean;
  /** Its retries are exhausted, which has not been reported yet. */
  owesExhaustion: boolean;
}

/** `inactive` before `initialize` and after the end; after a crash nothing of the instance may happen. */
export type TracedPhase = 'inactive' | 'initializing' | 'active' | 'stopping' | 'crashed';

/** What the checker infers about one `initialize` of one scheduler. */
export interface TracedInstance {
  readonly id: string;
  /** Whether it reports roles; without them it leads from its initialization to its end. */
  readonly hasRoles: boolean;
  phase: TracedPhase;
  /** Its `initialize`, whose registrations count once it leads. */
  declared: TraceEvent | null;
  /** Tasks whose record it could not read; they count as new. */
  readonly discarded: Set<string>;
  /** A store failure excuses lateness. */
  storeFailedAt: EpochMs | null;
}

/** The state of the checker while it reads. */
export interface TraceReader {
  readonly zone: string;
  readonly tasks: Map<string, TracedTask>;
  readonly concurrency: number;
  readonly instances: Map<string, TracedInstance>;
  /** Identifiers that report roles somewhere in the trace. */
  readonly withRoles: ReadonlySet<string>;
  leader: TracedInstance | null;
  /** The last instance that lived has crashed. */
  isAfterCrash: boolean;
  /** How many tasks run, and when a run last ended while all slots were taken. */
  running: number;
  roomAt: EpochMs;
  blame(rule: string, message: string): void;
}

export function momentOf({ at, monotonicMs }: TraceEvent): TraceMoment {
  return { at, monotonicMs };
}

/** The instance that an event belongs to. */
export function instanceOf(reader: TraceReader, { schedulerId: id = '' }: TraceEvent): TracedInstance {
  const known = reader.instances.get(id);
  if (known !== undefined) return known;
  const instance: TracedInstance = {
    id,
    hasRoles: reader.withRoles.has(id),
    phase: 'inactive',
    declared: null,
    discarded: new Set(),
    storeFailedAt: null,
  };
  reader.instances.set(id, instance);
  return instance;
}
