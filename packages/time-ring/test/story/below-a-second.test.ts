import { expect, test } from 'vitest';
import { createRingStage, START } from '../support/ring-stage.js';

test('delayed runs start at their millisecond, in order, never early', async () => {
  await using stage = await createRingStage();
  const seen: [unknown, number][] = [];
  await stage.executor({ work: ({ params }) => void seen.push([params, stage.clock.now() - START]) });
  const { id } = await stage.job({ block: 'CONCURRENT', concurrency: 10 });
  await stage.ring.jobs.trigger(id, { params: 'far', delayMs: 12_345 });
  await stage.ring.jobs.trigger(id, { params: 'later', delayMs: 1_700 });
  await stage.ring.jobs.trigger(id, { params: 'soon', delayMs: 250 });
  await stage.ring.jobs.trigger(id, { params: 'sooner', delayMs: 7 });
  await stage.clock.advanceBy(249);
  expect(seen).toEqual([['sooner', 7]]);
  await stage.clock.advanceBy(751);
  // What comes while the timer waits for something later goes first all the same.
  await stage.ring.jobs.trigger(id, { params: 'between', delayMs: 1 });
  await stage.clock.advanceBy(20_000);
  expect(seen.slice(1)).toEqual([
    ['soon', 250],
    ['between', 1_001],
    ['later', 1_700],
    ['far', 12_345],
  ]);
  expect((await stage.runs()).every(({ dueAt, startedAt }) => dueAt === startedAt)).toBe(true);
});

test('a retry starts at its millisecond', async () => {
  await using stage = await createRingStage();
  const seen: number[] = [];
  await stage.executor({
    work: () => {
      seen.push(stage.clock.now() - START);
      throw new Error('again');
    },
  });
  const { id } = await stage.job({ retries: 2, retry: { kind: 'fixed', delayMs: 333 } });
  await stage.ring.jobs.trigger(id);
  await stage.clock.advanceBy(1_000);
  expect(seen).toEqual([0, 333, 666]);
});

test('a fix-rate job that is anchored off the second fires at its milliseconds', async () => {
  await using stage = await createRingStage({}, START + 60);
  const seen: number[] = [];
  await stage.executor({ work: () => void seen.push(stage.clock.now() - START) });
  await stage.job({ schedule: { kind: 'fix-rate', everyMs: 1_500 }, start: true });
  await stage.clock.advanceBy(5_000);
  expect(seen).toEqual([1_560, 3_060, 4_560]);
});

test('what is due at one millisecond goes by priority, then by id', async () => {
  await using stage = await createRingStage();
  const seen: unknown[] = [];
  await stage.executor({ work: ({ params }) => void seen.push(params) });
  const { id } = await stage.job({ block: 'CONCURRENT', concurrency: 10 });
  const items = [0, 5, 0].map((priority, i) => ({ params: `${i}`, priority, delayMs: 1_500 }));
  await stage.ring.jobs.triggerMany(id, items);
  await stage.clock.advanceBy(2_000);
  expect(seen).toEqual(['1', '0', '2']);
});

test('a node that stops hands back what waits for its millisecond', async () => {
  await using stage = await createRingStage();
  const { id } = await stage.job({});
  const run = await stage.ring.jobs.trigger(id, { delayMs: 300 });
  await stage.ring.stop();
  const other = await stage.node();
  expect((await other.runs.get(run.id))!.state).toBe('pending');
  await stage.clock.advanceBy(3_000);
  expect((await other.runs.get(run.id))!.waitingFor).toBe('executor');
});
