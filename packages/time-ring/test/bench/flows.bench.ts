import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestPostgres, type TestServer } from '@horae/clock-store/testing';
import { createExecutor, type FlowInput, startTimeRing, type TimeRing } from '@horae/time-ring';
import { defineBench } from '@horae-tooling/bench';
import { type FlowJob, FlowProducer, QueueEvents, Worker } from 'bullmq';
import { hasRedis, type RedisServer, startRedis } from './redis-server.js';

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
  readonly redis: RedisServer;
  readonly flows: FlowProducer;
  readonly worker: Worker;
  readonly events: QueueEvents;
}

async function openBull(): Promise<Bull> {
  const redis = await startRedis();
  const connection = { path: redis.path, maxRetriesPerRequest: null };
  const worker = new Worker(QUEUE, async () => {}, { connection, concurrency: AT_ONCE });
  await worker.waitUntilReady();
  const events = new QueueEvents(QUEUE, { connection });
  await events.waitUntilReady();
  return { redis, flows: new FlowProducer({ connection }), worker, events };
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
  async teardown({ redis, flows, worker, events }: Bull) {
    await worker.close();
    await events.close();
    await flows.close();
    await redis.stop();
  },
});

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
