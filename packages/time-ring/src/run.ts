import type { EpochMs } from '@horae/clock-store';

/** What brought a run about. */
export type TriggerType = 'schedule' | 'misfire' | 'manual' | 'retry' | 'child';

/** Where a run stands: `queued` is behind another run on its executor; the last four are over. */
export type RunState = 'pending' | 'queued' | 'running' | 'succeeded' | 'failed' | 'killed' | 'skipped';

export const triggerTypes = [
  'schedule',
  'misfire',
  'manual',
  'retry',
  'child',
] as const satisfies readonly TriggerType[];

export const runStates = [
  'pending',
  'queued',
  'running',
  'succeeded',
  'failed',
  'killed',
  'skipped',
] as const satisfies readonly RunState[];

/** One attempt at one fire of a job. */
export interface Run {
  id: number;
  /** The same for all shards and retries of one fire. */
  fireId: number;
  jobId: number;
  /** The time that was due; null for a misfire's run and for a manual one without. */
  scheduleTime: EpochMs | null;
  triggerType: TriggerType;
  state: RunState;
  /** One more than the retries so far. */
  attempt: number;
  address: string | null;
  shardIndex: number;
  shardTotal: number;
  params: unknown;
  firedAt: EpochMs | null;
  startedAt: EpochMs | null;
  endedAt: EpochMs | null;
  /** 200 succeeded, 502 timed out, 500 every other failure; an executor of somebody else's may send its own. */
  code: number | null;
  message: string | null;
}

/** A run as it is stored: besides what people see, whose it is. */
export interface RunRow extends Run {
  /** The node that has the run, `UNOWNED`, `REMOTE`, or null when the run is over. */
  owner: string | null;
  /** Grows with every change of hands: a result with an older number is refused. */
  fence: number;
  /** The bucket of its job. */
  bucket: number;
  /** The address that a person asked for; retries keep it. */
  fixedAddress: string | null;
  /** When a run on a remote executor is given up; null means never. */
  deadlineAt: EpochMs | null;
}

/** A run that nobody has: handed back by a node that stopped, or put there by one that does not dispatch. */
export const UNOWNED = '';
/** A run that a remote executor has accepted: it outlives the node that sent it. */
export const REMOTE = '@remote';

/** Whether nothing more can happen to a run in this state. */
export function isOver(state: RunState): boolean {
  return state === 'succeeded' || state === 'failed' || state === 'killed' || state === 'skipped';
}

/** The part of a row that people see. Field by field, because every run is told about twice and a rest pattern is ten times slower. */
export function publicRun(row: Run): Run {
  return {
    id: row.id,
    fireId: row.fireId,
    jobId: row.jobId,
    scheduleTime: row.scheduleTime,
    triggerType: row.triggerType,
    state: row.state,
    attempt: row.attempt,
    address: row.address,
    shardIndex: row.shardIndex,
    shardTotal: row.shardTotal,
    params: row.params,
    firedAt: row.firedAt,
    startedAt: row.startedAt,
    endedAt: row.endedAt,
    code: row.code,
    message: row.message,
  };
}

/** A row of its own with what `run` says, always laid out the same. Field by field for the same reason. */
export function runRow(id: number, fireId: number, run: Omit<RunRow, 'id' | 'fireId'>): RunRow {
  return {
    id,
    fireId,
    jobId: run.jobId,
    scheduleTime: run.scheduleTime,
    triggerType: run.triggerType,
    state: run.state,
    attempt: run.attempt,
    address: run.address,
    shardIndex: run.shardIndex,
    shardTotal: run.shardTotal,
    params: run.params,
    firedAt: run.firedAt,
    startedAt: run.startedAt,
    endedAt: run.endedAt,
    code: run.code,
    message: run.message,
    owner: run.owner,
    fence: run.fence,
    bucket: run.bucket,
    fixedAddress: run.fixedAddress,
    deadlineAt: run.deadlineAt,
  };
}
