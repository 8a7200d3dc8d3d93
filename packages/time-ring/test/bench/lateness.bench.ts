import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@horae/clock-store';
import { type HoraeDatabase, openDatabase } from '@horae/clock-store/storage';
import { startTestPostgres, type TestServer } from '@horae/clock-store/testing';
import { createExecutor, startTimeRing } from '@horae/time-ring';
import { defineBench } from '@horae-tooling/bench';
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import { sql } from 'kysely';
import pg from 'pg';
import PgBoss from 'pg-boss';

const JOBS = 1_000;
const AHEAD_MS = 6_000;
const clock = systemClock();

/** The 99th of a hundred, in milliseconds. */
function p99(lateness: number[]): number {
  lateness.sort((a, b) => a - b);
  return lateness[Math.floor(lateness.length * 0.99) - 1]!;
}

/** A whole second some seconds ahead, for which everything is prepared in time. */
function nextBusySecond(): number {
  return (Math.floor(clock.now() / 1_000) + AHEAD_MS / 1_000) * 1_000;
}

/** Collects how late each job starts, and tells when all have. */
function finishLine() {
  const lateness: number[] = [];
  let finish!: () => void;
  const all = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return {
    start(dueAt: number) {
      lateness.push(clock.now() - dueAt);
      if (lateness.length === JOBS) finish();
    },
    async result() {
      await all;
      return p99(lateness);
    },
  };
}

async function onSqlite<T>(work: (url: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'horae-bench-'));
  try {
    return await work(`sqlite:${join(folder, 'ring.db')}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function ours(url: string): Promise<number> {
  await using database = await openDatabase(url);
  const line = finishLine();
  const ring = await startTimeRing({ database });
  await createExecutor({ ring, handlers: { work: ({ scheduleTime }) => line.start(scheduleTime!) } });
  const dueAt = nextBusySecond();
  const at = new Date(dueAt);
  const expression = `${at.getUTCSeconds()} ${at.getUTCMinutes()} ${at.getUTCHours()} * * ?`;
  for (let i = 0; i < JOBS; i++) {
    await ring.jobs.add({ name: `job ${i}`, handler: 'work', schedule: { kind: 'cron', expression }, start: true });
  }
  const result = await line.result();
  await ring.stop();
  return result;
}

const onServer = (sample: (url: string) => Promise<number>) => ({
  setup: () => startTestPostgres(),
  sample: async (server: TestServer) => sample(await server.freshDatabase()),
  teardown: (server: TestServer) => server.stop(),
});

async function graphile(url: string): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: 12 });
  pool.on('error', () => {});
  pool.on('connect', (client) => void client.on('error', () => {}));
  const utils = await makeWorkerUtils({ pgPool: pool });
  await utils.migrate();
  const dueAt = nextBusySecond();
  await utils.addJob('work', {}, { runAt: new Date(dueAt) });
  await pool.query(`
    insert into graphile_worker._private_jobs (task_id, run_at)
    select task_id, run_at from graphile_worker._private_jobs, generate_series(2, ${JOBS})`);
  const line = finishLine();
  const runner = await run({
    pgPool: pool,
    noHandleSignals: true,
    taskList: { work: () => line.start(dueAt) },
    preset: {
      worker: { logger: new Logger(() => () => {}), concurrentJobs: 100, pollInterval: 100, localQueue: { size: 500 } },
    },
  });
  const result = await line.result();
  await runner.stop();
  await utils.release();
  await pool.end();
  return result;
}

async function boss(url: string): Promise<number> {
  const boss = new PgBoss({ connectionString: url, max: 12, supervise: false, schedule: false });
  await boss.start();
  await boss.createQueue('work');
  const dueAt = nextBusySecond();
  await boss.insert(Array.from({ length: JOBS }, () => ({ name: 'work', startAfter: new Date(dueAt) })));
  const line = finishLine();
  await boss.work('work', { batchSize: JOBS, pollingIntervalSeconds: 0.5 }, async (jobs) => {
    for (const _ of jobs) line.start(dueAt);
  });
  const result = await line.result();
  await boss.stop({ graceful: false });
  return result;
}

const STORED = 1_000_000;
const WATCH_MS = 20_000;

/** Jobs of which a thousand are due in every second of the next thousand. */
async function storeMillion(database: HoraeDatabase): Promise<void> {
  const from = nextBusySecond();
  const schedule = JSON.stringify({ kind: 'fix-rate', everyMs: 1_000_000 });
  await sql`
    insert into horae_ring_jobs (id, next_at, created_at, updated_at, concurrency, retries, priority, bucket, state, misfire,
      route, block, name, handler, executor_group, schedule)
    with recursive ids(id) as (select 1 union all select id + 1 from ids where id < ${STORED})
    select id, ${from} + (id % 1000) * 1000, ${from}, ${from}, 1, 0, 0, id % 64, 'RUNNING', 'DO_NOTHING', 'FIRST', 'SERIAL',
      'job', 'work', 'default', ${schedule} from ids`.execute(database.kysely);
}

/** The share of a core, in percent, that a thousand jobs a second out of a million take on a SQLite file. */
async function millionStored(url: string): Promise<number> {
  await using database = await openDatabase(url);
  const ring = await startTimeRing({ database });
  await createExecutor({ ring, handlers: { work: () => {} } });
  await storeMillion(database);
  await clock.sleepFor(AHEAD_MS + 4_000);
  const [cpu, began, before] = [process.cpuUsage(), clock.monotonicMs(), ring.metrics().succeeded];
  await clock.sleepFor(WATCH_MS);
  const { user, system } = process.cpuUsage(cpu);
  const tookMs = clock.monotonicMs() - began;
  const rate = ((ring.metrics().succeeded - before) / tookMs) * 1_000;
  if (rate < 900) throw new Error(`only ${Math.round(rate)} jobs a second ran`);
  await ring.stop({ deadlineMs: 5_000 });
  return ((user + system) / 1_000 / tookMs) * 100;
}

export default [
  defineBench({
    name: 'time-ring/lateness',
    about:
      'p99 of how late 1,000 jobs start that are due in the same second, in milliseconds; peers poll every 0.1 and 0.5 s.',
    unit: 'ms',
    ours: 'time-ring on SQLite',
    contenders: {
      'time-ring on SQLite': { sample: () => onSqlite(ours) },
      'time-ring on PostgreSQL': onServer(ours),
      'graphile-worker': onServer(graphile),
      'pg-boss': onServer(boss),
    },
    wanted: [{ atMost: 25 }],
  }),
  defineBench({
    name: 'time-ring/million-stored',
    about: '1,000,000 stored jobs, 1,000 due a second, on a SQLite file: percent of a core.',
    unit: '% of a core',
    ours: 'time-ring',
    contenders: { 'time-ring': { sample: () => onSqlite(millionStored) } },
    wanted: [{ atMost: 50 }],
  }),
];
