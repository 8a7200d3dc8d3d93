import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@horae/clock-store';
import { startTestPostgres, type TestServer } from '@horae/clock-store/testing';
import { createExecutor, type FlowInput, startTimeRing, type TimeRing } from '@horae/time-ring';
import { defineBench } from '@horae-tooling/bench';
import { type FlowJob, FlowProducer, QueueEvents, Worker } from 'bullmq';

const WIDE = 2_000;
const LONG = 200;
const AT_ONCE = 100;
const QUEUE = 'work';

/** Many steps and one after all of them. */
const names = Array.from({ length: WIDE }, (_, i) => `s${i}`);
const wide: FlowInput['steps'] = {
  ...Object.fromEntries(names.map((name) => [name, { job: QUEUE }])),
  last: { job: QUEUE, after: names },
};
const wideOfBull: FlowJob = {
  ...{ name: 'last', queueName: QUEUE },
  children: names.map((name) => ({ name, queueName: QUEUE })),
};

/** One step after the other. */
const long: FlowInput['steps'] = Object.fromEntries(
  Array.from({ length: LONG }, (_, i) => [`s${i}`, { job: QUEUE, after: i === 0 ? [] : [`s${i - 1}`] }]),
);
let longOfBull: FlowJob = { name: 's0', queueName: QUEUE };
for (let i = 1; i < LONG; i++) longOfBull = { name: `s${i}`, queueName: QUEUE, children: [longOfBull] };

const since = (began: bigint, steps: number) => Number(process.hrtime.bigint() - began) / steps;

/** From the start of the flow to its recorded end, in nanoseconds a step. */
async function ours(ring: TimeRing, steps: FlowInput['steps']): Promise<number> {
  const began = process.hrtime.bigint();
  const { id } = await ring.flows.start({ name: 'bench', steps });
  await ring.flows.wait(id);
  return since(began, Object.keys(steps).length);
}

interface Place {
  readonly ring: TimeRing;
  close(): Promise<void>;
}

async function openRing(database: string, closeDatabase: () => unknown): Promise<Place> {
  const ring = await startTimeRing({ database });
  await createExecutor({ ring, handlers: { work: () => {} }, concurrency: AT_ONCE });
  const many = { block: 'CONCURRENT', concurrency: AT_ONCE } as const;
  await ring.jobs.put({ key: QUEUE, name: QUEUE, handler: QUEUE, schedule: { kind: 'none' }, ...many });
  return {
    ring,
    async close() {
      await ring.stop();
      await closeDatabase();
    },
  };
}

const onSqlite = (steps: FlowInput['steps']) => ({
  setup() {
    const folder = mkdtempSync(join(tmpdir(), 'horae-bench-'));
    return openRing(`sqlite:${join(folder, 'ring.db')}`, () => rmSync(folder, { recursive: true, force: true }));
  },
  sample: ({ ring }: Place) => ours(ring, steps),
  teardown: (place: Place) => place.close(),
});

const onPostgres = (steps: FlowInput['steps']) => ({
  async setup() {
    const server: TestServer = await startTestPostgres();
    return openRing(await server.freshDatabase(), () => server.stop());
  },
  sample: ({ ring }: Place) => ours(ring, steps),
  teardown: (place: Place) => place.close(),
});

interface Bull {
  readonly redis: ChildProcess;
  readonly folder: string;
  readonly flows: FlowProducer;
  readonly worker: Worker;
  readonly events: QueueEvents;
}

async function openBull(): Promise<Bull> {
  const folder = mkdtempSync(join(tmpdir(), 'horae-redis-'));
  const port = await freePort();
  const options = ['--port', String(port), '--dir', folder, '--appendonly', 'yes', '--appendfsync', 'everysec'];
  const redis = spawn('redis-server', [...options, '--save', ''], { stdio: 'ignore' });
  await systemClock().sleepFor(500);
  const connection = { host: '127.0.0.1', port, maxRetriesPerRequest: null };
  const worker = new Worker(QUEUE, async () => {}, { connection, concurrency: AT_ONCE });
  await worker.waitUntilReady();
  const events = new QueueEvents(QUEUE, { connection });
  await events.waitUntilReady();
  return { redis, folder, flows: new FlowProducer({ connection }), worker, events };
}

/** The same with a parent that waits for its children. */
async function bull({ flows, events }: Bull, flow: FlowJob, steps: number): Promise<number> {
  const began = process.hrtime.bigint();
  const { job } = await flows.add(flow);
  await job.waitUntilFinished(events);
  return since(began, steps);
}

const onRedis = (flow: FlowJob, steps: number) => ({
  setup: openBull,
  sample: (state: Bull) => bull(state, flow, steps),
  async teardown({ redis, folder, flows, worker, events }: Bull) {
    await worker.close();
    await events.close();
    await flows.close();
    redis.kill();
    rmSync(folder, { recursive: true, force: true });
  },
});

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
if (!hasRedis) console.log('redis-server is not on the PATH: BullMQ is left out of time-ring/flows');

const beside = (flow: FlowJob, steps: number): Record<string, ReturnType<typeof onRedis>> =>
  hasRedis ? { BullMQ: onRedis(flow, steps) } : {};

export default [
  defineBench({
    name: 'time-ring/flows/wide',
    about: `${WIDE} steps and one after all of them, from the start of the flow to its recorded end, per step; handlers that do nothing, ${AT_ONCE} at once. BullMQ: a parent with ${WIDE} children, Redis with AOF everysec.`,
    ours: 'time-ring on PostgreSQL',
    contenders: {
      'time-ring on PostgreSQL': onPostgres(wide),
      'time-ring on a SQLite file': onSqlite(wide),
      ...beside(wideOfBull, WIDE + 1),
    },
    ...(hasRedis ? { wanted: [{ against: 'BullMQ', ratioAtLeast: 1 }] } : {}),
  }),
  defineBench({
    name: 'time-ring/flows/long',
    about: `${LONG} steps one after the other, from the start of the flow to its recorded end, per step.`,
    ours: 'time-ring on PostgreSQL',
    contenders: {
      'time-ring on PostgreSQL': onPostgres(long),
      'time-ring on a SQLite file': onSqlite(long),
      ...beside(longOfBull, LONG),
    },
  }),
];
