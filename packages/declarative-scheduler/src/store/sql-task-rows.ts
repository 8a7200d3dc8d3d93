import { createHash } from 'node:crypto';
import type { Dialect } from '@horae/clock-store/storage';
import { type RawBuilder, sql } from 'kysely';
import type { TaskRecord } from '../task/task-record.js';

/** The columns besides the namespace, in the order of a packed row, with the type that JSON values are read as. */
const columns = [
  ['task_key', 'key'],
  ['name', 'text'],
  ['cron', 'text'],
  ['retry_delay_ms', 'number'],
  ['registered_at', 'number'],
  ['handled_until', 'number'],
  ['last_attempt_at', 'number'],
  ['last_success_at', 'number'],
  ['last_failure_at', 'number'],
  ['pending_retry_until', 'number'],
  ['attempt', 'number'],
  ['running_scheduler_id', 'key'],
  ['paused', 'number'],
] as const;

const names = columns.map(([name]) => name);
const columnList = sql.raw(names.join(', '));

/** Names are arbitrary text; their digests are fit to be keys in every database. */
export function taskKey(name: string): string {
  return createHash('sha256').update(name).digest('hex');
}

function pack(record: TaskRecord): unknown[] {
  return [
    taskKey(record.name),
    asciiJson(record.name),
    record.cron,
    record.retryDelayMs,
    record.registeredAt,
    record.handledUntil,
    record.lastAttemptAt,
    record.lastSuccessAt,
    record.lastFailureAt,
    record.pendingRetryUntil,
    record.attempt,
    record.runningSchedulerId,
    record.paused ? 1 : 0,
  ];
}

/** JSON in ASCII alone, so that no connection's or column's character set can change a name. */
function asciiJson(text: string): string {
  return JSON.stringify(text).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A row as the scheduler reads it. Nothing is repaired here: what is corrupt stays visible to the reader. */
export function unpack(row: Readonly<Record<string, unknown>>): unknown {
  return {
    name: parseName(row.name),
    cron: row.cron,
    retryDelayMs: row.retry_delay_ms,
    registeredAt: row.registered_at,
    handledUntil: row.handled_until,
    lastAttemptAt: row.last_attempt_at,
    lastSuccessAt: row.last_success_at,
    lastFailureAt: row.last_failure_at,
    pendingRetryUntil: row.pending_retry_until,
    attempt: row.attempt,
    runningSchedulerId: row.running_scheduler_id,
    paused: row.paused === 0 || row.paused === 1 ? row.paused === 1 : row.paused,
  };
}

function parseName(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return null;
  }
}

/** One statement for any number of rows: they travel as one JSON parameter, which costs the same to compile for 1 as for 10,000. */
export function upsert(dialect: Dialect, namespace: string, records: readonly TaskRecord[]): RawBuilder<unknown> {
  const rows = JSON.stringify(records.map(pack));
  const head = sql`insert into horae_tasks (namespace, ${columnList})`;
  const changed = names.filter((name) => name !== 'task_key');
  if (dialect === 'mysql') {
    const updates = sql.raw(changed.map((name) => `${name} = values(${name})`).join(', '));
    return sql`${head} select ${namespace}, ${columnList} from ${jsonTable(rows)} on duplicate key update ${updates}`;
  }
  const updates = sql.raw(changed.map((name) => `${name} = excluded.${name}`).join(', '));
  const conflict = sql`on conflict (namespace, task_key) do update set ${updates}`;
  if (dialect === 'postgres') {
    const values = sql.raw(
      columns.map(([, type], i) => (type === 'number' ? `(v->>${i})::double precision` : `v->>${i}`)).join(', '),
    );
    return sql`${head} select ${namespace}, ${values} from jsonb_array_elements(${rows}::jsonb) as t(v) ${conflict}`;
  }
  const values = sql.raw(columns.map((_, i) => `value->>'$[${i}]'`).join(', '));
  // "where true" keeps SQLite from reading "on conflict" as a join condition.
  return sql`${head} select ${namespace}, ${values} from json_each(${rows}) where true ${conflict}`;
}

/** Deletes by name, in one statement. */
export function deletion(namespace: string, taskNames: readonly string[]): RawBuilder<unknown> {
  const keys = sql.join(taskNames.map(taskKey));
  return sql`delete from horae_tasks where namespace = ${namespace} and task_key in (${keys})`;
}

function jsonTable(rows: string): RawBuilder<unknown> {
  const types = { key: 'varchar(190)', text: 'longtext', number: 'double' };
  const list = sql.raw(columns.map(([name, type], i) => `${name} ${types[type]} path '$[${i}]'`).join(', '));
  return sql`json_table(${rows}, '$[*]' columns (${list})) as t`;
}
