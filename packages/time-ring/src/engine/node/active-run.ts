import type { EpochMs } from '@horae/clock-store';
import type { Job } from '../../model/job.js';
import { DELAYED, type RunRow, runRow, type TriggerType } from '../../model/run.js';
import { bucketOf } from '../../routing/route-hash.js';
import type { NewRun, RunClaim, RunKey } from '../../store/job-store.js';

/** A run that this node owns: its row as last written, and its job as it was then. */
export interface ActiveRun {
  readonly job: Job;
  readonly row: RunRow;
}

/** The owner and fence a run must still have for an update to apply. */
export function claimOf({ id, owner, fence }: RunRow): RunClaim {
  return { id, owner: owner!, fence };
}

/** An occurrence that waits in the ring for its second. */
export interface RingRun extends ActiveRun {
  readonly jobId: number;
  readonly scheduleTime: EpochMs;
  readonly priority: number;
  /** Other shards of the same fire, which share its entry: they wait again only when a clock was set back. */
  readonly shards?: readonly RingRun[];
}

/** A retry or a delayed run that waits for its time, in a ring of its own, in which entries are unique per run. */
export interface DueRun extends ActiveRun {
  readonly jobId: number;
  readonly scheduleTime: EpochMs;
  readonly priority: number;
}

export function dueRun(run: ActiveRun): DueRun {
  return { ...run, jobId: run.row.id, scheduleTime: run.row.dueAt!, priority: run.row.priority };
}

/** The entry and the shards that share it. */
export function unfold(entry: RingRun): readonly RingRun[] {
  return entry.shards === undefined ? [entry] : [entry, ...entry.shards];
}

export function ringRun(run: ActiveRun): RingRun {
  return { ...run, jobId: run.job.id, scheduleTime: run.row.scheduleTime!, priority: run.job.priority };
}

/** A new pending run of a job, with all fields at their initial values. */
export function newRun(
  job: Job,
  owner: string,
  what: {
    triggerType: TriggerType;
    scheduleTime: EpochMs | null;
    /** The current time: a run without a later time is ready from then on. */
    at: EpochMs;
    /** Later than now: the run is unowned until shortly before. */
    dueAt?: EpochMs | null | undefined;
    /** A run due within this time from now belongs to its writer at once. */
    nearMs?: number | undefined;
    key?: RunKey;
    params?: unknown;
    fireId?: number;
    attempt?: number;
    shardIndex?: number;
    shardTotal?: number;
    fixedAddress?: string | null;
    firedAt?: EpochMs | null;
    priority?: number | undefined;
    labels?: Readonly<Record<string, string>>;
    uniqueKey?: string | null | undefined;
    uniqueForMs?: number | null | undefined;
    trace?: string | null;
    flowStep?: number | null;
  },
): NewRun {
  const dueAt = what.dueAt ?? null;
  const isFar = dueAt !== null && dueAt - what.at > (what.nearMs ?? -1);
  return {
    fireId: what.fireId ?? null,
    jobId: job.id,
    scheduleTime: what.scheduleTime,
    triggerType: what.triggerType,
    dueAt,
    state: 'pending',
    waitingFor: null,
    attempt: what.attempt ?? 1,
    address: what.fixedAddress ?? null,
    shardIndex: what.shardIndex ?? 0,
    shardTotal: what.shardTotal ?? 1,
    params: what.params === undefined ? job.params : what.params,
    uniqueKey: what.uniqueKey ?? null,
    priority: what.priority ?? job.priority,
    labels: what.labels ?? job.labels,
    firedAt: what.firedAt ?? null,
    startedAt: null,
    endedAt: null,
    code: null,
    message: null,
    result: null,
    error: null,
    progress: null,
    isLastAttempt: (what.attempt ?? 1) > job.retries,
    deduplicated: false,
    owner: isFar ? DELAYED : owner,
    fence: 1,
    bucket: bucketOf(job.id),
    fixedAddress: what.fixedAddress ?? null,
    deadlineAt: isFar ? dueAt : null,
    readyAt: dueAt ?? (what.triggerType === 'schedule' ? what.scheduleTime! : what.at),
    postponed: 0,
    uniqueForMs: what.uniqueForMs ?? null,
    trace: what.trace ?? null,
    flowStep: what.flowStep ?? null,
    key: what.key ?? null,
  };
}

/** The fields that all shards and attempts of a fire share, as `newRun` takes them. */
export function keptByAll(row: RunRow) {
  const { triggerType, scheduleTime, params, shardTotal, priority, labels, uniqueKey, uniqueForMs } = row;
  const { trace, flowStep } = row;
  return {
    ...{ triggerType, scheduleTime, params, shardTotal, priority, labels, uniqueKey, uniqueForMs },
    ...{ trace, flowStep },
  };
}

/** The row of a new run after its insertion. */
export function rowOf(run: NewRun, id: number): RunRow {
  return runRow(id, run.fireId ?? id, run);
}
