import type { AnyKysely, Dialect } from '@horae/clock-store/storage';
import { sql } from 'kysely';
import { judgeWindow } from '../../schedule/retention-window.js';
import type { GroupWrites } from '../group-store.js';
import type { RunSweep } from '../job-store.js';
import { idIn } from './sql-row-batch.js';

/** A run may have ten thousand lines, so the number of lines also limits a slice. */
const MAX_LINES_PER_SLICE = 2_000;

interface SweptRow {
  readonly id: number;
  readonly ended_at: number | null;
  readonly fired_at: number | null;
  readonly unique_lock: string | null;
  readonly unique_until: number | null;
}

/** Examines the next runs by id, at a cost independent of the number kept, and deletes those that are old enough. */
export async function deleteRuns(
  db: AnyKysely,
  dialect: Dialect,
  { endedBefore, afterId, limit }: { endedBefore: number; afterId: number; limit: number },
): Promise<RunSweep> {
  const { rows } = await sql<SweptRow>`
    select id, ended_at, fired_at, unique_lock, unique_until from horae_ring_runs where id > ${afterId} order by id limit ${limit}`.execute(
    db,
  );
  // A run with a unique key is needed until the key is free.
  const seen = rows.map(({ id, ended_at, fired_at, unique_lock, unique_until }) => ({
    id,
    endedAt: unique_lock === null || ended_at === null ? ended_at : unique_until,
    firedAt: fired_at,
  }));
  const { old, lastId, isDone } = judgeWindow(seen, { endedBefore, afterId, limit });
  if (old.length === 0) return { deleted: 0, lastId, isDone };
  const upTo = await deleteLogs(db, dialect, old);
  const ids = upTo === null ? old : old.filter((id) => id < upTo);
  if (ids.length > 0) await sql`delete from horae_ring_runs where ${idIn(dialect, 'id', ids)}`.execute(db);
  if (upTo === null) return { deleted: ids.length, lastId, isDone };
  return { deleted: ids.length, lastId: upTo - 1, isDone: false };
}

/** The first run that still has lines, because there were more than one slice may delete; null when all are deleted. */
async function deleteLogs(db: AnyKysely, dialect: Dialect, ids: readonly number[]): Promise<number | null> {
  const ofThese = idIn(dialect, 'run_id', ids);
  const { rows } = await sql<{ run_id: number; line: number }>`
    select run_id, line from horae_ring_logs where ${ofThese} order by run_id, line limit ${MAX_LINES_PER_SLICE}`.execute(
    db,
  );
  const last = rows.at(-1);
  if (last === undefined) return null;
  if (rows.length < MAX_LINES_PER_SLICE) {
    await sql`delete from horae_ring_logs where ${ofThese}`.execute(db);
    return null;
  }
  const whole = ids.filter((id) => id < last.run_id);
  if (whole.length > 0) await sql`delete from horae_ring_logs where ${idIn(dialect, 'run_id', whole)}`.execute(db);
  await sql`delete from horae_ring_logs where run_id = ${last.run_id} and line <= ${last.line}`.execute(db);
  return last.run_id;
}

/** Deletes runs of one job beyond the age or the number that it keeps. */
export async function pruneRuns(
  db: AnyKysely,
  dialect: Dialect,
  { jobId, keep, endedBefore, limit }: Parameters<GroupWrites['pruneRuns']>[0],
): Promise<number> {
  const beyond = keep === null ? null : await firstBeyond(db, jobId, keep);
  const conditions = [
    ...(beyond === null ? [] : [sql`id <= ${beyond}`]),
    ...(endedBefore === null ? [] : [sql`ended_at < ${endedBefore}`]),
  ];
  if (conditions.length === 0) return 0;
  const { rows } = await sql<{ id: number }>`
    select id from horae_ring_runs where job_id = ${jobId} and ended_at is not null
      and (${sql.join(conditions, sql` or `)}) order by id limit ${limit}`.execute(db);
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id);
  const upTo = await deleteLogs(db, dialect, ids);
  const whole = upTo === null ? ids : ids.filter((id) => id < upTo);
  if (whole.length > 0) await sql`delete from horae_ring_runs where ${idIn(dialect, 'id', whole)}`.execute(db);
  return ids.length;
}

/** The newest run beyond the number to keep; null when there are fewer. */
async function firstBeyond(db: AnyKysely, jobId: number, keep: number): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select id from horae_ring_runs where job_id = ${jobId} order by id desc limit 1 offset ${keep}`.execute(db);
  return rows[0]?.id ?? null;
}
