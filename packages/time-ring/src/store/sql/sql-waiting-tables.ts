import type { Dialect } from '@horae/clock-store/storage';
import { type RawBuilder, sql } from 'kysely';
import { DELAYED, REMOTE, UNOWNED, WAITING } from '../../model/run.js';
import type { NewColumn } from './sql-add-column.js';
import { columnTypes } from './sql-ring-tables.js';

/** The columns that the second edition adds to jobs, runs and executors. */
export function waitingColumns(dialect: Dialect): readonly NewColumn[] {
  const { number, text, key } = columnTypes[dialect];
  const jobKey = dialect === 'mysql' ? 'varchar(255)' : 'text';
  const of = (table: string, columns: Readonly<Record<string, string>>): NewColumn[] =>
    Object.entries(columns).map(([name, type]) => ({ table: `horae_ring_${table}`, name, type }));
  return [
    ...of('jobs', {
      job_key: jobKey,
      description: text,
      person: text,
      labels: text,
      retry: text,
      wait_ms: `${number} default 300000`,
    }),
    ...of('runs', {
      due_at: number,
      waiting_for: key,
      urgency: `${number} not null default 0`,
      ready_at: number,
      postponed: 'integer not null default 0',
    }),
    ...of('executors', { node_owner: key, node_id: text, handlers: text, instance_id: text }),
  ];
}

/**
 * Indexes for keys, for waiting runs in their order, and for runs that the engine must check by a given time. MySQL has no partial
 * indexes: there the owner comes first, which has the same effect.
 */
export function waitingTables(dialect: Dialect): readonly RawBuilder<unknown>[] {
  const { id, key, ending } = columnTypes[dialect];
  const handovers = `create table if not exists horae_ring_handovers (
    run_id ${id} not null primary key, owner ${key} not null) ${ending}`;
  const ifAbsent = 'index if not exists horae_ring';
  const indexes =
    dialect === 'mysql'
      ? [
          `create unique ${ifAbsent}_jobs_by_key on horae_ring_jobs (job_key)`,
          `create ${ifAbsent}_runs_waiting on horae_ring_runs (owner, job_id, urgency, ready_at)`,
          `create ${ifAbsent}_runs_deadline on horae_ring_runs (owner, deadline_at)`,
        ]
      : [
          `create unique ${ifAbsent}_jobs_by_key on horae_ring_jobs (job_key) where job_key is not null`,
          `create ${ifAbsent}_runs_waiting on horae_ring_runs (job_id, urgency, ready_at, id) where owner = '${WAITING}'`,
          `create ${ifAbsent}_runs_deadline on horae_ring_runs (owner, deadline_at)
           where owner in ('${WAITING}', '${DELAYED}', '${REMOTE}') and deadline_at is not null`,
        ];
  return [handovers, ...indexes].map((text) => sql.raw(text));
}

/** The index of unowned runs. MySQL has no partial indexes, and an index of all runs would cost more than the sorting. */
export function unownedIndexes(dialect: Dialect): readonly RawBuilder<unknown>[] {
  if (dialect === 'mysql') return [];
  return [
    sql.raw(`create index if not exists horae_ring_runs_unowned on horae_ring_runs (id) where owner = '${UNOWNED}'`),
  ];
}
