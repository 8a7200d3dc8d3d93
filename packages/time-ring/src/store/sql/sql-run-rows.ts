import {
  publicRun,
  type Run,
  type RunError,
  type RunProgress,
  type RunRow,
  type RunState,
  type TriggerType,
  type WaitingReason,
} from '../../model/run.js';
import type { NewRun } from '../job-store.js';
import { uniqueLock } from '../unique-lock.js';
import type { BatchColumn } from './sql-row-batch.js';
import { readJson, readTextOrNull, storedJson, storedTextOrNull } from './sql-stored-text.js';

/** A row of horae_ring_runs as the drivers return it. */
export interface StoredRun {
  readonly id: number;
  readonly job_id: number;
  /** Null: its own id. */
  readonly fire_id: number | null;
  readonly schedule_time: number | null;
  readonly fired_at: number | null;
  readonly started_at: number | null;
  readonly ended_at: number | null;
  readonly deadline_at: number | null;
  readonly code: number | null;
  readonly attempt: number;
  readonly shard_index: number;
  readonly shard_total: number;
  readonly fence: number;
  readonly bucket: number;
  readonly trigger_type: string;
  readonly state: string;
  readonly owner: string | null;
  readonly address: string | null;
  readonly fixed_address: string | null;
  readonly params: string | null;
  readonly message: string | null;
  readonly due_at: number | null;
  readonly waiting_for: string | null;
  readonly urgency: number;
  readonly ready_at: number | null;
  readonly postponed: number;
  readonly unique_key: string | null;
  readonly unique_for_ms: number | null;
  readonly labels: string | null;
  readonly result: string | null;
  readonly error: string | null;
  readonly progress: string | null;
  readonly last_attempt: number;
  readonly trace: string | null;
  readonly flow_step: number | null;
}

export const newRunColumns: readonly BatchColumn[] = [
  { name: 'job_id', kind: 'id' },
  { name: 'key_job', kind: 'id' },
  { name: 'key_at', kind: 'number' },
  { name: 'fire_id', kind: 'id' },
  { name: 'schedule_time', kind: 'number' },
  { name: 'fired_at', kind: 'number' },
  { name: 'started_at', kind: 'number' },
  { name: 'ended_at', kind: 'number' },
  { name: 'deadline_at', kind: 'number' },
  { name: 'code', kind: 'number' },
  { name: 'attempt', kind: 'integer' },
  { name: 'shard_index', kind: 'integer' },
  { name: 'shard_total', kind: 'integer' },
  { name: 'fence', kind: 'integer' },
  { name: 'bucket', kind: 'integer' },
  { name: 'trigger_type', kind: 'key' },
  { name: 'state', kind: 'key' },
  { name: 'owner', kind: 'key' },
  { name: 'address', kind: 'text' },
  { name: 'fixed_address', kind: 'text' },
  { name: 'params', kind: 'text' },
  { name: 'message', kind: 'text' },
  { name: 'due_at', kind: 'number' },
  { name: 'waiting_for', kind: 'key' },
  { name: 'urgency', kind: 'number' },
  { name: 'ready_at', kind: 'number' },
  { name: 'unique_key', kind: 'text' },
  { name: 'unique_lock', kind: 'key' },
  { name: 'unique_for_ms', kind: 'number' },
  { name: 'labels', kind: 'text' },
  { name: 'last_attempt', kind: 'integer' },
  { name: 'trace', kind: 'key' },
  { name: 'flow_step', kind: 'id' },
];

/** A new run in the order of `newRunColumns`. */
export function packNewRun(run: NewRun): readonly unknown[] {
  const [keyJob, keyAt] = keyColumns(run.key);
  return [
    run.jobId,
    keyJob,
    keyAt,
    run.fireId,
    run.scheduleTime,
    run.firedAt,
    run.startedAt,
    run.endedAt,
    run.deadlineAt,
    run.code,
    run.attempt,
    run.shardIndex,
    run.shardTotal,
    run.fence,
    run.bucket,
    run.triggerType,
    run.state,
    run.owner,
    storedTextOrNull(run.address),
    storedTextOrNull(run.fixedAddress),
    storedJson(run.params),
    storedTextOrNull(run.message),
    run.dueAt,
    run.waitingFor,
    // Negated: smaller goes first, as in the indexes of every database.
    -run.priority || 0,
    run.readyAt,
    storedTextOrNull(run.uniqueKey),
    // The first run of a fire holds the key for all that follow.
    run.uniqueKey !== null && run.fireId === null ? uniqueLock(run.uniqueKey) : null,
    run.uniqueForMs,
    storedLabels(run.labels),
    run.isLastAttempt ? 1 : 0,
    run.trace,
    run.flowStep,
  ];
}

/** Labels as they are stored; null when there are none. `labelText` finds them again. */
export function storedLabels(labels: Readonly<Record<string, string>>): string | null {
  for (const _ in labels) return storedJson(labels);
  return null;
}

/**
 * Scheduled fires have positive job ids in the key, children's runs negative ones, and retries and steps of flows none, but their run or
 * the negative of their step: all share one unique index.
 */
export function keyColumns(key: NewRun['key']): readonly [number, number] | readonly [null, null] {
  if (key === null) return [null, null];
  if (key.kind === 'retry') return [0, key.runId];
  if (key.kind === 'flow-step') return [0, -key.stepId];
  return key.kind === 'schedule' ? [key.jobId, key.scheduleTime] : [-key.childId, key.parentFireId];
}

/** The public part of a row. */
export function unpackRun(row: StoredRun): Run {
  return publicRun(unpackRunRow(row));
}

/** Field by field and in the order of `runRow`: a spread of so many fields takes longer than the statement that read them. */
export function unpackRunRow(row: StoredRun): RunRow {
  return {
    id: row.id,
    fireId: row.fire_id ?? row.id,
    jobId: row.job_id,
    scheduleTime: row.schedule_time,
    triggerType: row.trigger_type as TriggerType,
    dueAt: row.due_at,
    state: row.state as RunState,
    waitingFor: row.waiting_for as WaitingReason | null,
    attempt: row.attempt,
    address: readTextOrNull(row.address),
    shardIndex: row.shard_index,
    shardTotal: row.shard_total,
    params: readJson(row.params),
    uniqueKey: readTextOrNull(row.unique_key),
    priority: -row.urgency || 0,
    labels: (readJson(row.labels) ?? {}) as Record<string, string>,
    firedAt: row.fired_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    code: row.code,
    message: readTextOrNull(row.message),
    result: readJson(row.result),
    error: readJson(row.error) as RunError | null,
    progress: readJson(row.progress) as RunProgress | null,
    isLastAttempt: row.last_attempt === 1,
    deduplicated: false,
    owner: row.owner,
    fence: row.fence,
    bucket: row.bucket,
    fixedAddress: readTextOrNull(row.fixed_address),
    deadlineAt: row.deadline_at,
    // Runs from before the column existed are ordered by id.
    readyAt: row.ready_at ?? 0,
    postponed: row.postponed,
    uniqueForMs: row.unique_for_ms,
    trace: row.trace,
    flowStep: row.flow_step,
  };
}
