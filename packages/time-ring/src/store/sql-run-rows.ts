import type { Run, RunRow, RunState, TriggerType } from '../run.js';
import type { NewRun } from './job-store.js';
import type { BatchColumn } from './sql-row-batch.js';
import { readJson, readTextOrNull, storedJson, storedTextOrNull } from './sql-stored-text.js';

/** A row of horae_ring_runs as the drivers give it. */
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
  ];
}

/** Scheduled fires have positive job ids in the key, children's runs negative ones: both live in one unique index. */
export function keyColumns(key: NewRun['key']): readonly [number, number] | readonly [null, null] {
  if (key === null) return [null, null];
  return key.kind === 'schedule' ? [key.jobId, key.scheduleTime] : [-key.childId, key.parentFireId];
}

/** The part of a row that people see. */
export function unpackRun(row: StoredRun): Run {
  return {
    id: row.id,
    fireId: row.fire_id ?? row.id,
    jobId: row.job_id,
    scheduleTime: row.schedule_time,
    triggerType: row.trigger_type as TriggerType,
    state: row.state as RunState,
    attempt: row.attempt,
    address: readTextOrNull(row.address),
    shardIndex: row.shard_index,
    shardTotal: row.shard_total,
    params: readJson(row.params),
    firedAt: row.fired_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    code: row.code,
    message: readTextOrNull(row.message),
  };
}

export function unpackRunRow(row: StoredRun): RunRow {
  return {
    ...unpackRun(row),
    owner: row.owner,
    fence: row.fence,
    bucket: row.bucket,
    fixedAddress: readTextOrNull(row.fixed_address),
    deadlineAt: row.deadline_at,
  };
}
