import { bucketOf } from '../decide/route-hash.js';
import type { Job, Schedule } from '../job.js';
import type { BatchColumn } from './sql-row-batch.js';
import { readJson, readText, storedJson, storedText, storedTextOrNull } from './sql-stored-text.js';

/** A row of horae_ring_jobs as the drivers give it. */
export interface JobRow {
  readonly id: number;
  readonly next_at: number | null;
  readonly last_at: number | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly timeout_ms: number | null;
  readonly concurrency: number;
  readonly retries: number;
  readonly priority: number;
  readonly bucket: number;
  readonly state: string;
  readonly misfire: string;
  readonly route: string;
  readonly block: string;
  readonly name: string;
  readonly handler: string;
  readonly executor_group: string;
  readonly schedule: string;
  readonly params: string | null;
  readonly children: string | null;
  readonly stop_code: string | null;
  readonly stop_message: string | null;
}

/** The columns that a pass writes back. */
export const advanceColumns: readonly BatchColumn[] = [
  { name: 'id', kind: 'id' },
  { name: 'next_at', kind: 'number' },
  { name: 'last_at', kind: 'number' },
  { name: 'updated_at', kind: 'number' },
  { name: 'state', kind: 'key' },
  { name: 'stop_code', kind: 'key' },
  { name: 'stop_message', kind: 'text' },
];

export function packJob(job: Job): JobRow {
  return {
    id: job.id,
    next_at: job.nextAt,
    last_at: job.lastAt,
    created_at: job.createdAt,
    updated_at: job.updatedAt,
    timeout_ms: job.timeoutMs,
    concurrency: job.concurrency,
    retries: job.retries,
    priority: job.priority,
    bucket: bucketOf(job.id),
    state: job.state,
    misfire: job.misfire,
    route: job.route,
    block: job.block,
    name: storedText(job.name),
    handler: storedText(job.handler),
    executor_group: storedText(job.executorGroup),
    schedule: storedJson(job.schedule) ?? 'null',
    params: storedJson(job.params),
    children: job.children.length === 0 ? null : JSON.stringify(job.children),
    stop_code: job.stopReason?.code ?? null,
    stop_message: storedTextOrNull(job.stopReason?.message ?? null),
  };
}

/** A row as the engine reads it. The columns are the store's own, but the schedule is public: people may write there. */
export function unpackJob(row: JobRow): Job {
  return {
    id: row.id,
    name: readText(row.name),
    handler: readText(row.handler),
    schedule: readSchedule(row.schedule),
    params: readJson(row.params),
    misfire: row.misfire as Job['misfire'],
    route: row.route as Job['route'],
    block: row.block as Job['block'],
    concurrency: row.concurrency,
    timeoutMs: row.timeout_ms,
    retries: row.retries,
    priority: row.priority,
    children: readChildren(row.children),
    executorGroup: readText(row.executor_group),
    state: row.state as Job['state'],
    stopReason: stopReason(row),
    lastAt: row.last_at,
    nextAt: row.next_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function readChildren(stored: string | null): readonly number[] {
  const children = readJson(stored);
  return Array.isArray(children) ? children : [];
}

function stopReason({ stop_code, stop_message }: JobRow): Job['stopReason'] {
  if (stop_code === null) return null;
  return { code: stop_code as NonNullable<Job['stopReason']>['code'], message: readText(stop_message ?? '') };
}

/** What is no schedule becomes a cron expression that nobody can read, which stops this job and no other. */
function readSchedule(stored: string): Schedule {
  const schedule = readJson(stored) as Partial<Record<string, unknown>> | null;
  const isSchedule =
    typeof schedule === 'object' &&
    ((schedule?.kind === 'cron' && typeof schedule.expression === 'string') ||
      (schedule?.kind === 'fix-rate' && Number.isInteger(schedule.everyMs) && (schedule.everyMs as number) >= 1_000) ||
      schedule?.kind === 'none');
  return isSchedule ? (schedule as Schedule) : { kind: 'cron', expression: stored };
}
