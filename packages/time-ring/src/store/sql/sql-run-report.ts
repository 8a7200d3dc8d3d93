import type { HoraeDatabase } from '@horae/clock-store/storage';
import { type RawBuilder, sql } from 'kysely';
import { readText, storedText } from './sql-stored-text.js';

/** Runs that ended in one hour, by how. */
export interface HourCount {
  readonly at: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly killed: number;
  readonly skipped: number;
}

/** A job with what its runs did in the time of a report. */
export interface JobFigures {
  readonly jobId: number;
  readonly name: string | null;
  readonly runs: number;
  readonly failed: number;
  readonly meanMs: number | null;
  readonly maxMs: number | null;
}

export interface RunReport {
  readonly hours: readonly HourCount[];
  readonly failing: readonly JobFigures[];
  readonly slowest: readonly JobFigures[];
  /** Runs that are not over, whenever they began. */
  readonly open: { readonly pending: number; readonly queued: number; readonly running: number };
}

export interface ReportQuery {
  readonly from: number;
  readonly to: number;
  /** Only jobs of these groups; all without. */
  readonly groups?: readonly string[] | undefined;
}

const HOUR_MS = 3_600_000;
const SHOWN_JOBS = 10;
/** Halving a range of ids so often reaches one row of any table. */
const MAX_HALVINGS = 60;

/**
 * What became of the runs that ended in `[from, to)`. Runs are found by id, which grows with time, so that the cost is that of the
 * window and not of the history; a run that was ordered before the window for a time inside it is not counted.
 */
export async function sqlRunReport(database: HoraeDatabase, query: ReportQuery): Promise<RunReport> {
  const firstId = await firstIdFrom(database, query.from);
  const window = sql`id >= ${firstId} and ended_at >= ${query.from} and ended_at < ${query.to} ${ofGroups(query.groups)}`;
  return {
    hours: await hourCounts(database, window),
    failing: await jobFigures(
      database,
      window,
      sql`failed desc, job_id`,
      sql`having sum(case when state = 'failed' then 1 else 0 end) > 0`,
    ),
    slowest: await jobFigures(
      database,
      window,
      sql`mean_ms desc, job_id`,
      sql`having avg(ended_at - started_at) is not null`,
    ),
    open: await openCounts(database, query.groups),
  };
}

function ofGroups(groups: readonly string[] | undefined): RawBuilder<unknown> {
  if (groups === undefined) return sql``;
  if (groups.length === 0) return sql`and 1 = 0`;
  return sql`and job_id in (select id from horae_ring_jobs where executor_group in (${sql.join(groups.map(storedText))}))`;
}

/** The lowest id from which on runs ended at or after `from`. */
async function firstIdFrom({ kysely }: HoraeDatabase, from: number): Promise<number> {
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

async function hourCounts({ kysely, dialect }: HoraeDatabase, window: RawBuilder<unknown>): Promise<HourCount[]> {
  const hour =
    dialect === 'sqlite'
      ? sql`cast(ended_at / ${sql.lit(HOUR_MS)} as integer)`
      : sql`floor(ended_at / ${sql.lit(HOUR_MS)})`;
  const { rows } = await sql<{ hour: unknown; state: string; runs: unknown }>`
    select ${hour} as hour, state, count(*) as runs from horae_ring_runs where ${window} group by 1, 2 order by 1`.execute(
    kysely,
  );
  const hours = new Map<number, HourCount>();
  for (const row of rows) {
    const at = Number(row.hour) * HOUR_MS;
    const known = hours.get(at) ?? { at, succeeded: 0, failed: 0, killed: 0, skipped: 0 };
    hours.set(at, { ...known, [row.state]: Number(row.runs) });
  }
  return [...hours.values()];
}

async function jobFigures(
  { kysely }: HoraeDatabase,
  window: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  having: RawBuilder<unknown>,
): Promise<JobFigures[]> {
  const { rows } = await sql<{
    job_id: unknown;
    runs: unknown;
    failed: unknown;
    mean_ms: unknown;
    max_ms: unknown;
    name: unknown;
  }>`
    select job_id, runs, failed, mean_ms, max_ms, (select name from horae_ring_jobs where id = job_id) as name from (
      select job_id, count(*) as runs, sum(case when state = 'failed' then 1 else 0 end) as failed,
        avg(ended_at - started_at) as mean_ms, max(ended_at - started_at) as max_ms
      from horae_ring_runs where ${window} group by job_id ${having}) as figures
    order by ${order} limit ${sql.lit(SHOWN_JOBS)}`.execute(kysely);
  return rows.map((row) => ({
    jobId: Number(row.job_id),
    name: row.name === null ? null : readText(row.name),
    runs: Number(row.runs),
    failed: Number(row.failed),
    meanMs: row.mean_ms === null ? null : Number(row.mean_ms),
    maxMs: row.max_ms === null ? null : Number(row.max_ms),
  }));
}

async function openCounts(
  { kysely }: HoraeDatabase,
  groups: readonly string[] | undefined,
): Promise<RunReport['open']> {
  const { rows } = await sql<{ state: string; runs: unknown }>`
    select state, count(*) as runs from horae_ring_runs where owner is not null ${ofGroups(groups)} group by state`.execute(
    kysely,
  );
  const count = (state: string) => Number(rows.find((row) => row.state === state)?.runs ?? 0);
  return { pending: count('pending'), queued: count('queued'), running: count('running') };
}
