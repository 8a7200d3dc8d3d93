import type { Dialect, HoraeDatabase } from '@horae/clock-store/storage';
import { type RawBuilder, sql } from 'kysely';
import { groupIn } from './sql-row-batch.js';
import { firstIdFrom, type HourCount, hourCounts } from './sql-run-hours.js';
import { isDead } from './sql-run-query.js';
import { readText } from './sql-stored-text.js';

/** A job with the figures of its runs in the window of a report. */
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
  /** Runs that failed for good. */
  readonly dead: number;
  /** Runs that are not over, whenever they started. */
  readonly open: { readonly pending: number; readonly queued: number; readonly running: number; readonly late: number };
}

export interface ReportQuery {
  readonly from: number;
  readonly to: number;
  readonly now: number;
  /** Whether to include the jobs that fail most and take longest; this reads all runs of the window. */
  readonly hasFigures: boolean;
  /** Only jobs of these groups; all without. */
  readonly groups?: readonly string[] | undefined;
}

const SHOWN_JOBS = 10;
/** A run that has been ready for this long and has not started is late. */
const LATE_MS = 5_000;

/**
 * The outcomes of the runs that ended in `[from, to)`. Runs are found by id, which grows with time, so that the cost depends on the window
 * and not on the history; a run that was requested before the window for a time inside it is not counted.
 */
export async function sqlRunReport(database: HoraeDatabase, query: ReportQuery): Promise<RunReport> {
  return {
    hours: await hourCounts(database, query),
    ...(query.hasFigures ? await figuresOf(database, query) : { failing: [], slowest: [], dead: 0 }),
    open: await openCounts(database, query),
  };
}

async function figuresOf(
  database: HoraeDatabase,
  { from, to, groups }: ReportQuery,
): Promise<Pick<RunReport, 'failing' | 'slowest' | 'dead'>> {
  const firstId = await firstIdFrom(database, from);
  const window = sql`id >= ${firstId} and ended_at >= ${from} and ended_at < ${to} ${ofGroups(database.dialect, groups)}`;
  const slowest = await jobFigures(
    database,
    window,
    sql`mean_ms desc, job_id`,
    sql`having avg(ended_at - started_at) is not null`,
  );
  const isFailing = sql`having sum(case when state = 'failed' then 1 else 0 end) > 0`;
  // Few runs fail, and failed runs have an index: only the jobs that have some are read.
  const ofFailing = sql`${window} and job_id in (
    select f.job_id from horae_ring_runs f where f.id >= ${firstId} and f.over_state = 'failed' and f.over_state <> 'succeeded')`;
  const failing = await jobFigures(database, ofFailing, sql`failed desc, job_id`, isFailing);
  const dead = await sql<{ runs: unknown }>`
    select count(*) as runs from horae_ring_runs where ${window} and ${isDead}`.execute(database.kysely);
  return { failing, slowest, dead: Number(dead.rows[0]?.runs ?? 0) };
}

export function ofGroups(dialect: Dialect, groups: readonly string[] | undefined): RawBuilder<unknown> {
  if (groups === undefined) return sql``;
  return sql`and job_id in (select id from horae_ring_jobs where ${groupIn(dialect, 'executor_group', groups)})`;
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
  { kysely, dialect }: HoraeDatabase,
  { groups, now }: ReportQuery,
): Promise<RunReport['open']> {
  const { rows } = await sql<{ state: string; runs: unknown; late: unknown }>`
    select state, count(*) as runs, sum(case when ready_at < ${now - LATE_MS} then 1 else 0 end) as late from horae_ring_runs where owner is not null ${ofGroups(dialect, groups)} group by state`.execute(
    kysely,
  );
  const count = (state: string) => Number(rows.find((row) => row.state === state)?.runs ?? 0);
  const late = rows.filter(({ state }) => state !== 'running').reduce((sum, row) => sum + Number(row.late), 0);
  return { pending: count('pending'), queued: count('queued'), running: count('running'), late };
}
