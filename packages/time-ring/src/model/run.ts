import type { EpochMs } from '@horae/clock-store';

/** What brought a run about. */
export type TriggerType = 'schedule' | 'misfire' | 'manual' | 'retry' | 'child';

/** Where a run stands: `queued` is behind another run on its executor; the last four are over. */
export type RunState = 'pending' | 'queued' | 'running' | 'succeeded' | 'failed' | 'killed' | 'skipped';

/** Why a pending run has not been given to an executor although it is due. */
export type WaitingReason = 'executor' | 'handler' | 'slot' | 'rate' | 'breaker' | 'paused';

export const waitingReasons = [
  'executor',
  'handler',
  'slot',
  'rate',
  'breaker',
  'paused',
] as const satisfies readonly WaitingReason[];

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

/** What a handler threw, or why its run failed without it. */
export interface RunError {
  name: string;
  message: string;
  /** At most 8 KiB. */
  stack: string;
}

/** How far a run says that it has come. */
export interface RunProgress {
  /** 0 to 1; null: not said. */
  fraction: number | null;
  note: string;
}

/** One attempt at one fire of a job. */
export interface Run {
  id: number;
  /** The same for all shards and retries of one fire. */
  fireId: number;
  jobId: number;
  /** The time that was due; null for a misfire's run and for a manual one without. */
  scheduleTime: EpochMs | null;
  triggerType: TriggerType;
  /** When a retry or a delayed run is due; null: at its schedule time, or at once. */
  dueAt: EpochMs | null;
  state: RunState;
  /** What a pending run waits for: nobody in its group, nobody with its handler, no free slot, its rate, an open breaker, the pause of its group; null otherwise. */
  waitingFor: WaitingReason | null;
  /** One more than the retries so far. */
  attempt: number;
  address: string | null;
  shardIndex: number;
  shardTotal: number;
  /** Undefined in lists that do not include it. */
  params: unknown;
  /** While a fire of the job with this key is not over, a trigger with the same key gives that one back. */
  uniqueKey: string | null;
  /** The trigger's, else the job's: higher goes first among runs that wait. */
  priority: number;
  /** The job's, and the trigger's over them. */
  labels: Readonly<Record<string, string>>;
  firedAt: EpochMs | null;
  startedAt: EpochMs | null;
  endedAt: EpochMs | null;
  /** 200 succeeded, 502 timed out, 500 every other failure; an executor of somebody else's may send its own. */
  code: number | null;
  message: string | null;
  /** What the handler returned; null: nothing. Undefined in lists that do not include it. */
  result: unknown;
  error: RunError | null;
  progress: RunProgress | null;
  /** No automatic retry comes after it. */
  isLastAttempt: boolean;
  /** Of this answer alone: the trigger has found the run instead of making one. */
  deduplicated: boolean;
}

/** A run as it is stored: besides what people see, whose it is. */
export interface RunRow extends Run {
  /** The node that has the run, `UNOWNED`, `WAITING`, `DELAYED`, `REMOTE`, or null when the run is over. */
  owner: string | null;
  /** Grows with every change of hands: a result with an older number is refused. */
  fence: number;
  /** The bucket of its job. */
  bucket: number;
  /** The address that a person asked for; retries keep it. */
  fixedAddress: string | null;
  /** When the engine has to look at the run again: a delayed run is due, a waiting or remote one has had its time; null: never. */
  deadlineAt: EpochMs | null;
  /** Runs that wait go by priority, then by this time (when the run could first have been done), then by id. */
  readyAt: EpochMs;
  /** How often in a row its handler has asked for a later time. */
  postponed: number;
  /** How long its unique key stays taken after the fire is over; null: not at all. */
  uniqueForMs: number | null;
  /** The trace that the run belongs to; null: nobody traces it. */
  trace: string | null;
  /** The step of a flow that the run is an attempt at; null: none. */
  flowStep: number | null;
}

/** A run that nobody has: handed back by a node that stopped, or put there by one that does not dispatch. */
export const UNOWNED = '';
/** A run that nobody could take when it was due: the first node that can takes it. */
export const WAITING = '@waiting';
/** A run that is due later: a node takes it shortly before. */
export const DELAYED = '@delayed';
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
    dueAt: row.dueAt,
    state: row.state,
    waitingFor: row.waitingFor,
    attempt: row.attempt,
    address: row.address,
    shardIndex: row.shardIndex,
    shardTotal: row.shardTotal,
    params: row.params,
    uniqueKey: row.uniqueKey,
    priority: row.priority,
    labels: row.labels,
    firedAt: row.firedAt,
    startedAt: row.startedAt,
    endedAt: row.endedAt,
    code: row.code,
    message: row.message,
    result: row.result,
    error: row.error,
    progress: row.progress,
    isLastAttempt: row.isLastAttempt,
    deduplicated: row.deduplicated,
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
    dueAt: run.dueAt,
    state: run.state,
    waitingFor: run.waitingFor,
    attempt: run.attempt,
    address: run.address,
    shardIndex: run.shardIndex,
    shardTotal: run.shardTotal,
    params: run.params,
    uniqueKey: run.uniqueKey,
    priority: run.priority,
    labels: run.labels,
    firedAt: run.firedAt,
    startedAt: run.startedAt,
    endedAt: run.endedAt,
    code: run.code,
    message: run.message,
    result: run.result,
    error: run.error,
    progress: run.progress,
    isLastAttempt: run.isLastAttempt,
    deduplicated: run.deduplicated,
    owner: run.owner,
    fence: run.fence,
    bucket: run.bucket,
    fixedAddress: run.fixedAddress,
    deadlineAt: run.deadlineAt,
    readyAt: run.readyAt,
    postponed: run.postponed,
    uniqueForMs: run.uniqueForMs,
    trace: run.trace,
    flowStep: run.flowStep,
  };
}
