import { openDatabase } from '@horae/clock-store/storage';
import { createManualClock, type ManualClock } from '@horae/clock-store/testing';
import { expect, onTestFinished, test } from 'vitest';
import { connectTimeRing } from '../../src/connect-time-ring.js';
import { createExecutor, type RingOptions, startTimeRing } from '../../src/index.js';
import { countedDatabase } from '../support/counted-database.js';
import { networkPlace, onEveryDatabase } from '../support/network-databases.js';
import { recordedLog } from '../support/recorded-log.js';
import { NEVER, START, seconds } from '../support/ring-stage.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A ring with an executor, on the database of the test, whose statements are counted. */
async function quietRing(options: Partial<RingOptions> = {}) {
  const clock = createManualClock({ now: START });
  const place = networkPlace();
  const opened = await openDatabase(place.database, { clock });
  onTestFinished(() => opened.close());
  const { database, statements } = countedDatabase(opened);
  const { log, lines } = recordedLog(clock);
  const ring = await startTimeRing({ ...place, database, clock, log, nodeId: 'quiet', ...options });
  onTestFinished(() => ring.stop({ deadlineMs: 0 }));
  const started: (number | null)[] = [];
  await createExecutor({ ring, handlers: { work: () => void started.push(seconds(clock.now())) } });
  return { clock, database: opened, ring, lines, statements, started };
}

/** Something that a program does at that second, while the clock is being moved. */
function at(clock: ManualClock, second: number, act: () => Promise<unknown>): void {
  void clock.sleepUntil(START + second * 1_000).then(act);
}

const daily = { kind: 'fix-rate', everyMs: DAY_MS } as const;

onEveryDatabase(() => {
  test('a quiet hour costs what happens in it', async () => {
    const { clock, ring, statements } = await quietRing();
    await ring.jobs.add({ name: 'tomorrow', handler: 'work', schedule: daily, start: true });
    await clock.advanceBy(10_000);
    for (const ms of [HOUR_MS, 10 * HOUR_MS]) {
      const before = { passes: ring.metrics().passes, statements: statements() };
      await clock.advanceBy(ms);
      expect(ring.metrics().passes - before.passes).toBeLessThanOrEqual(4);
      expect(statements() - before.statements).toBeLessThanOrEqual(80);
      expect(ring.health()).toMatchObject({ status: 'ok', lastPassAt: clock.now() });
    }
  });

  test('jobs fire at their seconds in a long move, and cost what they cost alone', async () => {
    const { clock, ring, started } = await quietRing();
    const hourly = { kind: 'cron', expression: '0 30 * * * ?' } as const;
    await ring.jobs.add({ name: 'hourly', handler: 'work', schedule: hourly, start: true });
    const before = ring.metrics().passes;
    await clock.advanceBy(5 * HOUR_MS);
    expect(started).toEqual([1_800, 5_400, 9_000, 12_600, 16_200]);
    expect(ring.metrics().passes - before).toBeLessThanOrEqual(5 * 12);
  });

  test('what others do in the middle of a move is noticed in time', async () => {
    const { clock, ring, database, started } = await quietRing();
    const client = await connectTimeRing({ database, clock });
    onTestFinished(() => client.close());
    const { id } = await ring.jobs.add({ name: 'work', handler: 'work', schedule: NEVER });
    const soon = { kind: 'once', at: START + 2_000_000 } as const;
    at(clock, 600.4, () => client.jobs.trigger(id, { delayMs: 1_100 }));
    at(clock, 1_200, () => ring.jobs.trigger(id, { delayMs: 60_000 }));
    at(clock, 1_999, () => client.jobs.add({ name: 'once', handler: 'work', schedule: soon, start: true }));
    await clock.advanceBy(HOUR_MS);
    expect(started).toEqual([601.5, 1_260, 2_000]);
  });

  test('a node that joins in the middle of a move does not take an idle one for dead', async () => {
    const { clock, ring, database, started } = await quietRing();
    const lost: unknown[] = [];
    ring.events.on('bucket-lost', () => lost.push('bucket'));
    const { id } = await ring.jobs.add({ name: 'work', handler: 'work', schedule: NEVER });
    at(clock, 1_800.7, async () => {
      const { claim } = networkPlace();
      const { log, lines } = recordedLog(clock);
      const other = await startTimeRing({ database, clock, claim, log, nodeId: 'other' });
      onTestFinished(() => other.stop({ deadlineMs: 0 }));
      await other.jobs.trigger(id);
      await clock.sleepFor(1_200);
      lost.push(...lines.filter(({ message }) => message.includes('lost')));
      const living = (await other.executors.list()).map(({ nodeId }) => nodeId);
      if (living.join() !== 'quiet') lost.push(living);
      await other.stop({ deadlineMs: 0 });
    });
    await clock.advanceBy(HOUR_MS);
    // Half of the buckets go to the other node and come back.
    expect(lost.filter((one) => one !== 'bucket')).toEqual([]);
    expect(lost.length).toBeLessThanOrEqual(32);
    expect(started.length).toBe(1);
  });

  test('history goes at its time in a long move', async () => {
    const { clock, ring } = await quietRing({ keepRunsMs: DAY_MS });
    const { id } = await ring.jobs.add({ name: 'work', handler: 'work', schedule: NEVER });
    const kept = async () => (await ring.runs.list({})).runs.length;
    for (const hour of [1, 10]) at(clock, hour * 3_600, () => ring.jobs.trigger(id));
    await clock.advanceBy(24 * HOUR_MS);
    expect(await kept()).toBe(2);
    await clock.advanceBy(2 * HOUR_MS);
    expect(await kept()).toBe(1);
    await clock.advanceBy(DAY_MS);
    expect(await kept()).toBe(0);
  });

  test('an alert that is held back goes out at its time in a long move', async () => {
    const sent: (readonly [number | null, number])[] = [];
    const { clock, ring } = await quietRing({
      quietMs: 600_000,
      alerts: [{ on: 'fire-failed', channel: 'ops' }],
      channels: {
        ops: { kind: 'function', send: ({ count }) => void sent.push([seconds(clock.now()), count] as const) },
      },
    });
    await createExecutor({ ring, address: 'b', handlers: { fail: () => Promise.reject(new Error('broken')) } });
    const { id } = await ring.jobs.add({ name: 'fail', handler: 'fail', schedule: NEVER });
    for (const second of [100, 200, 300]) at(clock, second, () => ring.jobs.trigger(id));
    await clock.advanceBy(HOUR_MS);
    expect(sent).toEqual([
      [100, 1],
      [700, 2],
    ]);
  });
});

test('a pass that takes long after a quiet hour is not a stuck one', async () => {
  const clock = createManualClock({ now: START });
  const opened = await openDatabase('sqlite::memory:', { clock });
  onTestFinished(() => opened.close());
  let slowMs = 0;
  const transaction: typeof opened.transaction = async (work, options) => {
    await clock.sleepFor(slowMs);
    return opened.transaction(work, options);
  };
  const database = new Proxy(opened, {
    get(target, key) {
      if (key === 'transaction') return transaction;
      const value = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const { log, lines } = recordedLog(clock);
  const ring = await startTimeRing({ database, clock, log });
  onTestFinished(() => ring.stop({ deadlineMs: 0 }));
  const once = { kind: 'once', at: START + HOUR_MS } as const;
  await ring.jobs.add({ name: 'once', handler: 'work', schedule: once, start: true });
  await clock.advanceBy(10_000);
  slowMs = 2_500;
  // The first pass after an hour claims the job, and takes two and a half seconds for it.
  await clock.advanceTo(START + HOUR_MS);
  slowMs = 0;
  await clock.advanceBy(10_000);
  expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  expect(ring.health().status).toBe('ok');
});
