import type { AnyKysely, AnyTransaction, HoraeDatabase } from '@horae/clock-store/storage';
import { type RawBuilder, sql } from 'kysely';
import { WAITING, type WaitingReason } from '../../model/run.js';
import type { BucketLease, JobReads, NodeHeartbeat } from '../job-store.js';
import { latestAttempts, withIncluded } from '../run-query.js';
import { alertReads } from './sql-alert-rows.js';
import { readCalendars } from './sql-calendar-rows.js';
import { eventReads } from './sql-event-rows.js';
import { readExecutors } from './sql-executor-rows.js';
import { flowReads } from './sql-flows.js';
import { groupReads } from './sql-group-rows.js';
import { type JobRow, unpackJob } from './sql-job-rows.js';
import { openOwners } from './sql-open-owners.js';
import { idIn, keyIs, ownerIn, textIs } from './sql-row-batch.js';
import { runColumns, runConditions } from './sql-run-query.js';
import { type StoredRun, unpackRun, unpackRunRow } from './sql-run-rows.js';
import { readText, storedText } from './sql-stored-text.js';

/** The reads of a store, outside a transaction or inside `trx`. */
export function sqlJobReads(database: HoraeDatabase, trx?: AnyTransaction): JobReads {
  const db: AnyKysely = trx ?? database.kysely;
  return {
    ...alertReads(db),
    ...eventReads(db),
    ...flowReads(db, database.dialect),
    ...groupReads(db, database.dialect),
    now: async () => (database.dialect === 'sqlite' ? null : database.dbNow(trx)),
    async job(id) {
      if (!Number.isSafeInteger(id)) return null;
      const { rows } = await sql<JobRow>`select * from horae_ring_jobs where id = ${id}`.execute(db);
      return rows.length === 0 ? null : unpackJob(rows[0]!);
    },
    async jobByKey(key) {
      const { rows } = await sql<JobRow>`select * from horae_ring_jobs where ${keyIs(key)}`.execute(db);
      return rows.length === 0 ? null : unpackJob(rows[0]!);
    },
    async jobsByIds(ids) {
      if (ids.length === 0) return [];
      const { rows } = await sql<JobRow>`
        select * from horae_ring_jobs where ${idIn(database.dialect, 'id', ids)} order by id`.execute(db);
      return rows.map(unpackJob);
    },
    async jobsByKeys(keys) {
      if (keys.length === 0) return [];
      const { rows } = await sql<JobRow>`
        select * from horae_ring_jobs where job_key in (${sql.join(keys.map(storedText))})`.execute(db);
      return rows.map(unpackJob);
    },
    async jobsOfNamespace(namespace) {
      const { rows } = await sql<JobRow>`
        select * from horae_ring_jobs where namespace = ${storedText(namespace)} order by id`.execute(db);
      return rows.map(unpackJob);
    },
    async jobsBetweenFires({ ids, limit }) {
      if (ids?.length === 0) return [];
      const among = ids === null ? sql`` : sql`and ${idIn(database.dialect, 'id', ids)}`;
      const { rows } = await sql<{ id: number }>`
        select id from horae_ring_jobs where state = 'RUNNING' and next_at is null ${among}
        order by id limit ${limit}`.execute(db);
      return rows.map(({ id }) => id);
    },
    async hasOpenFires(jobId) {
      const owners = await openOwners(db);
      if (owners.length === 0) return false;
      const { rows } = await sql`
        select 1 from horae_ring_runs where ${ownerIn(owners)} and job_id = ${jobId}
          and trigger_type in ('schedule', 'misfire', 'retry') limit 1`.execute(db);
      return rows.length > 0;
    },
    calendars: (names) => readCalendars(db, names),
    async jobs({ state, executorGroup, hasAlerts, textHint, limit, afterId }) {
      const conditions = [
        sql<boolean>`id > ${afterId}`,
        ...(state === undefined ? [] : [sql<boolean>`state = ${state}`]),
        ...(executorGroup === undefined ? [] : [textIs(database.dialect, 'executor_group', storedText(executorGroup))]),
        ...(hasAlerts === true ? [sql<boolean>`alerts is not null`] : []),
        ...(textHint === undefined ? [] : [mayHaveText(textHint)]),
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
      const order = sql.raw(query.order === 'oldest' ? 'id' : 'id desc');
      const conditions = await runConditions(db, database.dialect, query);
      const { rows } = await sql<StoredRun>`
        select ${runColumns(query.include)} from horae_ring_runs
        where ${every(conditions)} order by ${order} limit ${query.limit}`.execute(db);
      return rows.map((row) => withIncluded(unpackRun(row), query.include));
    },
    async latestOfFires(fireIds) {
      if (fireIds.length === 0) return [];
      const ofThese = (column: string) => idIn(database.dialect, column, fireIds);
      const { rows } = await sql<StoredRun>`
        select * from horae_ring_runs where ${ofThese('id')} union all
        select * from horae_ring_runs where ${ofThese('fire_id')}`.execute(db);
      return latestAttempts(rows.map(unpackRunRow));
    },
    async ownedRuns({ owner, afterId, limit }) {
      const { rows } = await sql<StoredRun>`
        select * from horae_ring_runs where owner = ${owner} and id > ${afterId} order by id limit ${limit}`.execute(
        db,
      );
      return rows.map(unpackRunRow);
    },
    async ownsRunOf(owner, jobId) {
      const { rows } = await sql`
        select 1 from horae_ring_runs where owner = ${owner} and job_id = ${jobId} limit 1`.execute(db);
      return rows.length > 0;
    },
    async hasHandovers(owner) {
      const { rows } = await sql`select 1 from horae_ring_handovers where owner = ${owner} limit 1`.execute(db);
      return rows.length > 0;
    },
    async waitingRuns() {
      const { rows } = await sql<{ job_id: number; waiting_for: string; count: number }>`
        select job_id, waiting_for, count(*) as count from horae_ring_runs where owner = ${sql.lit(WAITING)}
        group by job_id, waiting_for`.execute(db);
      return rows
        .map((row) => ({ jobId: row.job_id, reason: row.waiting_for as WaitingReason, count: Number(row.count) }))
        .sort((a, b) => a.jobId - b.jobId || (a.reason < b.reason ? -1 : 1));
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
        group === undefined ? sql`1 = 1` : textIs(database.dialect, 'e.executor_group', storedText(group)),
      ),
    lostExecutors: async ({ beatBefore, limit }) =>
      (await readExecutors(db, sql`e.node_owner is null and e.beat_at < ${beatBefore}`)).slice(0, limit),
  };
}

/** Labels are stored as JSON, in which a name and its value are not adjacent as people write them. */
function mayHaveText(text: string): RawBuilder<boolean> {
  const pattern = (part: string) => `%${part.replace(/[%_!]/g, '!$&')}%`;
  const [longest] = text.split('=').sort((a, b) => b.length - a.length);
  const like = (column: string, part: string) => sql`lower(${sql.raw(column)}) like ${pattern(part)} escape '!'`;
  const columns = ['name', 'job_key', 'handler', 'person'].map((column) => like(column, text));
  return sql<boolean>`(${sql.join([...columns, like('labels', longest!)], sql` or `)})`;
}

export interface NodeRow {
  readonly owner: string;
  readonly node_id: string;
  readonly beat_at: number;
  readonly listens: number;
}

export const nodeColumns = sql.raw('owner, node_id, beat_at, listens');

export function unpackNode({ owner, node_id, beat_at, listens }: NodeRow): NodeHeartbeat {
  return { owner, nodeId: readText(node_id), beatAt: beat_at, ...(listens > 0 ? { listens: true } : {}) };
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
