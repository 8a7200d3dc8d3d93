import { expect, test } from 'vitest';
import { createRingStage, deferred, EVERY_SECOND, START } from '../support/ring-stage.js';

test('a job whose trigger took over 500 ms more than 10 times in a minute goes to the slow pool until the window resets', async () => {
  await using stage = await createRingStage({
    onStep: (step) => (step === 'dispatch' ? stage.clock.sleepFor(600) : undefined),
  });
  await stage.executor({ work: () => {} });
  await stage.job({ schedule: EVERY_SECOND, start: true });
  const pools: string[] = [];
  for (let second = 1; second <= 14; second++) {
    await stage.clock.advanceTo(START + second * 1_000 + 100);
    const { fast, slow } = stage.ring.metrics().pools;
    pools.push(`${fast.running}${slow.running}`);
  }
  expect(pools).toEqual([...Array(11).fill('10'), ...Array(3).fill('01')]);
  await stage.clock.advanceTo(START + 60_100);
  expect(stage.ring.metrics().pools).toMatchObject({ fast: { running: 1 }, slow: { running: 0 } });
});

test('full queues push back on claiming: jobs stay unclaimed, nothing is dropped', async () => {
  const gate = deferred();
  await using stage = await createRingStage({
    pools: { fast: { size: 1, queue: 2 } },
    misfireMs: 60_000,
    onStep: (step) => (step === 'dispatch' ? gate.promise : undefined),
  });
  await stage.executor({ work: () => {} });
  for (let i = 0; i < 10; i++) await stage.job({ block: 'CONCURRENT', schedule: EVERY_SECOND, start: true });
  await stage.clock.advanceTo(START + 20_000);
  const { claimed, pools } = stage.ring.metrics();
  expect(pools.fast).toEqual({ running: 1, queued: 2 });
  expect(claimed).toBeLessThan(100);
  expect(stage.names()).toContain('pool-filled');
  const { jobs } = await stage.ring.jobs.list();
  expect(Math.max(...jobs.map(({ nextAt }) => nextAt!))).toBeLessThan(START + 20_000);
  gate.resolve();
  await stage.clock.settle();
  await stage.clock.advanceTo(START + 22_000);
  const runs = await stage.runs({ to: START + 22_000 });
  expect(runs.filter(({ state }) => state !== 'succeeded')).toEqual([]);
  expect(new Set(runs.map(({ jobId, scheduleTime }) => `${jobId} ${scheduleTime}`)).size).toBe(10 * 21);
});

test('a dispatch that fails is tried again at the next second', async () => {
  let failures = 2;
  await using stage = await createRingStage({
    onStep: (step) => {
      if (step === 'dispatch' && failures-- > 0) throw new Error('lost');
    },
  });
  await stage.executor({ work: () => {} });
  await stage.ring.jobs.trigger((await stage.job({})).id);
  await stage.clock.advanceBy(3_000);
  expect((await stage.runs()).map(({ state, attempt, id }) => [state, attempt, id])).toEqual([['succeeded', 1, 1]]);
});

test.each(['claim', 'claimed', 'drain'] as const)(
  'a failing %s step is tried again at the next second, and nothing is lost',
  async (failing) => {
    let failures = 0;
    await using stage = await createRingStage({
      onStep: (step) => {
        if (step === failing && failures-- > 0) throw new Error(`lost in ${step}`);
      },
    });
    await stage.executor({ work: () => {} });
    await stage.job({ schedule: EVERY_SECOND, start: true });
    await stage.clock.advanceTo(START + 1_500);
    failures = 2;
    await stage.clock.advanceTo(START + 9_000);
    const runs = await stage.runs({ to: START + 9_001 });
    expect(runs.map(({ state, scheduleTime }) => [(scheduleTime! - START) / 1_000, state])).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8, 9].map((second) => [second, 'succeeded']),
    );
    if (failing !== 'drain') expect(stage.ring.metrics()).toMatchObject({ passesFailed: 2 });
  },
);

test('a result is written until it is written', async () => {
  let failures = 3;
  await using stage = await createRingStage({
    onStep: (step) => {
      if (step === 'record' && failures-- > 0) throw new Error('lost');
    },
  });
  await stage.executor({ work: () => 'kept' });
  await stage.ring.jobs.trigger((await stage.job({})).id);
  await stage.clock.settle();
  expect((await stage.runs())[0]).toMatchObject({ state: 'running' });
  await stage.clock.advanceBy(5_000);
  expect((await stage.runs())[0]).toMatchObject({ state: 'succeeded', message: 'kept', endedAt: START });
});
