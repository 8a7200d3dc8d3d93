import type { EpochMs } from '@horae/clock-store';

/** The cause of a run. */
export type TriggerType = 'schedule' | 'misfire' | 'manual' | 'retry' | 'child';

/** The state of a run: `queued` means behind another run on its executor; the last four are final. */
export type RunState = 'pending' | 'queued' | 'running' | 'succeeded' | 'failed' | 'killed' | 'skipped';

/** Why a due run is still pending and has not been dispatched to an executor. */
export type WaitingReason = 'executor' | 'handler' | 'slot' | 'rate' | 'breaker' | 'paused';

/** Every `WaitingReason`. */
export const waitingReasons = [
  'executor',
  'handler',
  'slot',
  'rate',
  'breaker',
  'paused',
] as const satisfies readonly WaitingReason[];

/** Every `TriggerType`. */
export const triggerTypes = [
  'schedule',
  'misfire',
  'manual',
  'retry',
  'child',
] as const satisfies readonly TriggerType[];

/** Every `RunState`. */
export const runStates = [
  'pending',
  'queued',
  'running',
  'succeeded',
  'failed',
  'killed',
  'skipped',
] as const satisfies readonly RunState[];

/** The error a handler threw, or the reason its run failed without one. */
export interface RunError {
  name: string;
  message: string;
  /** At most 8 KiB. */
  stack: string;
}

/** The progress a run has reported. */
export interface RunProgress {
  /** 0 to 1; null: not reported. */
  fraction: number | null;
  note: string;
}

/** One attempt at one fire of a job. */
export interface Run {
  id: number;
  /** The same for all shards and retries of one fire. */
  fireId: number;
  jobId: number;
  /** The occurrence it runs for; null for a misfire's run, and for a manual run without one. */
  scheduleTime: EpochMs | null;
  triggerType: TriggerType;
  /** When a retry or a delayed run is due; null: at its schedule time, or at once. */
  dueAt: EpochMs | null;
  state: RunState;
  /**
   * What a pending run waits for: an executor in its group, an executor with its handler, a free slot, its rate limit, an open breaker to
   * close, or the end of its group's pause; null otherwise.
   */
  waitingFor: WaitingReason | null;
  /** One more than the retries so far. */
  attempt: number;
  address: string | null;
  shardIndex: number;
  shardTotal: number;
  /** Undefined in lists that do not include it. */
  params: unknown;
  /** While a fire of the job with this key is not over, a trigger with the same key returns that fire's run. */
  uniqueKey: string | null;
  /** The trigger's priority, or else the job's: higher goes first among waiting runs. */
  priority: number;
  /** The job's labels, overridden by the trigger's. */
  labels: Readonly<Record<string, string>>;
  firedAt: EpochMs | null;
  startedAt: EpochMs | null;
  endedAt: EpochMs | null;
  /** 200 succeeded, 502 timed out, 500 every other failure; a third-party executor may send codes of its own. */
  code: number | null;
  message: string | null;
  /** The value the handler returned; null: none. Undefined in lists that do not include it. */
  result: unknown;
  error: RunError | null;
  progress: RunProgress | null;
  /** No automatic retry follows it. */
  isLastAttempt: boolean;
  /** The trigger found this existing run instead of making one. Set on the trigger's answer only. */
  deduplicated: boolean;
}

/** A run as it is stored: the public fields, plus its owner and scheduling state. */
export interface RunRow extends Run {
  /** The node that owns the run, or `UNOWNED`, `WAITING`, `DELAYED` or `REMOTE`; null when the run is over. */
  owner: string | null;
  /** Grows with every change of owner: a result with an older fence is refused. */
  fence: number;
  /** The bucket of its job. */
  bucket: number;
  /** The address the trigger asked for; retries keep it. */
  fixedAddress: string | null;
  /** When the engine must check the run again: a delayed run falls due, a waiting or remote one runs out of time; null: never. */
  deadlineAt: EpochMs | null;
  /** When the run could first have been executed. Waiting runs are ordered by priority, then by this time, then by id. */
  readyAt: EpochMs;
  /** How many times in a row its handler has postponed it. */
  postponed: number;
  /** How long its unique key stays taken after the fire is over; null: not at all. */
  uniqueForMs: number | null;
  /** The trace that the run belongs to; null: it is not traced. */
  trace: string | null;
  /** The step of a flow that the run is an attempt at; null: none. */
  flowStep: number | null;
}

/** An unowned run: handed back by a node that stopped, or inserted by a process that does not dispatch. */
export const UNOWNED = '';
/** A run that no executor could take when it was due: the first node that can dispatch it takes it. */
export const WAITING = '@waiting';
/** A run that is due later: a node takes it shortly before its time. */
export const DELAYED = '@delayed';
/** A run that a remote executor has accepted: it outlives the node that sent it. */
export const REMOTE = '@remote';

/** Whether nothing more can happen to a run in this state. */
export function isOver(state: RunState): boolean {
  return state === 'succeeded' || state === 'failed' || state === 'killed' || state === 'skipped';
}

/** The public part of a row. Copied field by field, because every run is reported twice and a rest pattern is ten times slower. */
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

/** A new row with the fields of `run`, always in the same layout. Copied field by field for the same reason. */
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
