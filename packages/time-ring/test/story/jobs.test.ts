import { describe, expect, test } from 'vitest';
import { createRingStage, EVERY_SECOND, NEVER, START, seconds } from '../support/ring-stage.js';

const code = (value: string) => expect.objectContaining({ code: value });

describe('add', () => {
  test('a new job is STOPPED, has the defaults and an id from 1 on', async () => {
    await using stage = await createRingStage();
    const job = await stage.ring.jobs.add({ name: 'report', handler: 'report', schedule: NEVER });
    expect(job).toEqual({
      id: 1,
      name: 'report',
      handler: 'report',
      schedule: { kind: 'none' },
      params: null,
      misfire: 'DO_NOTHING',
      route: 'FIRST',
      block: 'SERIAL',
      concurrency: 1,
      timeoutMs: null,
      retries: 0,
      priority: 0,
      children: [],
      executorGroup: 'default',
      key: null,
      description: '',
      owner: '',
      labels: {},
      waitMs: 300_000,
      alerts: [],
      retry: { kind: 'exponential', firstMs: 1_000, factor: 2, maxMs: 300_000, jitter: 0.1 },
      namespace: null,
      maxRunning: null,
      rate: null,
      jitterMs: 0,
      except: [],
      keepRuns: {},
      state: 'STOPPED',
      stopReason: null,
      lastAt: null,
      nextAt: null,
      createdAt: START,
      updatedAt: START,
    });
    expect((await stage.job({})).id).toBe(2);
    expect(await stage.ring.jobs.get(1)).toEqual(job);
    expect(await stage.ring.jobs.get(9)).toBeNull();
  });

  test('with start: true it runs at once and tells job-added, job-started', async () => {
    await using stage = await createRingStage({}, START + 250);
    const job = await stage.job({ schedule: { kind: 'fix-rate', everyMs: 1_000 }, start: true });
    expect(job).toMatchObject({ state: 'RUNNING', nextAt: START + 1_250 });
    expect(stage.names()).toEqual(['job-added', 'job-started']);
  });

  test.each([
    { story: 'an empty name', input: { name: '' }, error: 'bad-job' },
    { story: 'an unknown field', input: { colour: 'red' }, error: 'bad-job' },
    { story: 'a broken expression', input: { schedule: { kind: 'cron', expression: 'x' } }, error: 'bad-schedule' },
    { story: 'a rate under 100 ms', input: { schedule: { kind: 'fix-rate', everyMs: 99 } }, error: 'bad-schedule' },
    { story: 'an unknown zone', input: { schedule: { ...EVERY_SECOND, zone: 'Mars/Base' } }, error: 'bad-schedule' },
    { story: 'a child that is not there', input: { children: [7] }, error: 'unknown-child' },
    { story: 'a start without a schedule', input: { start: true }, error: 'not-schedulable' },
  ])('refuses $story before any write', async ({ input, error }) => {
    await using stage = await createRingStage();
    await expect(stage.job(input as never)).rejects.toEqual(code(error));
    expect((await stage.ring.jobs.list()).jobs).toEqual([]);
    expect(stage.names()).toEqual([]);
  });
});

describe('start and stop', () => {
  test('start gives the first occurrence after now, is a no-op when RUNNING, and refuses kind none', async () => {
    await using stage = await createRingStage({}, START + 250);
    const { id } = await stage.job({ schedule: { kind: 'cron', expression: '0 * * * * ?' } });
    expect(await stage.ring.jobs.start(id)).toMatchObject({
      state: 'RUNNING',
      nextAt: START + 60_000,
      stopReason: null,
    });
    await stage.ring.jobs.start(id);
    expect(stage.names()).toEqual(['job-added', 'job-started']);
    const none = await stage.job({});
    await expect(stage.ring.jobs.start(none.id)).rejects.toEqual(code('not-schedulable'));
  });

  test('a schedule without an occurrence left stays STOPPED', async () => {
    await using stage = await createRingStage();
    const { id } = await stage.job({ schedule: { kind: 'cron', expression: '0 0 0 1 1 ? 2020' } });
    expect(await stage.ring.jobs.start(id)).toMatchObject({ state: 'STOPPED', nextAt: null });
    expect(stage.names()).toEqual(['job-added']);
  });

  test('stop withdraws what is claimed and unfired, the rows go; what runs goes on', async () => {
    await using stage = await createRingStage();
    const ended: number[] = [];
    await stage.executor({
      work: async () => {
        await stage.clock.sleepFor(10_000);
        ended.push(stage.clock.now());
      },
    });
    const { id } = await stage.job({ schedule: EVERY_SECOND, start: true });
    await stage.clock.advanceTo(START + 1_000);
    expect(await stage.runs()).toHaveLength(6);
    expect(await stage.ring.jobs.stop(id)).toMatchObject({
      state: 'STOPPED',
      nextAt: null,
      stopReason: { code: 'user' },
    });
    expect((await stage.runs()).map(({ state }) => state)).toEqual(['running']);
    expect(stage.ring.metrics().ringSize).toBe(0);
    await stage.clock.advanceBy(15_000);
    expect(ended).toEqual([START + 11_000]);
    expect((await stage.runs()).map(({ state }) => state)).toEqual(['succeeded']);
    await stage.ring.jobs.stop(id);
    expect(stage.names().filter((name) => name === 'job-stopped')).toHaveLength(1);
  });

  test('a job that is stopped and started again in the window fires every second once', async () => {
    await using stage = await createRingStage();
    const fired: (number | null)[] = [];
    await stage.executor({ work: ({ scheduleTime }) => void fired.push(seconds(scheduleTime)) });
    const { id } = await stage.job({ schedule: EVERY_SECOND, start: true });
    await stage.clock.advanceTo(START + 2_500);
    await stage.ring.jobs.stop(id);
    await stage.ring.jobs.start(id);
    await stage.clock.advanceTo(START + 6_000);
    expect(fired).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('remove takes the job, withdraws its unfired runs and leaves its history', async () => {
    await using stage = await createRingStage();
    await stage.executor({ work: () => {} });
    const { id } = await stage.job({ schedule: EVERY_SECOND, start: true });
    await stage.clock.advanceTo(START + 1_000);
    await stage.ring.jobs.remove(id);
    expect(await stage.ring.jobs.get(id)).toBeNull();
    await stage.clock.advanceBy(5_000);
    expect((await stage.runs()).map(({ state }) => state)).toEqual(['succeeded']);
    expect(stage.names()).toContain('job-removed');
    expect((await stage.job({})).id).toBe(2);
  });

  test.each(['update', 'start', 'stop', 'remove', 'trigger', 'triggerRange'] as const)(
    '%s of an unknown job is unknown-job',
    async (call) => {
      await using stage = await createRingStage();
      const calls = stage.ring.jobs as unknown as Record<string, (id: unknown, o?: object) => Promise<unknown>>;
      for (const id of [5, 0, -1, 1.5, 'x', null]) {
        await expect(calls[call]!(id, call === 'triggerRange' ? { from: START, to: START + 1 } : {})).rejects.toEqual(
          code('unknown-job'),
        );
      }
    },
  );
});

describe('update', () => {
  test('a new schedule of a RUNNING job counts from now and withdraws what the old one claimed', async () => {
    await using stage = await createRingStage();
    const fired: (number | null)[] = [];
    await stage.executor({ work: ({ scheduleTime }) => void fired.push(seconds(scheduleTime)) });
    const { id } = await stage.job({ schedule: EVERY_SECOND, start: true });
    await stage.clock.advanceTo(START + 2_500);
    const job = await stage.ring.jobs.update(id, { schedule: { kind: 'fix-rate', everyMs: 4_000 } });
    expect(job).toMatchObject({ state: 'RUNNING', nextAt: START + 6_500 });
    await stage.clock.advanceTo(START + 8_000);
    expect(fired).toEqual([1, 2, 6.5]);
  });

  test('anything else keeps nextAt and what is claimed', async () => {
    await using stage = await createRingStage();
    await stage.executor({ work: () => {} });
    const { id } = await stage.job({ schedule: EVERY_SECOND, start: true });
    await stage.clock.advanceTo(START + 1_500);
    const before = (await stage.ring.jobs.get(id))!;
    const after = await stage.ring.jobs.update(id, { name: 'renamed', schedule: { ...EVERY_SECOND } });
    expect(after).toEqual({ ...before, name: 'renamed', updatedAt: START + 1_500 });
    await stage.clock.advanceTo(START + 3_000);
    expect((await stage.runs({ state: 'succeeded' })).length).toBe(3);
    expect(stage.names()).toContain('job-updated');
  });

  test('children that would trigger each other without end are refused', async () => {
    await using stage = await createRingStage();
    const a = await stage.job({});
    const b = await stage.job({ children: [a.id] });
    const c = await stage.job({ children: [b.id] });
    await expect(stage.ring.jobs.update(a.id, { children: [c.id] })).rejects.toEqual(code('child-cycle'));
    await expect(stage.ring.jobs.update(a.id, { children: [a.id] })).rejects.toEqual(code('child-cycle'));
    await expect(stage.ring.jobs.update(a.id, { children: [99] })).rejects.toEqual(code('unknown-child'));
    expect((await stage.ring.jobs.get(a.id))!.children).toEqual([]);
  });
});

describe('list', () => {
  test('by id, in pages, by state and group', async () => {
    await using stage = await createRingStage();
    for (const executorGroup of ['a', 'b', 'a', 'b', 'a']) await stage.job({ executorGroup });
    await stage.job({ schedule: EVERY_SECOND, start: true });
    const first = await stage.ring.jobs.list({ limit: 4 });
    expect(first.jobs.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    const second = await stage.ring.jobs.list({ limit: 4, cursor: first.cursor! });
    expect(second.jobs.map(({ id }) => id)).toEqual([5, 6]);
    expect(second.cursor).toBeNull();
    expect((await stage.ring.jobs.list({ executorGroup: 'a' })).jobs.map(({ id }) => id)).toEqual([1, 3, 5]);
    expect((await stage.ring.jobs.list({ state: 'RUNNING' })).jobs.map(({ id }) => id)).toEqual([6]);
    await expect(stage.ring.jobs.list({ limit: 0 })).rejects.toEqual(code('bad-option'));
    await expect(stage.ring.jobs.list({ cursor: 'x' })).rejects.toEqual(code('bad-option'));
  });
});

describe('trigger', () => {
  test('runs a job in any state at once, with params, schedule time and address of its own', async () => {
    await using stage = await createRingStage();
    const seen: unknown[] = [];
    const work = ({
      params,
      scheduleTime,
      triggerType,
    }: {
      params: unknown;
      scheduleTime: number | null;
      triggerType: string;
    }) => void seen.push([params, scheduleTime, triggerType]);
    await stage.executor({ work }, 'a');
    await stage.executor({ work }, 'b');
    const { id } = await stage.job({ params: { from: 'job' } });
    const plain = await stage.ring.jobs.trigger(id);
    expect(plain).toMatchObject({
      state: 'pending',
      triggerType: 'manual',
      scheduleTime: null,
      fireId: plain.id,
      attempt: 1,
    });
    await stage.ring.jobs.trigger(id, { params: null, scheduleTime: START - 5, address: 'b' });
    await stage.clock.settle();
    expect(seen).toEqual([
      [{ from: 'job' }, null, 'manual'],
      [null, START - 5, 'manual'],
    ]);
    expect((await stage.runs()).map(({ address, state }) => [address, state])).toEqual([
      ['a', 'succeeded'],
      ['b', 'succeeded'],
    ]);
  });

  test('a range gives every occurrence in [from, to) again, ascending, up to the limit', async () => {
    await using stage = await createRingStage();
    await stage.executor({ work: () => {} });
    const { id } = await stage.job({ schedule: { kind: 'cron', expression: '0 0 * * * ?' } });
    const hour = 3_600_000;
    const first = await stage.ring.jobs.triggerRange(id, { from: START, to: START + 3 * hour });
    expect(first.runs.map(({ scheduleTime, triggerType }) => [scheduleTime! - START, triggerType])).toEqual([
      [0, 'manual'],
      [hour, 'manual'],
      [2 * hour, 'manual'],
    ]);
    expect(first.truncated).toBe(false);
    const again = await stage.ring.jobs.triggerRange(id, { from: START, to: START + 3 * hour, limit: 2 });
    expect([again.runs.length, again.truncated]).toEqual([2, true]);
    const grid = await stage.job({ schedule: { kind: 'fix-rate', everyMs: 1_000 } });
    const rate = await stage.ring.jobs.triggerRange(grid.id, { from: START + 7, to: START + 2_007 });
    expect(rate.runs.map(({ scheduleTime }) => scheduleTime! - START)).toEqual([7, 1_007]);
    await stage.clock.settle();
    expect(await stage.runs({ state: 'succeeded' })).toHaveLength(7);
  });

  test.each([
    { from: START, to: START },
    { from: START, to: START - 1 },
    { from: 0.5, to: START },
    { from: START, to: Number.NaN },
    { from: START, to: START + 1, limit: 0 },
    { from: START, to: START + 1, limit: 10_001 },
  ])('a range of %j is bad-range', async (range) => {
    await using stage = await createRingStage();
    const { id } = await stage.job({ schedule: EVERY_SECOND });
    await expect(stage.ring.jobs.triggerRange(id, range)).rejects.toEqual(code('bad-range'));
  });
});
