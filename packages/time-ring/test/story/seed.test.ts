import { describe, expect, test } from 'vitest';
import {
  choosePool,
  classifyDue,
  createExecutor,
  createRing,
  type RouteStrategy,
  startTimeRing,
} from '../../src/index.js';
import { poolDefaults } from '../../src/schedule/choose-pool.js';
import { createRingStage, createStage, deferred, EVERY_SECOND, START, seconds } from '../support/ring-stage.js';

/** Each diagram, table and number of the document that the package is built from, by its heading. */

describe('Time Ring Algorithm', () => {
  test('60 slots are the seconds in a minute: what lies a whole turn apart shares a slot and keeps its own time', () => {
    const ring = createRing();
    ring.push({ jobId: 1, scheduleTime: START });
    ring.push({ jobId: 2, scheduleTime: START + 60_000 });
    expect(ring.drain(START).due.map(({ jobId }) => jobId)).toEqual([1]);
    expect(ring.drain(START + 60_000).due.map(({ jobId }) => jobId)).toEqual([2]);
  });

  test('every second: the current and the two previous slots; older ones are stale', () => {
    const ring = createRing();
    for (const second of [1, 2, 3, 4]) ring.push({ jobId: second, scheduleTime: START + second * 1_000 });
    const { due, stale } = ring.drain(START + 4_000);
    expect([due.map(({ jobId }) => jobId), stale.map(({ jobId }) => jobId)]).toEqual([[2, 3, 4], [1]]);
  });

  test('deduplicated: the same occurrence is pushed once', () => {
    const ring = createRing();
    expect([ring.push({ jobId: 7, scheduleTime: START }), ring.push({ jobId: 7, scheduleTime: START })]).toEqual([
      true,
      false,
    ]);
    expect(ring.drain(START).due).toHaveLength(1);
  });

  test('jobs at 10:00:01, 10:00:03 and 10:00:05 are pre-read together and fire each at its second', async () => {
    const ten = Date.parse('2026-01-01T10:00:00Z');
    await using stage = await createRingStage({}, ten - 500);
    const fired: [string, number][] = [];
    await stage.executor({
      work: ({ params }) => void fired.push([params as string, (stage.clock.now() - ten) / 1_000]),
    });
    for (const [params, second] of [
      ['A', 1],
      ['B', 3],
      ['C', 5],
    ] as const) {
      await stage.job({ params, schedule: { kind: 'cron', expression: `${second} 0 10 * * ?` }, start: true });
    }
    await stage.clock.advanceTo(ten);
    expect(stage.ring.metrics().ringSize).toBe(3);
    await stage.clock.advanceTo(ten + 6_000);
    expect(fired).toEqual([
      ['A', 1],
      ['B', 3],
      ['C', 5],
    ]);
  });
});

test('Dual-Thread Model: the schedule loop claims and pushes, the ring loop triggers at the exact second without a query for due jobs', async () => {
  const steps: string[] = [];
  await using stage = await createRingStage({
    onStep: (step) => void steps.push(`${seconds(stage.clock.now())} ${step}`),
  });
  await stage.executor({ work: () => {} });
  await stage.job({ schedule: { kind: 'cron', expression: '2 0 0 1 1 ?' }, start: true });
  await stage.clock.advanceTo(START + 2_000);
  expect(steps).toEqual([
    '1 claim',
    '1 claimed',
    '1 drain',
    '2 claim',
    '2 claimed',
    '2 drain',
    '2 dispatch',
    '2 record',
  ]);
});

test('Job State Machine: created STOPPED, RUNNING by the user, RUNNING again after each fire, STOPPED by the user or without a next time', async () => {
  await using stage = await createRingStage();
  await stage.executor({ work: () => {} });
  const { id, state } = await stage.job({ schedule: EVERY_SECOND });
  const states: string[] = [state];
  states.push((await stage.ring.jobs.start(id)).state);
  await stage.clock.advanceTo(START + 3_000);
  states.push((await stage.ring.jobs.get(id))!.state, (await stage.ring.jobs.stop(id)).state);
  const last = await stage.job({ schedule: { kind: 'cron', expression: '5 0 0 1 1 ? 2026' }, start: true });
  await stage.clock.advanceTo(START + 6_000);
  states.push((await stage.ring.jobs.get(last.id))!.state);
  expect(states).toEqual(['STOPPED', 'RUNNING', 'RUNNING', 'STOPPED', 'STOPPED']);
});

describe('Adaptive Pool Selection', () => {
  const slow = (count: number, tookMs = 501) => Array.from({ length: count }, (_, i) => ({ at: START + i, tookMs }));

  test.each([
    { story: '10 times over 500 ms stay fast', history: slow(10), now: START + 20, pool: 'fast' },
    { story: '11 times over 500 ms become slow', history: slow(11), now: START + 20, pool: 'slow' },
    { story: 'exactly 500 ms does not count', history: slow(50, 500), now: START + 60, pool: 'fast' },
    { story: 'the window resets every minute', history: slow(11), now: START + 60_000, pool: 'fast' },
  ])('$story', ({ history, now, pool }) => {
    expect(choosePool(history, now)).toBe(pool);
  });

  test('fast: 200 at once and 2,000 waiting; slow: 100 at once and 5,000 waiting', () => {
    expect(poolDefaults).toMatchObject({ fast: { size: 200, queue: 2_000 }, slow: { size: 100, queue: 5_000 } });
  });

  test('slow jobs do not starve fast ones: each pool has its own places', async () => {
    await using stage = await createRingStage({
      pools: { fast: { size: 1, queue: 10 }, slow: { size: 1, queue: 10 }, slowAfterCount: 0 },
      onStep: (step) => (step === 'dispatch' && isSlow ? stage.clock.sleepFor(600) : undefined),
    });
    let isSlow = true;
    const fired: number[] = [];
    await stage.executor({ work: ({ jobId }) => void fired.push(jobId) });
    const slowJob = await stage.job({});
    const fastJob = await stage.job({});
    await stage.ring.jobs.trigger(slowJob.id);
    await stage.clock.advanceBy(700);
    await stage.ring.jobs.trigger(slowJob.id);
    await stage.clock.settle();
    expect(stage.ring.metrics().pools).toMatchObject({ fast: { running: 0 }, slow: { running: 1 } });
    isSlow = false;
    await stage.ring.jobs.trigger(fastJob.id);
    await stage.clock.settle();
    expect(fired).toEqual([slowJob.id, fastJob.id]);
  });
});

test('Distributed Lock Coordination: three nodes, and each occurrence is claimed by one of them', async () => {
  await using stage = await createStage();
  const nodes = await Promise.all([stage.node(), stage.node(), stage.node()]);
  const fired: (number | null)[] = [];
  for (const ring of nodes) {
    await createExecutor({ ring, handlers: { work: ({ scheduleTime }) => void fired.push(seconds(scheduleTime)) } });
  }
  await nodes[0]!.jobs.add({ name: 'work', handler: 'work', schedule: EVERY_SECOND, start: true });
  await stage.clock.advanceTo(START + 6_000);
  expect(fired.sort()).toEqual([1, 2, 3, 4, 5, 6]);
  expect(nodes.reduce((sum, ring) => sum + ring.metrics().claimed, 0)).toBe(11);
});

describe('Misfire Handling', () => {
  const due = START;
  test.each([
    { story: 'ahead of its time: into the ring', at: due - 1, kind: 'ring' },
    { story: 'at its time: directly', at: due, kind: 'direct' },
    { story: '5 s late: directly', at: due + 5_000, kind: 'direct' },
    { story: 'more than 5 s late: a misfire', at: due + 5_001, kind: 'misfire' },
  ])('$story', ({ at, kind }) => {
    expect(classifyDue(at, due)).toBe(kind);
  });
});

describe('Key Metrics', () => {
  test('a pre-read window of 5 seconds and a misfire threshold of 5 seconds are the defaults', async () => {
    await using stage = await createRingStage();
    const { id } = await stage.job({ schedule: EVERY_SECOND, start: true });
    await stage.clock.advanceTo(START + 1_000);
    expect(seconds((await stage.ring.jobs.get(id))!.nextAt)).toBe(7);
    expect(classifyDue(5_001, 0)).toBe('misfire');
  });

  test('other windows can be chosen', async () => {
    await using stage = await createRingStage({ preReadMs: 2_000, misfireMs: 20_000 });
    const { id } = await stage.job({ schedule: EVERY_SECOND, start: true });
    await stage.clock.advanceTo(START + 1_000);
    expect(seconds((await stage.ring.jobs.get(id))!.nextAt)).toBe(4);
  });
});

test('Critical Variables: next time and state are in the row; a manual trigger has no schedule time', async () => {
  await using stage = await createRingStage();
  await stage.executor({ work: () => {} });
  const { id } = await stage.job({ schedule: { kind: 'cron', expression: '0 0 12 * * ?' }, start: true });
  const rows = await stage.database.kysely
    .selectFrom('horae_ring_jobs' as never)
    .select(['next_at', 'state', 'schedule'] as never)
    .execute();
  expect(rows).toEqual([
    { next_at: START + 12 * 3_600_000, state: 'RUNNING', schedule: '{"kind":"cron","expression":"0 0 12 * * ?"}' },
  ]);
  expect((await stage.ring.jobs.trigger(id)).scheduleTime).toBeNull();
});

describe('Routing Strategies', () => {
  const addresses = ['a', 'b', 'c'];
  test.each([
    { route: 'FIRST', sees: ['a', 'a', 'a', 'a'] },
    { route: 'LAST', sees: ['c', 'c', 'c', 'c'] },
    { route: 'LEAST_FREQUENTLY_USED', sees: ['a', 'b', 'c', 'a'] },
    { route: 'LEAST_RECENTLY_USED', sees: ['a', 'b', 'c', 'a'] },
    { route: 'FAILOVER', sees: ['a', 'a', 'a', 'a'] },
    { route: 'BUSYOVER', sees: ['a', 'a', 'a', 'a'] },
    { route: 'SHARDING_BROADCAST', sees: addresses.flatMap((address) => [address, address, address, address]) },
  ] as const)('$route: one trigger, one executor, unless it is the broadcast', async ({ route, sees }) => {
    expect((await routed(route)).sort()).toEqual([...sees].sort());
  });

  test('ROUND takes turns, RANDOM stays inside, CONSISTENT_HASH is sticky by job id', async () => {
    const round = await routed('ROUND');
    expect(new Set(round.slice(0, 3)).size).toBe(3);
    expect(round[3]).toBe(round[0]);
    expect((await routed('RANDOM')).every((address) => addresses.includes(address))).toBe(true);
    expect(new Set(await routed('CONSISTENT_HASH')).size).toBe(1);
  });

  async function routed(route: RouteStrategy): Promise<string[]> {
    await using stage = await createRingStage();
    const seen: string[] = [];
    for (const address of addresses) await stage.executor({ work: () => void seen.push(address) }, address);
    const { id } = await stage.job({ route });
    for (let i = 0; i < 4; i++) {
      await stage.ring.jobs.trigger(id);
      await stage.clock.settle();
    }
    return seen;
  }

  test('BUSYOVER passes over an executor that has a run of the job', async () => {
    await using stage = await createRingStage();
    const gate = deferred();
    const seen: string[] = [];
    for (const address of ['a', 'b']) {
      await stage.executor(
        {
          work: () => {
            seen.push(address);
            return gate.promise;
          },
        },
        address,
      );
    }
    const { id } = await stage.job({ route: 'BUSYOVER' });
    for (let i = 0; i < 2; i++) {
      await stage.ring.jobs.trigger(id);
      await stage.clock.settle();
    }
    expect(seen).toEqual(['a', 'b']);
    gate.resolve();
  });
});

test('Interaction with Block Strategies: routing and blocking are orthogonal: a broadcast of CONCURRENT runs several at once on all', async () => {
  await using stage = await createRingStage();
  const gate = deferred();
  const seen: string[] = [];
  for (const address of ['a', 'b']) {
    await stage.executor(
      {
        work: ({ shardIndex }) => {
          seen.push(`${address}${shardIndex}`);
          return gate.promise;
        },
      },
      address,
    );
  }
  const { id } = await stage.job({ route: 'SHARDING_BROADCAST', block: 'CONCURRENT', concurrency: 2 });
  await stage.ring.jobs.trigger(id);
  await stage.ring.jobs.trigger(id);
  await stage.clock.settle();
  expect(seen.sort()).toEqual(['a0', 'a0', 'b1', 'b1']);
  gate.resolve();
});

test('Design Limitations: nothing under 100 ms is scheduled, and priorities are there although the design had none', async () => {
  const ring = await startTimeRing({ database: 'sqlite::memory:' });
  await expect(
    ring.jobs.add({ name: 'fast', handler: 'fast', schedule: { kind: 'fix-rate', everyMs: 99 } }),
  ).rejects.toMatchObject({ code: 'bad-schedule' });
  await ring.stop();
});
