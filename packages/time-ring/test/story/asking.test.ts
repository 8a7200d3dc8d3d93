import { expect, test } from 'vitest';
import { createExecutor, type Handler, type TimeRing } from '../../src/index.js';
import { onEveryDatabase } from '../support/network-databases.js';
import { eventually, networkStage, standingStage } from '../support/network-stage.js';
import { createRingStage, START } from '../support/ring-stage.js';

async function stageWith(handlers: Record<string, Handler>) {
  const stage = await standingStage();
  await createExecutor({ ring: stage.ring, handlers });
  return stage;
}

/** A handler that waits for the test, with what it was asked. */
function bench() {
  const asked: unknown[] = [];
  let go!: () => void;
  let gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  const handler: Handler = async ({ params }) => {
    asked.push(params);
    await gate;
  };
  return {
    asked,
    handler,
    go() {
      go();
      gate = Promise.resolve();
    },
  };
}

const bad = (ring: TimeRing, id: number, options: object) => expect(ring.jobs.trigger(id, options)).rejects;

onEveryDatabase(() => {
  test('a run with delayMs is pending with its due time, and fires then and not before', async () => {
    const seen: number[] = [];
    const stage = await stageWith({ work: () => void seen.push(stage.clock.now() - START) });
    const { id } = await stage.job();
    const soon = await stage.ring.jobs.trigger(id, { delayMs: 3_000 });
    const later = await stage.ring.jobs.trigger(id, { at: new Date(START + 20_000) });
    expect([soon.state, soon.dueAt, soon.triggerType]).toEqual(['pending', START + 3_000, 'manual']);
    expect(later.dueAt).toBe(START + 20_000);
    await stage.advance(2_000);
    expect(seen).toEqual([]);
    await stage.advance(1_000);
    expect((await stage.ended(soon.id)).state).toBe('succeeded');
    await stage.advance(16_000);
    expect((await stage.ring.runs.get(later.id))!.state).toBe('pending');
    await stage.advance(1_000);
    await stage.ended(later.id);
    expect(seen).toEqual([3_000, 20_000]);
  });

  test('a time in the past is now, and a time without an offset is in the zone of the ring', async () => {
    const stage = await stageWith({ work: () => {} });
    const { id } = await stage.job();
    await stage.ended((await stage.ring.jobs.trigger(id, { at: START - 60_000 })).id);
    expect((await stage.ring.jobs.trigger(id, { at: '2026-01-02T09:00' })).dueAt).toBe(Date.UTC(2026, 0, 2, 9));
    expect((await stage.ring.jobs.trigger(id, { at: '2026-01-02T09:00+02:00' })).dueAt).toBe(Date.UTC(2026, 0, 2, 7));
  });

  test('a unique key gives the same run back while it waits, is delayed or runs, and a new one after', async () => {
    const { handler, go } = bench();
    const stage = await stageWith({ work: handler });
    const { ring } = stage;
    const { id } = await stage.job();
    const delayed = await ring.jobs.trigger(id, { uniqueKey: 'a', delayMs: 60_000, params: 1 });
    expect(delayed).toMatchObject({ uniqueKey: 'a', deduplicated: false });
    expect(await ring.jobs.trigger(id, { uniqueKey: 'a', params: 2 })).toEqual({ ...delayed, deduplicated: true });
    const running = await ring.jobs.trigger(id, { uniqueKey: 'b' });
    await eventually(async () => expect((await ring.runs.get(running.id))!.state).toBe('running'));
    expect(await ring.jobs.trigger(id, { uniqueKey: 'b' })).toMatchObject({ id: running.id, deduplicated: true });
    const other = await stage.job({ name: 'other' });
    expect((await ring.jobs.trigger(other.id, { uniqueKey: 'b' })).deduplicated).toBe(false);
    go();
    await stage.ended(running.id);
    const next = await ring.jobs.trigger(id, { uniqueKey: 'b' });
    expect([next.deduplicated, next.id === running.id]).toEqual([false, false]);
  });

  test('a run with a retry to come keeps its key, one that failed for good does not', async () => {
    let fails = true;
    const stage = await stageWith({
      work: () => {
        if (fails) throw new Error('no');
      },
    });
    const { ring } = stage;
    const { id } = await stage.job({ retries: 1, retry: { kind: 'fixed', delayMs: 10_000 } });
    const first = await ring.jobs.trigger(id, { uniqueKey: 'a', labels: { team: 'x' }, priority: 3 });
    await stage.ended(first.id);
    const again = await ring.jobs.trigger(id, { uniqueKey: 'a' });
    expect(again).toMatchObject({
      fireId: first.id,
      attempt: 2,
      deduplicated: true,
      labels: { team: 'x' },
      priority: 3,
    });
    expect([first.isLastAttempt, again.isLastAttempt]).toEqual([false, true]);
    await stage.advance(10_000);
    await stage.ended(again.id);
    fails = false;
    expect((await ring.jobs.trigger(id, { uniqueKey: 'a' })).deduplicated).toBe(false);
  });

  test('uniqueForMs keeps the key for so long after the end', async () => {
    const stage = await stageWith({ work: () => {} });
    const { id } = await stage.job();
    const asked = { uniqueKey: 'a', uniqueForMs: 5_000 };
    const first = await stage.ring.jobs.trigger(id, asked);
    await stage.ended(first.id);
    await stage.advance(4_000);
    expect(await stage.ring.jobs.trigger(id, asked)).toMatchObject({
      id: first.id,
      state: 'succeeded',
      deduplicated: true,
    });
    await stage.advance(1_000);
    expect((await stage.ring.jobs.trigger(id, asked)).deduplicated).toBe(false);
  });

  test('many triggers with one key at once are one run', async () => {
    // In real time: MariaDB ends deadlocks by trying again a little later.
    const stage = await networkStage();
    const { id } = await stage.job();
    const runs = await Promise.all(Array.from({ length: 8 }, () => stage.ring.jobs.trigger(id, { uniqueKey: 'a' })));
    expect(new Set(runs.map((run) => run.id)).size).toBe(1);
    expect(runs.filter(({ deduplicated }) => !deduplicated)).toHaveLength(1);
  });

  test('triggerMany keeps the order, takes a key twice for one run, and writes all or nothing', async () => {
    const { handler, asked, go } = bench();
    go();
    const stage = await stageWith({ work: handler });
    const { id } = await stage.job();
    const taken = await stage.ring.jobs.trigger(id, { uniqueKey: 'old', delayMs: 60_000 });
    const items = [
      { params: 0 },
      { params: 1, uniqueKey: 'k' },
      { uniqueKey: 'old' },
      { uniqueKey: 'k' },
      { params: 4 },
    ];
    const runs = await stage.ring.jobs.triggerMany(id, items);
    expect(runs.map(({ deduplicated }) => deduplicated)).toEqual([false, false, true, true, false]);
    expect([runs[2]!.id, runs[3]!.id]).toEqual([taken.id, runs[1]!.id]);
    expect(taken.id < runs[0]!.id && runs[0]!.id < runs[1]!.id && runs[1]!.id < runs[4]!.id).toBe(true);
    await stage.ended(runs[4]!.id);
    expect(asked).toEqual([0, 1, 4]);
    const broken = [{ params: 5 }, { delayMs: -1 }];
    await expect(stage.ring.jobs.triggerMany(id, broken)).rejects.toMatchObject({ code: 'bad-trigger' });
    expect((await stage.ring.runs.list()).runs).toHaveLength(4);
    expect(await stage.ring.jobs.triggerMany(id, [])).toEqual([]);
  });
}, ['lock-row']);

test('triggerMany takes 10,000 items and no more', async () => {
  await using stage = await createRingStage();
  const { id } = await stage.job({});
  const items = Array.from({ length: 10_001 }, (_, params) => ({ params, delayMs: 1e9 }));
  await expect(stage.ring.jobs.triggerMany(id, items)).rejects.toMatchObject({ code: 'bad-range' });
  const runs = await stage.ring.jobs.triggerMany(id, items.slice(1));
  expect(runs.map(({ params }) => params)).toEqual(items.slice(1).map(({ params }) => params));
});

test('what cannot be asked for is refused with its field before anything is written', async () => {
  await using stage = await createRingStage();
  const { ring } = stage;
  const { id } = await stage.job({});
  const table: [string, object][] = [
    ['delayMs', { at: START, delayMs: 1 }],
    ['delayMs', { delayMs: -1 }],
    ['delayMs', { delayMs: Number.NaN }],
    ['delayMs', { delayMs: '5' }],
    ['at', { at: 'tomorrow' }],
    ['at', { at: -1 }],
    ['at', { at: new Date(Number.NaN) }],
    ['uniqueForMs', { uniqueForMs: 5 }],
    ['uniqueKey', { uniqueKey: '' }],
    ['uniqueKey', { uniqueKey: 'x'.repeat(256) }],
    ['priority', { priority: 0.5 }],
    ['labels.a', { labels: { a: 1 } }],
    ['key', { key: 'a' }],
    ['params', { params: { at: () => {} } }],
  ];
  for (const [field, options] of table) {
    await bad(ring, id, options).toMatchObject({ code: 'bad-trigger', details: { field } });
  }
  expect((await ring.runs.list()).runs).toEqual([]);
});

test('the key of a broadcast is kept until the last shard is over', async () => {
  const { handler, go } = bench();
  await using stage = await createRingStage();
  const { ring } = stage;
  await createExecutor({ ring, handlers: { work: handler }, address: 'a' });
  await createExecutor({
    ring,
    handlers: { work: ({ shardIndex, ...c }) => (shardIndex === 0 ? handler(c as never) : null) },
    address: 'b',
  });
  const { id } = await stage.job({ route: 'SHARDING_BROADCAST' });
  const run = await ring.jobs.trigger(id, { uniqueKey: 'a' });
  await stage.clock.settle();
  expect((await ring.runs.list({ state: 'succeeded' })).runs).toHaveLength(1);
  expect((await ring.jobs.trigger(id, { uniqueKey: 'a' })).id).toBe(run.id);
  go();
  await stage.clock.settle();
  expect((await ring.jobs.trigger(id, { uniqueKey: 'a' })).deduplicated).toBe(false);
});
