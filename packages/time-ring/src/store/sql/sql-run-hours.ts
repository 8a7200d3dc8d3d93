import type { AnyKysely, Dialect, HoraeDatabase } from '@horae/clock-store/storage';
import { sql } from 'kysely';
import { nameKey } from './sql-calendar-rows.js';
import { insertIfAbsent } from './sql-insert-if-absent.js';
import { readText, storedText } from './sql-stored-text.js';

/** The runs that ended in one hour, by outcome. */
export interface HourCount {
  readonly at: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly killed: number;
  readonly skipped: number;
}

type GroupHour = HourCount & { readonly group: string };

const HOUR_MS = 3_600_000;
/** An hour is counted for good once it has been over for this long: every run that ended in it is written by then. */
const SETTLED_MS = HOUR_MS;
/** As far back as reports go. */
const KEPT_MS = 32 * 24 * HOUR_MS;
/** The first hour that has not been counted for good. */
const COUNTED = 'hours-counted';
const HOURS_PER_STATEMENT = 200;
/** Halving a range of ids this often narrows any table to one row. */
const MAX_HALVINGS = 60;

/** The runs that ended in `[from, to)` by hour. Settled hours are counted once and stored; the rest are counted now. */
export async function hourCounts(
  database: HoraeDatabase,
  { from, to, now, groups }: { from: number; to: number; now: number; groups?: readonly string[] | undefined },
): Promise<HourCount[]> {
  const counted = await countSettledHours(database, now);
  const { rows } = await sql<StoredHour>`
    select hour_at, executor_group, succeeded, failed, killed, skipped from horae_ring_hours
    where hour_at >= ${hourOf(from)} and hour_at < ${Math.min(to, counted)}`.execute(database.kysely);
  const open = to <= counted ? [] : await countHours(database, Math.max(hourOf(from), counted), to);
  const all = [...rows.map(unpackHour), ...open];
  return summed(groups === undefined ? all : all.filter(({ group }) => groups.includes(group)));
}

function hourOf(at: number): number {
  return Math.floor(at / HOUR_MS) * HOUR_MS;
}

/** Counts the settled hours that were not counted yet, and returns the first hour that is not settled. */
async function countSettledHours(database: HoraeDatabase, now: number): Promise<number> {
  const until = hourOf(now - SETTLED_MS);
  const from = Math.max((await readCounted(database.kysely)) ?? 0, until - KEPT_MS);
  if (from >= until) return from;
  // Read outside the transaction, for which on SQLite all others would wait.
  const hours = await countHours(database, from, until);
  await database.transaction(async (trx) => {
    // Another process may have been faster; the second waits here and finds the same rows.
    await insertIfAbsent(trx, database.dialect, 'horae_ring_settings', { name: COUNTED, value: '0' });
    await sql`update horae_ring_settings set value = ${String(until)} where name = ${COUNTED}`.execute(trx);
    for (let first = 0; first < hours.length; first += HOURS_PER_STATEMENT)
      await insertHours(trx, database.dialect, hours.slice(first, first + HOURS_PER_STATEMENT));
    await sql`delete from horae_ring_hours where hour_at < ${until - KEPT_MS}`.execute(trx);
  });
  return until;
}

async function insertHours(db: AnyKysely, dialect: Dialect, hours: readonly GroupHour[]): Promise<void> {
  const columns = sql.raw('(hour_at, group_key, executor_group, succeeded, failed, killed, skipped)');
  const rows = sql.join(
    hours.map(
      ({ at, group, succeeded, failed, killed, skipped }) =>
        sql`(${at}, ${nameKey(group)}, ${storedText(group)}, ${succeeded}, ${failed}, ${killed}, ${skipped})`,
    ),
  );
  if (dialect === 'mysql') await sql`insert ignore into horae_ring_hours ${columns} values ${rows}`.execute(db);
  else await sql`insert into horae_ring_hours ${columns} values ${rows} on conflict do nothing`.execute(db);
}

async function readCounted(db: AnyKysely): Promise<number | null> {
  const { rows } = await sql<{ value: string }>`
    select value from horae_ring_settings where name = ${COUNTED}`.execute(db);
  return rows.length === 0 ? null : Number(rows[0]!.value);
}

async function countHours(database: HoraeDatabase, from: number, to: number): Promise<GroupHour[]> {
  const { kysely, dialect } = database;
  const hour =
    dialect === 'sqlite'
      ? sql`cast(ended_at / ${sql.lit(HOUR_MS)} as integer)`
      : sql`floor(ended_at / ${sql.lit(HOUR_MS)})`;
  const firstId = await firstIdFrom(database, from);
  const { rows } = await sql<{ hour: unknown; state: string; executor_group: string | null; runs: unknown }>`
    select r.hour, r.state, j.executor_group, sum(r.runs) as runs from (
      select ${hour} as hour, state, job_id, count(*) as runs from horae_ring_runs
      where id >= ${firstId} and ended_at >= ${from} and ended_at < ${to} group by 1, 2, 3) as r
    left join horae_ring_jobs j on j.id = r.job_id group by r.hour, r.state, j.executor_group`.execute(kysely);
  const found = new Map<string, GroupHour>();
  for (const row of rows) {
    const at = Number(row.hour) * HOUR_MS;
    // A removed job is in no group that a report can be limited to.
    const group = row.executor_group === null ? '' : readText(row.executor_group);
    const key = `${at} ${group}`;
    const known = found.get(key) ?? { at, group, succeeded: 0, failed: 0, killed: 0, skipped: 0 };
    found.set(key, { ...known, [row.state]: Number(row.runs) });
  }
  return [...found.values()];
}

/** The sums over all groups per hour, by time. */
function summed(all: readonly GroupHour[]): HourCount[] {
  const hours = new Map<number, HourCount>();
  for (const { at, succeeded, failed, killed, skipped } of all) {
    const known = hours.get(at) ?? { at, succeeded: 0, failed: 0, killed: 0, skipped: 0 };
    hours.set(at, {
      at,
      ...{ succeeded: known.succeeded + succeeded, failed: known.failed + failed },
      ...{ killed: known.killed + killed, skipped: known.skipped + skipped },
    });
  }
  return [...hours.values()].sort((a, b) => a.at - b.at);
}

/** The lowest id from which runs ended at or after `from`. */
export async function firstIdFrom({ kysely }: HoraeDatabase, from: number): Promise<number> {
  const { rows } = await sql<{ least: unknown; most: unknown }>`
    select min(id) as least, max(id) as most from horae_ring_runs`.execute(kysely);
  let least = Number(rows[0]?.least ?? 0);
  let most = Number(rows[0]?.most ?? 0) + 1;
  for (let halving = 0; least < most && halving < MAX_HALVINGS; halving++) {
    const middle = Math.floor((least + most) / 2);
    const found = await sql<{ id: unknown; ended_at: number }>`
      select id, ended_at from horae_ring_runs where id >= ${middle} and ended_at is not null order by id limit 1`.execute(
      kysely,
    );
    const row = found.rows[0];
    if (row === undefined || row.ended_at >= from) most = middle;
    else least = Number(row.id) + 1;
  }
  return least;
}

interface StoredHour {
  readonly hour_at: number;
  readonly executor_group: string;
  readonly succeeded: unknown;
  readonly failed: unknown;
  readonly killed: unknown;
  readonly skipped: unknown;
}

function unpackHour(row: StoredHour): GroupHour {
  const { hour_at: at, succeeded, failed, killed, skipped } = row;
  return {
    ...{ at, group: readText(row.executor_group), succeeded: Number(succeeded), failed: Number(failed) },
    ...{ killed: Number(killed), skipped: Number(skipped) },
  };
}
