import type { HoraeDatabase } from '@horae/clock-store/storage';
import { sql } from 'kysely';
import { isOver, type RunState } from '../../model/run.js';
import { groupIn, idIn } from './sql-row-batch.js';

/** The part of a run that a sparkline needs. */
export interface RecentRun {
  readonly id: number;
  readonly state: RunState;
  /** Null before the run is over, and for a run that never started. */
  readonly tookMs: number | null;
}

export interface RecentRunsQuery {
  readonly jobIds: readonly number[];
  /** Only jobs of these groups; all without. */
  readonly groups?: readonly string[] | undefined;
  /** The number of runs per job. */
  readonly limit: number;
}

interface StoredRecent {
  readonly job_id: number;
  readonly id: number;
  readonly state: RunState;
  readonly started_at: number | null;
  readonly ended_at: number | null;
}

/** The newest runs of each job, newest first: one statement, which reads only `limit` index entries per job. */
export async function sqlRecentRuns(
  database: HoraeDatabase,
  { jobIds, groups, limit }: RecentRunsQuery,
): Promise<ReadonlyMap<number, readonly RecentRun[]>> {
  const ids = await within(database, [...new Set(jobIds)], groups);
  const found = new Map<number, RecentRun[]>(ids.map((id) => [id, []]));
  if (ids.length === 0) return found;
  const parts = ids.map(
    (id) => sql`select * from (select job_id, id, state, started_at, ended_at from horae_ring_runs
      where job_id = ${sql.lit(id)} order by id desc limit ${sql.lit(limit)}) as ${sql.raw(`j${id}`)}`,
  );
  const { rows } = await sql<StoredRecent>`${sql.join(parts, sql` union all `)}`.execute(database.kysely);
  for (const { job_id, id, state, started_at: from, ended_at: to } of rows) {
    const tookMs = isOver(state) && from !== null && to !== null ? to - from : null;
    found.get(job_id)!.push({ id, state, tookMs });
  }
  for (const runs of found.values()) runs.sort((a, b) => b.id - a.id);
  return found;
}

async function within(
  { kysely, dialect }: HoraeDatabase,
  ids: readonly number[],
  groups: readonly string[] | undefined,
): Promise<readonly number[]> {
  if (groups === undefined || ids.length === 0) return ids;
  const { rows } = await sql<{ id: number }>`
    select id from horae_ring_jobs where ${idIn(dialect, 'id', ids)} and ${groupIn(dialect, 'executor_group', groups)}`.execute(
    kysely,
  );
  return rows.map(({ id }) => id);
}
