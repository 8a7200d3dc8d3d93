import type { EpochMs } from '@horae/clock-store';
import { bucketOf } from '../decide/route-hash.js';
import type { Job } from '../job.js';
import { type RunRow, runRow, type TriggerType } from '../run.js';
import type { NewRun, RunKey } from '../store/job-store.js';

/** A run that this node has: its row as last written, and its job as it was then. */
export interface ActiveRun {
  readonly job: Job;
  readonly row: RunRow;
}

/** An occurrence that waits in the ring for its second. */
export interface RingRun extends ActiveRun {
  readonly jobId: number;
  readonly scheduleTime: EpochMs;
  readonly priority: number;
  /** Other shards of the same fire, which share its place: they wait again only when a clock was set back. */
  readonly shards?: readonly RingRun[];
}

/** The entry and the shards that share its place. */
export function unfold(entry: RingRun): readonly RingRun[] {
  return entry.shards === undefined ? [entry] : [entry, ...entry.shards];
}

export function ringRun(run: ActiveRun): RingRun {
  return { ...run, jobId: run.job.id, scheduleTime: run.row.scheduleTime!, priority: run.job.priority };
}

/** A pending run of a job with everything at its beginning. */
export function newRun(
  job: Job,
  owner: string,
  what: {
    triggerType: TriggerType;
    scheduleTime: EpochMs | null;
    key?: RunKey;
    params?: unknown;
    fireId?: number;
    attempt?: number;
    shardIndex?: number;
    shardTotal?: number;
    fixedAddress?: string | null;
    firedAt?: EpochMs | null;
  },
): NewRun {
  return {
    fireId: what.fireId ?? null,
    jobId: job.id,
    scheduleTime: what.scheduleTime,
    triggerType: what.triggerType,
    state: 'pending',
    attempt: what.attempt ?? 1,
    address: what.fixedAddress ?? null,
    shardIndex: what.shardIndex ?? 0,
    shardTotal: what.shardTotal ?? 1,
    params: what.params === undefined ? job.params : what.params,
    firedAt: what.firedAt ?? null,
    startedAt: null,
    endedAt: null,
    code: null,
    message: null,
    owner,
    fence: 1,
    bucket: bucketOf(job.id),
    fixedAddress: what.fixedAddress ?? null,
    deadlineAt: null,
    key: what.key ?? null,
  };
}

/** The row that a new run has become. */
export function rowOf(run: NewRun, id: number): RunRow {
  return runRow(id, run.fireId ?? id, run);
}
