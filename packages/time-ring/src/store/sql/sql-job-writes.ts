import type { AnyKysely, Dialect } from '@horae/clock-store/storage';
import { type RawBuilder, sql } from 'kysely';
import type { Job } from '../../model/job.js';
import type { JobTransaction } from '../job-store.js';
import { insertIfAbsent } from './sql-insert-if-absent.js';
import { FAMILIES, JOB_IDS } from './sql-job-migrations.js';
import { advanceColumns, type JobRow, packJob, readChildren, unpackJob } from './sql-job-rows.js';
import { lockRow } from './sql-lock-row.js';
import { forUpdate, idIn, keyIs, rowBatch, rowChunks, textIs } from './sql-row-batch.js';
import { storedText, storedTextOrNull } from './sql-stored-text.js';

type JobVerbs =
  | 'takeLockRow'
  | 'claimMode'
  | 'lockKey'
  | 'insertJob'
  | 'reserveJobIds'
  | 'insertJobs'
  | 'lockJob'
  | 'putJob'
  | 'deleteJob'
  | 'lockFamilies'
  | 'lockDueJobs'
  | 'advanceJobs';

/** The operations of a transaction on jobs. */
export function jobWrites(db: AnyKysely, dialect: Dialect): Pick<JobTransaction, JobVerbs> {
  const held = forUpdate(dialect);

  async function setting(name: string): Promise<string> {
    const { rows } = await sql<{ value: string }>`
      select value from horae_ring_settings where name = ${name} ${held}`.execute(db);
    return rows[0]!.value;
  }

  return {
    async takeLockRow() {
      const { rows } = await sql`
        select 1 from ${sql.table(lockRow.table)}
        where ${sql.ref(lockRow.column)} = ${lockRow.value} ${held}`.execute(db);
      return rows.length > 0;
    },
    async claimMode(mode) {
      await insertIfAbsent(db, dialect, 'horae_ring_settings', { name: 'claim-mode', value: mode });
      return setting('claim-mode');
    },
    async lockKey(key) {
      // A transaction that adds a job or assigns a key locks this row, so that two cannot take the same key.
      await setting(JOB_IDS);
      const { rows } = await sql<{ id: number }>`select id from horae_ring_jobs where ${keyIs(key)}`.execute(db);
      return rows[0]?.id ?? null;
    },
    async insertJob(settings, at) {
      const id = await nextJobIds(db, await setting(JOB_IDS), 1);
      const standing = { state: 'STOPPED', stopReason: null, lastAt: null, nextAt: null, namespace: null } as const;
      const job: Job = { ...settings, ...standing, id, createdAt: at, updatedAt: at };
      const row = packJob(job);
      await insertRow(db, row);
      return unpackJob(row);
    },
    reserveJobIds: async (count) => nextJobIds(db, await setting(JOB_IDS), count),
    async insertJobs(jobs) {
      for (const job of jobs) await insertRow(db, packJob(job));
    },
    async lockJob(id) {
      if (!Number.isSafeInteger(id)) return null;
      const { rows } = await sql<JobRow>`select * from horae_ring_jobs where id = ${id} ${held}`.execute(db);
      return rows.length === 0 ? null : unpackJob(rows[0]!);
    },
    async putJob(job) {
      const { id, ...row } = packJob(job);
      const changes = Object.entries(row).map(([name, value]) => sql`${sql.raw(name)} = ${value}`);
      await sql`update horae_ring_jobs set ${sql.join(changes)} where id = ${id}`.execute(db);
    },
    async deleteJob(id) {
      await sql`delete from horae_ring_jobs where id = ${id}`.execute(db);
    },
    async lockFamilies() {
      // One row represents all families: only the transaction that locks it changes them, and no pass is blocked.
      // Written, not only locked, where locks do not reach beyond one member of a cluster.
      if (dialect === 'mysql')
        await sql`update horae_ring_settings set value = case when value = '' then '1' else value + 1 end where name = ${FAMILIES}`.execute(
          db,
        );
      await setting(FAMILIES);
      const { rows } = await sql<{ id: number; children: string }>`
        select id, children from horae_ring_jobs where children is not null order by id`.execute(db);
      return new Map(rows.map(({ id, children }) => [id, readChildren(children)]));
    },
    async lockDueJobs(query) {
      const { rows } = await (dialect === 'mysql' ? dueOnMysql(db, query) : dueJobs(dialect, query).execute(db));
      return rows.map(unpackJob);
    },
    async advanceJobs(changes) {
      const rows = changes
        .map(({ id, nextAt, lastAt, updatedAt, state, stopReason }) => [
          ...[id, nextAt, lastAt, updatedAt, state],
          stopReason?.code ?? null,
          storedTextOrNull(stopReason?.message ?? null),
        ])
        .sort((a, b) => (a[0] as number) - (b[0] as number));
      for (const chunk of rowChunks(rows)) await advance(dialect, chunk).execute(db);
    },
  };
}

async function insertRow(db: AnyKysely, row: JobRow): Promise<void> {
  await sql`
    insert into horae_ring_jobs (${sql.raw(Object.keys(row).join(', '))})
    values (${sql.join(Object.values(row))})`.execute(db);
}

/** The first of `count` ids above every id ever used, including deleted ones and ones inserted by hand. */
async function nextJobIds(db: AnyKysely, counted: string, count: number): Promise<number> {
  const { rows } = await sql<{ id: number | null }>`select max(id) as id from horae_ring_jobs`.execute(db);
  const id = Math.max(Number(counted), rows[0]?.id ?? 0) + 1;
  await sql`update horae_ring_settings set value = ${String(id + count - 1)} where name = ${JOB_IDS}`.execute(db);
  return id;
}

type DueQuery = Parameters<JobTransaction['lockDueJobs']>[0];

function isDue(dialect: Dialect, { until, buckets, exceptGroups = [] }: DueQuery): RawBuilder<boolean> {
  const others = exceptGroups.map((group) => sql`and not ${textIs(dialect, 'executor_group', storedText(group))}`);
  const inBuckets = buckets === null ? sql`` : sql`and ${idIn(dialect, 'bucket', buckets)}`;
  return sql`state = 'RUNNING' and next_at <= ${until} ${inBuckets} ${sql.join(others, sql` `)}`;
}

function dueJobs(dialect: Dialect, query: DueQuery): RawBuilder<JobRow> {
  return sql<JobRow>`
    select * from horae_ring_jobs where ${isDue(dialect, query)}
    order by next_at, id limit ${query.limit} ${forUpdate(dialect)}`;
}

/** InnoDB would also wait for, and lock, rows that it only scans: so this reads first, then locks by id alone. */
async function dueOnMysql(db: AnyKysely, query: DueQuery): Promise<{ rows: JobRow[] }> {
  const due = isDue('mysql', query);
  const seen = await sql<{ id: number }>`
    select id from horae_ring_jobs where ${due} order by next_at, id limit ${query.limit}`.execute(db);
  if (seen.rows.length === 0) return { rows: [] };
  const ids = seen.rows.map(({ id }) => id).sort((a, b) => a - b);
  const { rows } = await sql<JobRow>`
    select * from horae_ring_jobs where ${idIn('mysql', 'id', ids)} and ${due} order by id for update`.execute(db);
  return { rows: rows.sort((a, b) => a.next_at! - b.next_at! || a.id - b.id) };
}

function advance(dialect: Dialect, rows: readonly (readonly unknown[])[]): RawBuilder<unknown> {
  const { source, value } = rowBatch(dialect, advanceColumns, rows);
  const changed = advanceColumns.slice(1).map(({ name }) => name);
  if (dialect === 'mysql') {
    const set = changed.map((name) => sql`j.${sql.raw(name)} = ${value(name)}`);
    return sql`update horae_ring_jobs j join ${source} on j.id = v.id set ${sql.join(set)}`;
  }
  const set = changed.map((name) => sql`${sql.raw(name)} = ${value(name)}`);
  return sql`update horae_ring_jobs set ${sql.join(set)} from ${source} where horae_ring_jobs.id = v.id`;
}
