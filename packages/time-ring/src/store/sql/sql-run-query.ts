import type { AnyKysely, Dialect } from '@horae/clock-store/storage';
import { type RawBuilder, sql } from 'kysely';
import { isOver } from '../../model/run.js';
import type { RunQuery } from '../job-store.js';
import { openStateIs, overStateIs, scheduledWithin, triggerTypeIs } from './sql-listing-indexes.js';
import { textIs } from './sql-row-batch.js';
import { newRunColumns, storedLabels } from './sql-run-rows.js';
import { storedText } from './sql-stored-text.js';

const otherColumns = ['id', 'postponed', 'error', 'progress', 'result'];
const large = ['params', 'result'];

/** The columns that a list reads. Large columns are not read unless they are included. */
export function runColumns(include: RunQuery['include']): RawBuilder<unknown> {
  if (include === undefined) return sql.raw('*');
  const isRead = (name: string) => !large.includes(name) || include.includes(name as 'params' | 'result');
  const names = [...otherColumns, ...newRunColumns.map(({ name }) => name)];
  return sql.raw(names.map((name) => (isRead(name) ? name : `null as ${name}`)).join(', '));
}

/** The conditions on the rows of a list. */
export async function runConditions(
  db: AnyKysely,
  dialect: Dialect,
  query: RunQuery,
): Promise<readonly RawBuilder<boolean>[]> {
  const { jobId, fireId, state, triggerType, from, to, beforeId } = query;
  const conditions: RawBuilder<boolean>[] = [];
  if (beforeId !== null) conditions.push(query.order === 'oldest' ? sql`id > ${beforeId}` : sql`id < ${beforeId}`);
  if (query.fromId !== undefined) conditions.push(sql`id >= ${query.fromId}`);
  if (jobId !== undefined) conditions.push(sql`job_id = ${jobId}`);
  if (fireId !== undefined) conditions.push(sql`((id = ${fireId} and fire_id is null) or fire_id = ${fireId})`);
  if (state !== undefined) conditions.push(isOver(state) ? overStateIs(state) : openStateIs(dialect, state));
  if (triggerType !== undefined) conditions.push(triggerTypeIs(triggerType));
  if (from !== undefined || to !== undefined) conditions.push(await scheduledWithin(db, dialect, query));
  return [...conditions, ...neighbourConditions(dialect, query)];
}

function neighbourConditions(dialect: Dialect, query: RunQuery): RawBuilder<boolean>[] {
  const { text, labels = {}, group, executor, dead } = query;
  const conditions: RawBuilder<boolean>[] = [];
  if (executor !== undefined) conditions.push(textIs(dialect, 'address', storedText(executor)));
  if (group !== undefined) conditions.push(isOfGroup(dialect, group, query));
  if (text !== undefined) conditions.push(hasText(text));
  for (const [name, value] of Object.entries(labels)) conditions.push(hasLabel(dialect, name, value));
  if (dead !== undefined) conditions.push(dead ? isDead : sql`(over_state is null or not (${isDead}))`);
  return conditions;
}

/**
 * The runs of a group's jobs. Without other conditions the first page consists of the newest runs of each of its jobs: PostgreSQL would
 * read all runs of all these jobs to find that out.
 */
function isOfGroup(dialect: Dialect, group: string, query: RunQuery): RawBuilder<boolean> {
  const isGroup = textIs(dialect, 'j.executor_group', storedText(group));
  const ofJobs = sql`in (select j.id from horae_ring_jobs j where ${isGroup})`;
  if (dialect !== 'postgres') return sql`job_id ${ofJobs}`;
  // These queries read few runs; the many more runs of the jobs must not be read.
  if (isNarrow(query)) return sql`job_id + 0 ${ofJobs}`;
  if (!isGroupAlone(query)) return sql`job_id ${ofJobs}`;
  const before = query.beforeId === null ? sql`` : sql`and r.id < ${query.beforeId}`;
  return sql`id in (select newest.id from horae_ring_jobs j cross join lateral (
    select r.id from horae_ring_runs r where r.job_id = j.id ${before} order by r.id desc limit ${query.limit}) newest
    where ${isGroup})`;
}

function isNarrow({ fromId, state, triggerType }: RunQuery): boolean {
  const isRare = state !== undefined && state !== 'succeeded';
  return fromId !== undefined || isRare || (triggerType !== undefined && triggerType !== 'schedule');
}

function isGroupAlone({ limit, beforeId, include, group, order, ...others }: RunQuery): boolean {
  return order !== 'oldest' && Object.values(others).every((value) => value === undefined);
}

/** Every later attempt names its fire. */
export const isDead = sql<boolean>`(${overStateIs('failed')} and not exists (
  select 1 from horae_ring_runs later where later.fire_id = coalesce(horae_ring_runs.fire_id, horae_ring_runs.id)
    and later.shard_index = horae_ring_runs.shard_index and later.attempt > horae_ring_runs.attempt))`;

/** Databases differ in lower-casing beyond ASCII, so the text is also searched for with only its ASCII letters lower-cased. */
function hasText(text: string): RawBuilder<boolean> {
  const small = text.toLowerCase();
  const ascii = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const patterns = [...new Set([small, ascii])].map(
    (part) => `%${part.replaceAll('\u0000', '').replace(/[%_!]/g, '!$&')}%`,
  );
  const like = (column: string) =>
    sql.join(
      patterns.map((pattern) => sql`lower(${sql.raw(column)}) like ${pattern} escape '!'`),
      sql` or `,
    );
  return sql`(${like('message')} or job_id in (
    select j.id from horae_ring_jobs j where ${like('j.name')} or ${like('j.job_key')}))`;
}

/** A pair in the stored text of labels begins after the brace or a comma; inside a string, a backslash would follow either. */
function hasLabel(dialect: Dialect, name: string, value: string): RawBuilder<boolean> {
  const pairs = [storedLabels({ [name]: value })!, JSON.stringify({ [name]: value })].map((text) => text.slice(1, -1));
  const place = (part: string) => (dialect === 'postgres' ? sql`strpos(labels, ${part})` : sql`instr(labels, ${part})`);
  // `horae_trigger` stores labels unescaped, with characters beyond ASCII.
  const found = [...new Set(pairs)].map((pair) => sql`${place(`{${pair}`)} = 1 or ${place(`,${pair}`)} > 0`);
  return sql`(${sql.join(found, sql` or `)})`;
}
