import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createManualClock, type ManualClock } from '@horae/clock-store/testing';
import { defineBench } from '@horae-tooling/bench';
import { Cron } from 'croner';
import { createTask } from 'node-cron';
import { scheduleJob } from 'node-schedule';
import { createScheduler, memoryTaskStore, type Registration, type SchedulerOptions } from '../../src/index.js';

const registrations = (count: number, cron: string): Registration[] =>
  Array.from({ length: count }, (_, i) => [`task-${i}`, cron, () => {}, 60_000]);

function temporaryDatabase() {
  const folder = mkdtempSync(join(tmpdir(), 'horae-bench-'));
  return { url: `sqlite:${join(folder, 'tasks.db')}`, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Nanoseconds that `work` takes. */
async function timed(work: () => Promise<unknown> | unknown): Promise<number> {
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start);
}

async function initialize(count: number, options: SchedulerOptions): Promise<number> {
  const clock = createManualClock({ now: '2026-03-01T10:00:30Z' });
  const scheduler = createScheduler({ zone: 'UTC', clock, ...options });
  const tasks = registrations(count, '0 12 * * *');
  const took = await timed(() => scheduler.initialize(tasks));
  await scheduler.stop();
  return took;
}

/** All tasks are due in the same minute: from the minute's beginning until every run is recorded. */
async function oneBusyMinute(count: number, options: SchedulerOptions): Promise<number> {
  const clock = createManualClock({ now: '2026-03-01T10:00:30Z' });
  const scheduler = createScheduler({ zone: 'UTC', clock, ...options });
  await scheduler.initialize(registrations(count, '1 10 * * *'));
  const took = await timed(async () => {
    await clock.advanceBy(30_000);
    await scheduler.stop();
  });
  return took;
}

interface Idle {
  readonly clock: ManualClock;
  end(): Promise<void>;
}

/** An idle wake-up: nothing is due, `count` tasks wait. The tasks are declared once: collecting what that left is not its cost. */
const idleMinute = (count: number) => ({
  async setup(): Promise<Idle> {
    const clock = createManualClock({ now: '2026-03-01T10:00:30Z' });
    const scheduler = createScheduler({ zone: 'UTC', clock, store: memoryTaskStore() });
    await scheduler.initialize(registrations(count, '0 0 29 2 *'));
    return { clock, end: () => scheduler.stop() };
  },
  run: ({ clock }: Idle) => clock.advanceBy(60 * 60_000),
  operations: 60,
  teardown: ({ end }: Idle) => end(),
});

/** One second of instances with nothing due on a SQLite file: what the lease costs. */
const idleSecond = (instances: readonly ('standby' | 'alone')[]) => ({
  async setup(): Promise<Idle> {
    const { url: database, remove } = temporaryDatabase();
    const clock = createManualClock({ now: '2026-03-01T10:00:30Z' });
    const schedulers = instances.map((kind) => createScheduler({ zone: 'UTC', clock, database, instances: kind }));
    for (const scheduler of schedulers) await scheduler.initialize(registrations(1_000, '0 0 29 2 *'));
    const end = async () => {
      await Promise.all(schedulers.map((scheduler) => scheduler.stop()));
      remove();
    };
    return { clock, end };
  },
  run: ({ clock }: Idle) => clock.advanceBy(1_000),
  teardown: ({ end }: Idle) => end(),
});

const onSqlite = async (work: (database: string) => Promise<number>): Promise<number> => {
  const { url, remove } = temporaryDatabase();
  try {
    return await work(url);
  } finally {
    remove();
  }
};

const peers = {
  croner: (count: number) =>
    timed(() => {
      const jobs = Array.from({ length: count }, () => new Cron('0 12 * * *', { paused: false }, () => {}));
      for (const job of jobs) job.stop();
    }),
  'node-cron': (count: number) =>
    timed(async () => {
      const jobs = Array.from({ length: count }, () => createTask('0 12 * * *', () => {}));
      for (const job of jobs) await job.start();
      for (const job of jobs) await job.destroy();
    }),
  'node-schedule': (count: number) =>
    timed(() => {
      const jobs = Array.from({ length: count }, () => scheduleJob('0 12 * * *', () => {}));
      for (const job of jobs) job.cancel();
    }),
};

export default [
  defineBench({
    name: 'scheduler/initialize/1000',
    about: 'Declaring 1,000 daily tasks until they wait, in memory; the peers have no store at all.',
    ours: 'declarative-scheduler',
    contenders: {
      'declarative-scheduler': { sample: () => initialize(1_000, {}) },
      croner: { sample: () => peers.croner(1_000) },
      'node-cron': { sample: () => peers['node-cron'](1_000) },
      'node-schedule': { sample: () => peers['node-schedule'](1_000) },
    },
  }),
  ...[1_000, 10_000, 100_000].map((count) =>
    defineBench({
      name: `scheduler/initialize-sqlite/${count}`,
      about: 'Declaring tasks until they wait and are stored in a SQLite file, synchronous=FULL.',
      ours: 'declarative-scheduler',
      contenders: {
        'declarative-scheduler': { sample: () => onSqlite((database) => initialize(count, { database })) },
      },
      wanted: count === 100_000 ? [{ atMost: 5e9 }] : [],
    }),
  ),
  ...[1_000, 10_000].map((count) =>
    defineBench({
      name: `scheduler/busy-minute-sqlite/${count}`,
      about: 'Tasks due in one minute, started, run and recorded in a SQLite file.',
      ours: 'declarative-scheduler',
      contenders: {
        'declarative-scheduler': { sample: () => onSqlite((database) => oneBusyMinute(count, { database })) },
      },
      wanted: count === 10_000 ? [{ atMost: 2e9 }] : [],
    }),
  ),
  ...[1_000, 10_000, 100_000, 1_000_000].map((count) =>
    defineBench({
      name: `scheduler/busy-minute-memory/${count}`,
      about: 'Tasks due in one minute, started, run and recorded in memory: the last one starts within this time.',
      ours: 'declarative-scheduler',
      contenders: { 'declarative-scheduler': { sample: () => oneBusyMinute(count, {}) } },
      wanted: count === 1_000_000 ? [{ atMost: 60e9 }] : [],
    }),
  ),
  defineBench({
    name: 'scheduler/idle-wake-up',
    about: 'One wake-up with nothing due, on the manual clock.',
    ours: 'among 100,000 tasks',
    contenders: {
      'among 1,000 tasks': idleMinute(1_000),
      'among 10,000 tasks': idleMinute(10_000),
      'among 100,000 tasks': idleMinute(100_000),
    },
    // The same cost, whatever the number of tasks.
    wanted: [{ against: 'among 1,000 tasks', ratioAtLeast: 0.67 }],
  }),
  defineBench({
    name: 'scheduler/lease-idle-sqlite',
    about: 'One second with nothing due on a SQLite file: without a lease, leading, and leading beside a standby.',
    ours: 'leading',
    contenders: {
      leading: idleSecond(['standby']),
      'leading and a standby': idleSecond(['standby', 'standby']),
      'without a lease': idleSecond(['alone']),
    },
    // One heartbeat a second, which is one durable write: a hundredth of the time.
    wanted: [{ atMost: 10e6 }],
  }),
];
