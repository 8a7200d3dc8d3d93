import type { Dialect } from '@horae/clock-store/storage';
import { type RawBuilder, sql } from 'kysely';
import type { NewColumn } from './sql-add-column.js';
import { columnTypes } from './sql-ring-tables.js';

/** The columns with which programs can declare jobs. */
export function declaringColumns(dialect: Dialect): readonly NewColumn[] {
  const name = dialect === 'mysql' ? 'varchar(255)' : 'text';
  const { number, text } = columnTypes[dialect];
  const columns: Readonly<Record<string, string>> = {
    namespace: name,
    max_running: number,
    rate: text,
    jitter_ms: number,
    except_calendars: text,
    keep_runs: text,
  };
  return Object.entries(columns).map(([column, type]) => ({ table: 'horae_ring_jobs', name: column, type }));
}

/** The indexes and tables for declared jobs. */
export function declaringTables(dialect: Dialect): readonly RawBuilder<unknown>[] {
  const ifPartial = (condition: string) => (dialect === 'mysql' ? '' : `where ${condition}`);
  const { text, key, number, ending } = columnTypes[dialect];
  return [
    `create table if not exists horae_ring_calendars (
      name_key ${key} not null primary key, name ${text} not null, definition ${text} not null) ${ending}`,
    `create table if not exists horae_ring_groups (
      name_key ${key} not null primary key, name ${text} not null, title ${text} not null, addresses ${text},
      max_running ${number}, rate ${text}, paused_at ${number}, created_at ${number} not null) ${ending}`,
    `create table if not exists horae_ring_limits (
      name ${key} not null primary key, starts ${text} not null) ${ending}`,
    `create index if not exists horae_ring_jobs_history on horae_ring_jobs
     ${dialect === 'mysql' ? '(keep_runs(1))' : '(id) where keep_runs is not null'}`,
    `create index if not exists horae_ring_jobs_except on horae_ring_jobs
     ${dialect === 'mysql' ? '(except_calendars(1))' : '(id) where except_calendars is not null'}`,
    `create index if not exists horae_ring_jobs_namespace on horae_ring_jobs (namespace)
     ${ifPartial('namespace is not null')}`,
  ].map((text) => sql.raw(text));
}
