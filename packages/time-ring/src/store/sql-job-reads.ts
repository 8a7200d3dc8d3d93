import type { AnyKysely, AnyTransaction, HoraeDatabase } from '@horae/clock-store/storage';
import { type RawBuilder, sql } from 'kysely';
import { isOver } from '../run.js';
import type { BucketLease, JobReads, NodeBeat, RunQuery } from './job-store.js';
import { readExecutors } from './sql-executor-rows.js';
import { type JobRow, unpackJob } from './sql-job-rows.js';
import { idIn, textIs } from './sql-row-batch.js';
import { type StoredRun, unpackRun, unpackRunRow } from './sql-run-rows.js';
import { readText, storedText } from './sql-stored-text.js';

/** The reads of a store, outside a transaction or inside `trx`. */
export function sqlJobReads(database: HoraeDatabase, trx?: AnyTransaction): JobReads {
  const db: AnyKysely = trx ?? database.kysely;
  return {
    now: async () => (database.dialect === 'sqlite' ? null : database.dbNow(trx)),
    async job(id) {
      if (!Number.isSafeInteger(id)) return null;
      const { rows } = await sql<JobRow>`select * from horae_ring_jobs where id = ${id}`.execute(db);
      return rows.length === 0 ? null : unpackJob(rows[0]!);
    },
    async jobsByIds(ids) {
      if (ids.length === 0) return [];
      const { rows } = await sql<JobRow>`
        select * from horae_ring_jobs where ${idIn(database.dialect, 'id', ids)} order by id`.execute(db);
      return rows.map(unpackJob);
    },
    async jobs({ state, executorGroup, limit, afterId }) {
      const conditions = [
        sql<boolean>`id > ${afterId}`,
        ...(state === undefined ? [] : [sql<boolean>`state = ${state}`]),
        ...(executorGroup === undefined ? [] : [textIs(database.dialect, 'executor_group', storedText(executorGroup))]),
      ];
      const { rows } = await sql<JobRow>`
        select * from horae_ring_jobs where ${every(conditions)} order by id limit ${limit}`.execute(db);
      return rows.map(unpackJob);
    },
    async run(id) {
      if (!Number.isSafeInteger(id)) return null;
      const { rows } = await sql<StoredRun>`select * from horae_ring_runs where id = ${id}`.execute(db);
      return rows.length === 0 ? null : unpackRunRow(rows[0]!);
    },
    async runs(query) {
      const { rows } = await sql<StoredRun>`
        select * from horae_ring_runs where ${every(runConditions(query))} order by id desc limit ${query.limit}`.execute(
        db,
      );
      return rows.map(unpackRun);
    },
    async ownedRuns({ owner, afterId, limit }) {
      const { rows } = await sql<StoredRun>`
        select * from horae_ring_runs where owner = ${owner} and id > ${afterId} order by id limit ${limit}`.execute(
        db,
      );
      return rows.map(unpackRunRow);
    },
    async logLines(runId, fromLine, limit) {
      const { rows } = await sql<{ text: string }>`
        select text from horae_ring_logs where run_id = ${runId} and line >= ${fromLine} order by line limit ${limit}`.execute(
        db,
      );
      return rows.map(({ text }) => readText(text));
    },
    async nodes() {
      const { rows } = await sql<NodeRow>`select ${nodeColumns} from horae_ring_nodes order by owner`.execute(db);
      return rows.map(unpackNode);
    },
    async buckets() {
      const { rows } = await sql<BucketRow>`
        select bucket, owner, epoch, expires_at from horae_ring_buckets order by bucket`.execute(db);
      return rows.map(unpackBucket);
    },
    executors: (group) =>
      readExecutors(
        db,
        group === undefined ? sql`1 = 1` : textIs(database.dialect, 'executor_group', storedText(group)),
      ),
    lostExecutors: async ({ beatBefore, limit }) =>
      (await readExecutors(db, sql`beat_at < ${beatBefore}`)).slice(0, limit),
  };
}

export interface NodeRow {
  readonly owner: string;
  readonly node_id: string;
  readonly beat_at: number;
}

export const nodeColumns = sql.raw('owner, node_id, beat_at');

export function unpackNode({ owner, node_id, beat_at }: NodeRow): NodeBeat {
  return { owner, nodeId: readText(node_id), beatAt: beat_at };
}

export interface BucketRow {
  readonly bucket: number;
  readonly owner: string | null;
  readonly epoch: number;
  readonly expires_at: number;
}

export function unpackBucket({ bucket, owner, epoch, expires_at }: BucketRow): BucketLease {
  return { bucket, owner, epoch, expiresAt: expires_at };
}

function every(conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return conditions.length === 0 ? sql`1 = 1` : sql`${sql.join(conditions, sql` and `)}`;
}

function runConditions(query: RunQuery): RawBuilder<boolean>[] {
  const { jobId, fireId, state, triggerType, from, to, beforeId } = query;
  const conditions: RawBuilder<boolean>[] = [];
  if (beforeId !== null) conditions.push(sql`id < ${beforeId}`);
  if (jobId !== undefined) conditions.push(sql`job_id = ${jobId}`);
  if (fireId !== undefined) conditions.push(sql`((id = ${fireId} and fire_id is null) or fire_id = ${fireId})`);
  if (state !== undefined) conditions.push(sql`state = ${state}`);
  // Few runs are open, and these have an index.
  if (state !== undefined && !isOver(state)) conditions.push(sql`owner is not null`);
  if (triggerType !== undefined) conditions.push(sql`trigger_type = ${triggerType}`);
  if (from !== undefined) conditions.push(sql`schedule_time >= ${from}`);
  if (to !== undefined) conditions.push(sql`schedule_time < ${to}`);
  return conditions;
}
