import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import {
  blockStrategies,
  type Job,
  misfireStrategies,
  retryDefaults,
  routeStrategies,
  type Schedule,
} from '../../model/job.js';
import { bucketOf } from '../../routing/route-hash.js';
import { alertRulesShape } from '../../schedule/alert-rules.js';
import { keepRunsShape, rateShape, retryShape, scheduleShape } from '../../schedule/parse-job.js';
import type { BatchColumn } from './sql-row-batch.js';
import { readJson, readText, readTextOrNull, storedJson, storedText, storedTextOrNull } from './sql-stored-text.js';

/** A row of horae_ring_jobs as the drivers return it. */
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
  readonly job_key: string | null;
  readonly description: string | null;
  readonly person: string | null;
  readonly labels: string | null;
  readonly retry: string | null;
  readonly wait_ms: number | null;
  readonly namespace: string | null;
  readonly alerts: string | null;
  readonly max_running: number | null;
  readonly rate: string | null;
  readonly jitter_ms: number | null;
  readonly except_calendars: string | null;
  readonly keep_runs: string | null;
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
    job_key: storedTextOrNull(job.key),
    description: job.description === '' ? null : storedText(job.description),
    person: job.owner === '' ? null : storedText(job.owner),
    labels: Object.keys(job.labels).length === 0 ? null : storedJson(job.labels),
    retry: isDeepStrictEqual(job.retry, retryDefaults) ? null : storedJson(job.retry),
    wait_ms: job.waitMs,
    namespace: storedTextOrNull(job.namespace),
    alerts: job.alerts.length === 0 ? null : storedJson(job.alerts),
    max_running: job.maxRunning,
    rate: storedJson(job.rate),
    jitter_ms: job.jitterMs === 0 ? null : job.jitterMs,
    except_calendars: job.except.length === 0 ? null : storedJson(job.except),
    keep_runs: Object.keys(job.keepRuns).length === 0 ? null : storedJson(job.keepRuns),
  };
}

/**
 * A row as the engine reads it. The table may be edited with any tool: an unreadable value affects only its job, whose schedule then names
 * the damaged column.
 */
export function unpackJob(row: JobRow): Job {
  const damaged = damagedColumn(row);
  return {
    id: row.id,
    name: readText(row.name),
    handler: readText(row.handler),
    schedule: damaged === null ? readSchedule(row.schedule) : unreadable(damaged),
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
    key: readTextOrNull(row.job_key),
    description: readText(row.description ?? ''),
    owner: readText(row.person ?? ''),
    labels: readLabels(row.labels),
    retry: readRetry(row.retry),
    waitMs: row.wait_ms,
    namespace: readTextOrNull(row.namespace),
    alerts: readAlerts(row.alerts),
    maxRunning: row.max_running,
    rate: readChecked(rateShape, row.rate, null),
    jitterMs: row.jitter_ms ?? 0,
    except: readChecked(namesShape, row.except_calendars, []),
    keepRuns: readChecked(keepRunsShape, row.keep_runs, {}),
    state: row.state as Job['state'],
    stopReason: stopReason(row),
    lastAt: row.last_at,
    nextAt: row.next_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

const namesShape = z.array(z.string());

/** A damaged value becomes the default; `damagedColumn` reports it. */
function readChecked<Shape extends z.ZodType, Default>(
  shape: Shape,
  stored: string | null,
  otherwise: Default,
): z.output<Shape> | Default {
  if (stored === null) return otherwise;
  const read = shape.safeParse(readJson(stored));
  return read.success ? read.data : otherwise;
}

export function readChildren(stored: string | null): readonly number[] {
  const children = readJson(stored);
  return Array.isArray(children) ? children : [];
}

function readLabels(stored: string | null): Job['labels'] {
  const labels = readJson(stored);
  return isLabels(labels) ? labels : {};
}

function isLabels(value: unknown): value is Job['labels'] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((text) => typeof text === 'string');
}

/** An invalid policy becomes the default one. */
function readRetry(stored: string | null): Job['retry'] {
  const retry = readJson(stored) as Partial<Job['retry']> | null;
  if (typeof retry !== 'object' || retry === null) return retryDefaults;
  if (retry.kind === 'fixed') return { kind: 'fixed', delayMs: Number(retry.delayMs) || 0 };
  return { ...retryDefaults, ...(retry as Partial<typeof retryDefaults>) };
}

/** An invalid list of rules becomes empty: the job continues without its alerts. */
function readAlerts(stored: string | null): Job['alerts'] {
  if (stored === null) return [];
  const rules = alertRulesShape.safeParse(readJson(stored));
  return rules.success ? (rules.data as Job['alerts']) : [];
}

function stopReason({ stop_code, stop_message }: JobRow): Job['stopReason'] {
  if (stop_code === null) return null;
  return { code: stop_code as NonNullable<Job['stopReason']>['code'], message: readText(stop_message ?? '') };
}

const textColumns = ['name', 'handler', 'executor_group', 'schedule'] as const;
const looseTextColumns = [
  'params',
  'children',
  'stop_message',
  'job_key',
  'description',
  'person',
  'labels',
  'retry',
  'namespace',
  'alerts',
  'rate',
  'except_calendars',
  'keep_runs',
] as const;
const looseNumberColumns = ['timeout_ms', 'wait_ms', 'max_running', 'jitter_ms'] as const;
const checkedColumns = { rate: rateShape, except_calendars: namesShape, keep_runs: keepRunsShape } as const;
const numberColumns = ['concurrency', 'retries', 'priority', 'created_at', 'updated_at'] as const;

/** The first column with a value that the store would not have written; null when all are valid. */
function damagedColumn(row: JobRow): keyof JobRow | null {
  for (const name of textColumns) if (typeof row[name] !== 'string') return name;
  for (const name of looseTextColumns) if (row[name] !== null && typeof row[name] !== 'string') return name;
  for (const name of numberColumns) if (typeof row[name] !== 'number') return name;
  for (const name of looseNumberColumns) if (row[name] !== null && typeof row[name] !== 'number') return name;
  if (row.labels !== null && !isLabels(readJson(row.labels))) return 'labels';
  if (row.retry !== null && !retryShape.safeParse(readJson(row.retry)).success) return 'retry';
  for (const name of ['rate', 'except_calendars', 'keep_runs'] as const) {
    if (row[name] !== null && !checkedColumns[name].safeParse(readJson(row[name])).success) return name;
  }
  if (!isOneOf(misfireStrategies, row.misfire)) return 'misfire';
  if (!isOneOf(routeStrategies, row.route)) return 'route';
  return isOneOf(blockStrategies, row.block) ? null : 'block';
}

function isOneOf(known: readonly string[], value: string): boolean {
  return known.includes(value);
}

function unreadable(column: string): Schedule {
  return {
    kind: 'cron',
    expression: `(the column ${column} of this job cannot be read: put it right, then start the job)`,
  };
}

/** An invalid schedule becomes an unreadable cron expression, which stops this job and no other. */
function readSchedule(stored: string): Schedule {
  const schedule = readJson(stored) as Partial<Record<string, unknown>> | null;
  return isSchedule(schedule) ? schedule : { kind: 'cron', expression: stored };
}

/** Thousands of rows per second are read: the two kinds that most jobs have are recognised without a schema. */
function isSchedule(value: Partial<Record<string, unknown>> | null): value is Schedule & Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  if (value.kind === 'cron') return typeof value.expression === 'string';
  if (value.kind === 'fix-rate') return Number.isInteger(value.everyMs) && (value.everyMs as number) >= 100;
  return scheduleShape.safeParse(value).success;
}
