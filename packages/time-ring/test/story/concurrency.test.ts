import { expect, test } from 'vitest';
import { createExecutor } from '../../src/index.js';
import { createRingStage, held, states } from '../support/ring-stage.js';

async function crowd(concurrency: number | undefined, jobs: number, queueLimit = 1_000) {
  const stage = await createRingStage();
  const bench = held();
  const option = concurrency === undefined ? {} : { concurrency };
  await createExecutor({ ring: stage.ring, handlers: { work: bench.handler }, queueLimit, ...option });
  const ids: number[] = [];
  for (let i = 0; i < jobs; i++) ids.push((await stage.job({})).id);
  const runs = await Promise.all(ids.map((id) => stage.ring.jobs.trigger(id)));
  await stage.clock.settle();
  return { stage, bench, runs };
}

test('an executor works on as many runs at once as it says; the others are queued, whatever their jobs', async () => {
  const { stage, bench } = await crowd(2, 5);
  await using _ = stage;
  expect(await states(stage)).toEqual(['running', 'running', 'queued', 'queued', 'queued']);
  bench.runs[0]!.go.resolve(null);
  await stage.clock.settle();
  expect(await states(stage)).toEqual(['succeeded', 'running', 'running', 'queued', 'queued']);
  for (let i = 1; i < 5; i++) {
    bench.runs[i]!.go.resolve(null);
    await stage.clock.settle();
  }
  expect(new Set(await states(stage))).toEqual(new Set(['succeeded']));
});

test('100 handlers are at work at once when an executor does not say', async () => {
  const { stage, bench } = await crowd(undefined, 103);
  await using _ = stage;
  expect(bench.runs).toHaveLength(100);
  bench.runs[0]!.go.resolve(null);
  await stage.clock.settle();
  expect(bench.runs).toHaveLength(101);
  const more = await stage.ring.jobs.trigger((await stage.job({})).id);
  await stage.clock.settle();
  expect((await stage.ring.runs.get(more.id))!.state).toBe('queued');
});

test('a queued run of a crowded executor can be killed, and the rest is handed back by a stop', async () => {
  const { stage, runs } = await crowd(1, 3);
  await using _ = stage;
  expect(await stage.ring.runs.kill(runs[1]!.id)).toBe(true);
  expect(await states(stage)).toEqual(['running', 'killed', 'queued']);
  const other = await stage.node();
  await stage.ring.stop({ deadlineMs: 0 });
  expect((await other.runs.list()).runs.map(({ state }) => state)).toEqual(['pending', 'killed', 'pending']);
});

test('what has no place in the queue of a crowded executor waits for a slot, and gets it', async () => {
  const { stage, bench } = await crowd(1, 2, 0);
  await using _ = stage;
  const [, second] = await stage.runs();
  expect([second!.state, second!.waitingFor]).toEqual(['pending', 'slot']);
  bench.runs[0]!.go.resolve(null);
  await stage.clock.advanceBy(1_000);
  expect(await states(stage)).toEqual(['succeeded', 'running']);
});

test.each([0, 1.5, Number.NaN, '5'])('a concurrency of %s is refused', async (concurrency) => {
  await using stage = await createRingStage();
  const refused = createExecutor({ ring: stage.ring, handlers: {}, concurrency: concurrency as number });
  await expect(refused).rejects.toMatchObject({ code: 'bad-option', details: { field: 'concurrency' } });
});
