import { type AnyTransaction, type HoraeDatabase, openDatabase } from '@horae/clock-store/storage';
import { startTestPostgres, type TestServer } from '@horae/clock-store/testing';
import { bucketOf, type JobStore, type JobTransaction, sqlJobStore } from '@horae/time-ring';
import { defineBench } from '@horae-tooling/bench';
import { sql } from 'kysely';

const DUE = 20_000;
const BATCH = 5_000;
/** From 100 to 1,000 the model is about equally fast; with all 5,000 in one statement it takes more than twice as long. */
const CASE_ROWS = 200;
const T = 1_800_000_000_000;

interface Stage {
  server: TestServer;
  database: HoraeDatabase;
  store: JobStore;
}

/** Every contender has the same table with the same indexes, on a server of its own kind: the store's. */
async function open(): Promise<Stage> {
  const server = await startTestPostgres();
  const database = await openDatabase(server.url);
  const store = await sqlJobStore(database);
  const schedule = JSON.stringify({ kind: 'cron', expression: '0 * * * * ?' });
  const rows = Array.from({ length: DUE }, (_, i) => [i + 1, bucketOf(i + 1)]);
  await sql`
    insert into horae_ring_jobs (id, next_at, created_at, updated_at, concurrency, retries, priority, bucket, state, misfire,
      route, block, name, handler, executor_group, schedule)
    select (v->>0)::bigint, 0, ${T}, ${T}, 1, 0, 0, (v->>1)::integer, 'RUNNING', 'DO_NOTHING', 'FIRST', 'SERIAL',
      'a job of some length', 'handler', 'default', ${schedule}
    from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) as t(v)`.execute(database.kysely);
  return { server, database, store };
}

async function close({ server, database }: Stage): Promise<void> {
  await database.close();
  await server.stop();
}

/** Makes all jobs due again, without the dead rows of the round before. */
async function reset({ database }: Stage): Promise<void> {
  await sql`update horae_ring_jobs set next_at = ${T}::double precision + id % 1000`.execute(database.kysely);
  await sql`vacuum analyze horae_ring_jobs`.execute(database.kysely);
}

/** Nanoseconds a job from due to advanced; `pass` takes up to `BATCH` and tells how many it took. */
async function untilNoneIsDue(stage: Stage, passes: readonly (() => Promise<number>)[]): Promise<number> {
  await reset(stage);
  const start = process.hrtime.bigint();
  const counts = await Promise.all(
    passes.map(async (pass) => {
      let all = 0;
      for (let count = await pass(); count > 0; count = await pass()) all += count;
      return all;
    }),
  );
  const took = Number(process.hrtime.bigint() - start);
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all !== DUE) throw new Error(`${all} jobs were claimed instead of ${DUE}`);
  return took / DUE;
}

/** Takes what is due and advances it by a minute, as the store does it. */
async function storePass(trx: JobTransaction, buckets: readonly number[] | null): Promise<number> {
  const due = await trx.lockDueJobs({ until: T + 5_000, limit: BATCH, buckets });
  await trx.advanceJobs(
    due.map(({ id, nextAt }) => ({
      id,
      state: 'RUNNING',
      stopReason: null,
      lastAt: nextAt,
      nextAt: nextAt! + 60_000,
      updatedAt: T,
    })),
  );
  return due.length;
}

const ours = (stage: Stage) =>
  untilNoneIsDue(stage, [
    () =>
      stage.store.transaction(async (trx) => {
        await trx.takeLockRow();
        return storePass(trx, null);
      }),
  ]);

const inBuckets = (stage: Stage) =>
  untilNoneIsDue(
    stage,
    [0, 1, 2, 3].map((node) => {
      const buckets = Array.from({ length: 16 }, (_, i) => node * 16 + i);
      return () => stage.store.transaction((trx) => storePass(trx, buckets));
    }),
  );

interface DueRow {
  id: number;
  next_at: number;
}

/** The lock row, then what is due; `advance` writes it back. */
function modelPass({ database }: Stage, advance: (trx: AnyTransaction, due: readonly DueRow[]) => Promise<void>) {
  return () =>
    database.transaction(async (trx) => {
      await sql`select name from horae_ring_lock where name = 'schedule' for update`.execute(trx);
      const { rows } = await sql<DueRow>`
        select * from horae_ring_jobs where state = 'RUNNING' and next_at <= ${T + 5_000}
        order by next_at, id limit ${BATCH}`.execute(trx);
      await advance(trx, rows);
      return rows.length;
    });
}

async function rowByRow(trx: AnyTransaction, due: readonly DueRow[]): Promise<void> {
  for (const { id, next_at } of due) {
    await sql`
      update horae_ring_jobs set last_at = ${next_at}, next_at = ${next_at + 60_000}, state = 'RUNNING', updated_at = ${T}
      where id = ${id}`.execute(trx);
  }
}

async function byCases(trx: AnyTransaction, due: readonly DueRow[]): Promise<void> {
  for (let from = 0; from < due.length; from += CASE_ROWS) {
    const rows = due.slice(from, from + CASE_ROWS);
    const branches = (value: (row: DueRow) => number) =>
      sql.raw(`case id ${rows.map((row) => `when ${row.id} then ${value(row)}`).join(' ')} end`);
    await sql`
      update horae_ring_jobs set last_at = ${branches(({ next_at }) => next_at)},
        next_at = ${branches(({ next_at }) => next_at + 60_000)}, state = 'RUNNING', updated_at = ${T}
      where id in (${sql.raw(rows.map(({ id }) => id).join(','))})`.execute(trx);
  }
}

const models = {
  'one update a row': {
    setup: open,
    sample: (stage: Stage) => untilNoneIsDue(stage, [modelPass(stage, rowByRow)]),
    teardown: close,
  },
  'batched CASE updates': {
    setup: open,
    sample: (stage: Stage) => untilNoneIsDue(stage, [modelPass(stage, byCases)]),
    teardown: close,
  },
};

export default [
  defineBench({
    name: 'time-ring/store-postgres/one-connection',
    about:
      'One of 20,000 due jobs claimed and advanced under the lock row, 5,000 a transaction; same table and indexes.',
    ours: 'time-ring',
    contenders: { 'time-ring': { setup: open, sample: ours, teardown: close }, ...models },
    wanted: [{ against: 'batched CASE updates', ratioAtLeast: 1 }],
  }),
  defineBench({
    name: 'time-ring/store-postgres/four-connections',
    about: 'The same by four connections, each in its 16 buckets.',
    ours: 'time-ring in buckets',
    contenders: {
      'time-ring in buckets': { setup: open, sample: inBuckets, teardown: close },
      'batched CASE updates': models['batched CASE updates'],
    },
    wanted: [{ against: 'batched CASE updates', ratioAtLeast: 1.5 }],
  }),
];
