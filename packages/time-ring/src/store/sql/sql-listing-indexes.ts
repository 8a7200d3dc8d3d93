import type { AnyKysely, Dialect } from '@horae/clock-store/storage';
import { type RawBuilder, sql } from 'kysely';
import type { TriggerType } from '../../model/run.js';
import { addColumn } from './sql-add-column.js';

/** The values that most runs have: these runs are found in the order of ids, and the indexes leave them out. */
const COMMON_STATE = 'succeeded';
const COMMON_TRIGGER = 'schedule';

/** Runs whose key, if any, does not contain their time: manual runs, retries, shards and children. */
const UNKEYED = '(key_job is null or key_job < 0) and schedule_time is not null';

/**
 * Indexes for lists, and on MySQL the columns that transactions write where they would only lock: members of a Galera cluster do not see
 * each other's locks, but one of two that change the same row fails.
 *
 * The state of an ended run has a column of its own, empty before: an index on the state would be written when a run is fired, and
 * PostgreSQL would write all other indexes with it.
 */
export async function listingIndexes(db: AnyKysely, dialect: Dialect): Promise<void> {
  const type = dialect === 'sqlite' ? 'text' : 'varchar(190)';
  const kept = dialect === 'postgres' ? 'stored' : 'virtual';
  const overState = `${type} generated always as (case when owner is null then state end) ${kept}`;
  await addColumn(db, dialect, { table: 'horae_ring_runs', name: 'over_state', type: overState });
  if (dialect === 'mysql') {
    const count = 'bigint not null default 0';
    for (const table of ['horae_ring_runs', 'horae_ring_nodes'])
      await addColumn(db, dialect, { table, name: 'holds', type: count });
  }
  const where = (text: string) => (dialect === 'mysql' ? '' : `where ${text}`);
  const create = 'create index if not exists horae_ring_runs';
  for (const statement of [
    `${create}_over on horae_ring_runs (over_state, id) ${where(`over_state <> '${COMMON_STATE}'`)}`,
    `${create}_trigger on horae_ring_runs (trigger_type, id) ${where(`trigger_type <> '${COMMON_TRIGGER}'`)}`,
    `${create}_time on horae_ring_runs (schedule_time) ${where(UNKEYED)}`,
  ])
    await sql.raw(statement).execute(db);
}

/** The condition that a list of runs in a final state adds, so that the index is used. */
export function overStateIs(state: string): RawBuilder<boolean> {
  if (state === COMMON_STATE) return sql`state = ${state}`;
  return sql`over_state = ${state} and over_state <> ${sql.lit(COMMON_STATE)}`;
}

/** Few runs are open, and they have an index; SQLite needs a hint to use it. */
export function openStateIs(dialect: Dialect, state: string): RawBuilder<boolean> {
  const isOpen = sql<boolean>`owner is not null`;
  const open = dialect === 'sqlite' ? sql<boolean>`id in (select id from horae_ring_runs where ${isOpen})` : isOpen;
  return sql`state = ${state} and ${open}`;
}

/** The same for the trigger type of a run. */
export function triggerTypeIs(triggerType: TriggerType): RawBuilder<boolean> {
  if (triggerType === COMMON_TRIGGER) return sql`trigger_type = ${triggerType}`;
  return sql`trigger_type = ${triggerType} and trigger_type <> ${sql.lit(COMMON_TRIGGER)}`;
}

/** Up to this many runs are found by their time and then sorted by id; more are found in the order of ids. */
const MAX_SORTED = 5_000;

/**
 * The runs whose schedule time lies in a range. Scheduled runs have the time in their key and need no further index; other runs are few.
 * No database can decide which way is faster without counting.
 */
export async function scheduledWithin(
  db: AnyKysely,
  dialect: Dialect,
  { from, to }: { readonly from?: number | undefined; readonly to?: number | undefined },
): Promise<RawBuilder<boolean>> {
  const within = (column: string) => {
    const name = sql.raw(column);
    const ends = [
      ...(from === undefined ? [] : [sql`${name} >= ${from}`]),
      ...(to === undefined ? [] : [sql`${name} < ${to}`]),
    ];
    return sql<boolean>`${sql.join(ends, sql` and `)}`;
  };
  const ids =
    dialect === 'mysql'
      ? sql`select id from horae_ring_runs where ${within('schedule_time')}`
      : sql`select id from horae_ring_runs where key_job > 0 and ${within('key_at')} and ${within('schedule_time + 0')}
            union all
            select id from horae_ring_runs where ${sql.raw(UNKEYED)} and ${within('schedule_time')}`;
  const { rows } = await sql<{ id: number }>`select id from (${ids}) as found limit ${MAX_SORTED + 1}`.execute(db);
  if (rows.length > MAX_SORTED) return within('schedule_time + 0');
  return rows.length === 0 ? sql`1 = 0` : sql`id in (${sql.join(rows.map(({ id }) => sql.lit(id)))})`;
}
