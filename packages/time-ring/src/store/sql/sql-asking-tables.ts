import type { Dialect } from '@horae/clock-store/storage';
import { type RawBuilder, sql } from 'kysely';
import type { NewColumn } from './sql-add-column.js';
import { columnTypes } from './sql-ring-tables.js';

/** The columns of requested runs: a key that only one open fire holds, labels, and outcomes. */
export function askingColumns(dialect: Dialect): readonly NewColumn[] {
  const { number, text, key } = columnTypes[dialect];
  const columns: Readonly<Record<string, string>> = {
    unique_key: text,
    unique_lock: key,
    unique_for_ms: number,
    unique_until: number,
    labels: text,
    result: text,
    error: text,
    progress: text,
    last_attempt: 'integer not null default 0',
  };
  return Object.entries(columns).map(([name, type]) => ({ table: 'horae_ring_runs', name, type }));
}

/** The index that restricts a unique key to one fire: the first run of a fire holds the lock until the key is free. */
export function askingIndexes(dialect: Dialect): readonly RawBuilder<unknown>[] {
  const where = dialect === 'mysql' ? '' : 'where unique_lock is not null';
  return [
    sql.raw(
      `create unique index if not exists horae_ring_runs_unique on horae_ring_runs (unique_lock, job_id) ${where}`,
    ),
  ];
}
