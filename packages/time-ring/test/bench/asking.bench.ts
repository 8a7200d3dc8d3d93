import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@horae/clock-store';
import { startTestPostgres, type TestServer } from '@horae/clock-store/testing';
import { connectTimeRing, createExecutor, startTimeRing } from '@horae/time-ring';
import { defineBench } from '@horae-tooling/bench';
import { Queue, Worker } from 'bullmq';
import { Logger, makeWorkerUtils, run, type WorkerUtils } from 'graphile-worker';
import pg from 'pg';
import PgBoss from 'pg-boss';
import { hasRedis, type RedisServer, startRedis } from './redis-server.js';

const JOBS = 20_000;
const BATCH = 1_000;
/** How many are asked for one by one, and how long nothing happens between two. */
const SINGLE = 200;
const IDLE_MS = 15;
const clock = systemClock();

const batches = Array.from({ length: JOBS / BATCH }, () => Array.from({ length: BATCH }, (_, i) => ({ n: i })));

/** What a queue does in these benches. Each is given a database of its own. */
interface Contestant {
  /** Stores the batch. */
  enqueue(batch: readonly { n: number }[]): Promise<unknown>;
  /** Starts a worker that calls `started` at the begin of each job. */
  work(started: () => void): Promise<void>;
  /** Resolves when the results of all jobs are recorded. */
  allDone(): Promise<void>;
  close(): Promise<void>;
}

type Open = (address: string) => Promise<Contestant>;

const job = { key: 'work', name: 'work', handler: 'work', schedule: { kind: 'none' } } as const;

const ours: Open = async (database) => {
  const client = await connectTimeRing({ database });
  await client.jobs.put({ ...job, block: 'CONCURRENT', concurrency: JOBS });
  let ring: Awaited<ReturnType<typeof startTimeRing>> | undefined;
  let ended = 0;
  return {
    enqueue: (batch) =>
      (ring ?? client).jobs.triggerMany(
        'work',
        batch.map((params) => ({ params })),
      ),
    async work(started) {
      const pools = { fast: { size: BATCH, queue: JOBS } };
      ring = await startTimeRing({ database, pools, batchLimit: JOBS });
      ring.events.on('run-succeeded', () => void ended++);
      await createExecutor({ ring, handlers: { work: () => started() } });
    },
    allDone: () => until(async () => ended === JOBS),
    async close() {
      await ring?.stop();
      await client.stop();
    },
  };
};

const bullmq: Open = async (path) => {
  const connection = { path, maxRetriesPerRequest: null };
  const queue = new Queue('work', { connection });
  await queue.obliterate({ force: true });
  let worker: Worker | undefined;
  let ended = 0;
  return {
    enqueue: (batch) => queue.addBulk(batch.map((data) => ({ name: 'work', data, opts: { removeOnComplete: true } }))),
    async work(started) {
      worker = new Worker('work', async () => started(), { connection, concurrency: 100 });
      worker.on('completed', () => void ended++);
      await worker.waitUntilReady();
    },
    allDone: () => until(async () => ended === JOBS),
    async close() {
      await worker?.close();
      await queue.close();
    },
  };
};

const graphile: Open = async (url) => {
  const pool = new pg.Pool({ connectionString: url, max: 12 });
  pool.on('error', () => {});
  pool.on('connect', (client) => void client.on('error', () => {}));
  const utils: WorkerUtils = await makeWorkerUtils({ pgPool: pool });
  await utils.migrate();
  let runner: Awaited<ReturnType<typeof run>> | undefined;
  return {
    enqueue: (batch) => utils.addJobs(batch.map((payload) => ({ identifier: 'work', payload }))),
    async work(started) {
      const worker = {
        ...{ logger: new Logger(() => () => {}), concurrentJobs: 100, localQueue: { size: BATCH } },
        ...{ completeJobBatchDelay: 0, failJobBatchDelay: 0 },
      };
      runner = await run({
        pgPool: pool,
        noHandleSignals: true,
        taskList: { work: () => started() },
        preset: { worker },
      });
    },
    allDone: () =>
      until(async () => {
        const { rows } = await pool.query('select 1 from graphile_worker._private_jobs limit 1');
        return rows.length === 0;
      }),
    async close() {
      await runner?.stop();
      await utils.release();
      await pool.end();
    },
  };
};

const pgBoss: Open = async (url) => {
  const boss = new PgBoss({ connectionString: url, max: 12, supervise: false, schedule: false });
  await boss.start();
  await boss.createQueue('work');
  let ended = 0;
  return {
    enqueue: (batch) => boss.insert(batch.map((data) => ({ name: 'work', data }))),
    async work(started) {
      const options = { batchSize: BATCH, pollingIntervalSeconds: 0.5 };
      const handle = async (jobs: readonly unknown[]) => {
        for (const _ of jobs) started();
        ended += jobs.length;
      };
      for (let i = 0; i < 4; i++) await boss.work('work', options, handle);
    },
    allDone: () => until(async () => ended === JOBS),
    close: () => boss.stop({ graceful: false }),
  };
};

/** Two minutes at most. */
async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 60_000; turn++) {
    if (await isTrue()) return;
    await clock.sleepFor(2);
  }
  throw new Error('The jobs were not all done within two minutes');
}

const nsPerJob = (from: bigint) => Number(process.hrtime.bigint() - from) / JOBS;

async function enqueue(open: Open, address: string): Promise<number> {
  const queue = await open(address);
  const began = process.hrtime.bigint();
  for (const batch of batches) await queue.enqueue(batch);
  const took = nsPerJob(began);
  await queue.close();
  return took;
}

/** All jobs are stored before the worker starts. */
async function processAll(open: Open, address: string): Promise<number> {
  const queue = await open(address);
  for (const batch of batches) await queue.enqueue(batch);
  const began = process.hrtime.bigint();
  await queue.work(() => {});
  await queue.allDone();
  const took = nsPerJob(began);
  await queue.close();
  return took;
}

/** From the call to the begin of the handler, one job at a time while nothing else happens. */
async function idleStarts(open: Open, address: string, share: number): Promise<number> {
  const queue = await open(address);
  let start!: () => void;
  await queue.work(() => start());
  const delays: number[] = [];
  for (let i = 0; i < SINGLE; i++) {
    const started = new Promise<void>((resolve) => {
      start = resolve;
    });
    const began = clock.monotonicMs();
    await Promise.all([queue.enqueue([{ n: i }]), started]);
    delays.push(clock.monotonicMs() - began);
    await clock.sleepFor(IDLE_MS);
  }
  await queue.close();
  delays.sort((a, b) => a - b);
  return delays[Math.ceil(SINGLE * share) - 1]!;
}

type Sample = (open: Open, address: string) => Promise<number>;

const onPostgres = (open: Open, sample: Sample) => ({
  setup: () => startTestPostgres(),
  sample: async (server: TestServer) => sample(open, await server.freshDatabase()),
  teardown: (server: TestServer) => server.stop(),
});

const onRedis = (sample: Sample) => ({
  setup: () => startRedis(),
  sample: ({ path }: RedisServer) => sample(bullmq, path),
  teardown: (server: RedisServer) => server.stop(),
});

const onSqlite = (sample: Sample) => ({
  async sample() {
    const folder = mkdtempSync(join(tmpdir(), 'horae-bench-'));
    try {
      return await sample(ours, `sqlite:${join(folder, 'ring.db')}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

const beside = (sample: Sample, extra = {}) => ({
  'time-ring on PostgreSQL': onPostgres(ours, sample),
  'time-ring on SQLite': onSqlite(sample),
  ...(hasRedis ? { BullMQ: onRedis(sample) } : {}),
  'graphile-worker': onPostgres(graphile, sample),
  ...extra,
});

const OURS = 'time-ring on PostgreSQL';
const aheadOf = (...peers: string[]) =>
  peers.filter((peer) => hasRedis || peer !== 'BullMQ').map((against) => ({ against, ratioAtLeast: 1 }));

export default [
  defineBench({
    name: 'time-ring/asking/enqueue',
    about: `${JOBS} jobs stored in batches of ${BATCH}, per job; BullMQ on Redis with its file written every second.`,
    ours: OURS,
    contenders: beside(enqueue, { 'pg-boss': onPostgres(pgBoss, enqueue) }),
    wanted: aheadOf('BullMQ', 'graphile-worker', 'pg-boss'),
  }),
  defineBench({
    name: 'time-ring/asking/process',
    about: `${JOBS} stored no-op jobs, from the start of a worker to the last recorded result, per job.`,
    ours: OURS,
    contenders: beside(processAll, { 'pg-boss': onPostgres(pgBoss, processAll) }),
    wanted: aheadOf('BullMQ', 'graphile-worker'),
  }),
  ...[
    { part: 'p50', share: 0.5, wanted: [] },
    { part: 'p99', share: 0.99, wanted: [{ atMost: 4 }] },
  ].map(({ part, share, wanted }) =>
    defineBench({
      name: `time-ring/asking/start-${part}`,
      about: `${part} of ${SINGLE} idle starts: from the call to the begin of the handler in the same process, in milliseconds. pg-boss polls every 0.5 s and has no line.`,
      unit: 'ms',
      ours: OURS,
      contenders: beside((open, address) => idleStarts(open, address, share)),
      wanted: [...wanted, ...aheadOf('BullMQ', 'graphile-worker')],
    }),
  ),
];
