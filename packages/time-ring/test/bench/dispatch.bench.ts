import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@horae/clock-store';
import { openDatabase } from '@horae/clock-store/storage';
import { startTestPostgres, type TestServer } from '@horae/clock-store/testing';
import { createExecutor, type JobStore, sqlJobStore, startTimeRing } from '@horae/time-ring';
import { defineBench } from '@horae-tooling/bench';
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import pg from 'pg';
import PgBoss from 'pg-boss';
import { UNOWNED } from '../../src/model/run.js';
import { settings as jobSettings, newRun } from '../../src/testing/conformance-stage.js';

const JOBS = 20_000;
const pools = { fast: { size: 1_000, queue: 30_000 } };

const seconds = (from: bigint) => Number(process.hrtime.bigint() - from) / JOBS;

/** Rows that were claimed and wait for a node, as after a crash. */
async function writePending(store: JobStore): Promise<void> {
  await store.transaction(async (trx) => {
    const [job = await trx.insertJob(settings, 0)] = await trx.jobs({ limit: 1, afterId: 0 });
    const run = newRun({ jobId: job.id, owner: UNOWNED });
    await trx.insertRuns(Array.from({ length: JOBS }, () => run));
  });
}

const settings = jobSettings({ schedule: { kind: 'none' }, handler: 'work', block: 'CONCURRENT', concurrency: JOBS });

/** From claimed rows to the last recorded result, in nanoseconds a job. */
async function ours(url: string): Promise<number> {
  await using database = await openDatabase(url);
  let began = 0n;
  const onStep = (step: string) => {
    if (step === 'claimed') began = process.hrtime.bigint();
  };
  const ring = await startTimeRing({ database, onStep, pools, batchLimit: JOBS });
  await createExecutor({ ring, handlers: { work: () => {} } });
  await writePending(await sqlJobStore(database));
  let done = 0;
  let first = 0n;
  const took = await new Promise<number>((resolve) => {
    ring.events.on('run-succeeded', () => {
      // The rows are all claimed by one pass; the next one must not begin the time anew.
      if (done === 0) first = began;
      done += 1;
      if (done === JOBS) resolve(seconds(first));
    });
  });
  await ring.stop();
  return took;
}

async function onSqlite(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'horae-bench-'));
  try {
    return await ours(`sqlite:${join(folder, 'ring.db')}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const onServer = (sample: (url: string) => Promise<number>) => ({
  setup: () => startTestPostgres(),
  async sample(server: TestServer) {
    return sample(await server.freshDatabase());
  },
  teardown: (server: TestServer) => server.stop(),
});

async function graphile(url: string): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: 12 });
  pool.on('error', () => {});
  pool.on('connect', (client) => void client.on('error', () => {}));
  const utils = await makeWorkerUtils({ pgPool: pool });
  await utils.migrate();
  await utils.addJob('work', {});
  // Its own function takes seconds for so many; the rows are the same.
  await pool.query(`
    insert into graphile_worker._private_jobs (task_id)
    select task_id from graphile_worker._private_jobs, generate_series(2, ${JOBS})`);
  const began = process.hrtime.bigint();
  const runner = await run({
    pgPool: pool,
    noHandleSignals: true,
    taskList: { work: () => {} },
    preset: {
      worker: {
        logger: new Logger(() => () => {}),
        concurrentJobs: 100,
        localQueue: { size: 1_000 },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
  });
  const took = await untilNone(pool, 'select count(*)::int as left from graphile_worker._private_jobs', began);
  await runner.stop();
  await utils.release();
  await pool.end();
  return took;
}

/** The queue is empty when every result is recorded. */
async function untilNone(pool: pg.Pool, query: string, began: bigint): Promise<number> {
  for (;;) {
    const { rows } = await pool.query<{ left: number }>(query);
    if (rows[0]!.left === 0) return seconds(began);
    await systemClock().sleepFor(5);
  }
}

async function boss(url: string): Promise<number> {
  const boss = new PgBoss({ connectionString: url, max: 12, supervise: false, schedule: false });
  await boss.start();
  await boss.createQueue('work');
  await boss.insert(Array.from({ length: JOBS }, () => ({ name: 'work' })));
  const began = process.hrtime.bigint();
  const worker = async () => {
    for (;;) {
      const jobs = await boss.fetch('work', { batchSize: 1_000 });
      if (jobs.length === 0) return;
      await boss.complete(
        'work',
        jobs.map(({ id }) => id),
      );
    }
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
  const took = seconds(began);
  await boss.stop({ graceful: false });
  return took;
}

export default [
  defineBench({
    name: 'time-ring/dispatch/postgres',
    about: `${JOBS} no-op jobs on PostgreSQL, from claimed row (peers: stored row) to recorded result; peers with large batches and 12 connections.`,
    ours: 'time-ring',
    contenders: {
      'time-ring': onServer(ours),
      'graphile-worker': onServer(graphile),
      'pg-boss': onServer(boss),
    },
    wanted: [
      { against: 'graphile-worker', ratioAtLeast: 1 },
      { against: 'pg-boss', ratioAtLeast: 1 },
    ],
  }),
  defineBench({
    name: 'time-ring/dispatch/sqlite',
    about: `${JOBS} no-op jobs on a SQLite file, fully durable, from claimed row to recorded result.`,
    ours: 'time-ring',
    contenders: { 'time-ring': { sample: onSqlite } },
  }),
];
