import { describe, expect, test } from 'vitest';
import { routeHash } from '../../src/index.js';
import { onEveryDatabase } from '../support/network-databases.js';
import { createRingStage, EVERY_SECOND, held, START, seconds } from '../support/ring-stage.js';

onEveryDatabase(() => {
  describe('once', () => {
    test('runs at its time and is then over; lastAt says that it is done', async () => {
      await using stage = await createRingStage();
      await stage.executor({ work: () => 'done' });
      const job = await stage.job({ schedule: { kind: 'once', at: START + 8_000 }, start: true });
      expect(job).toMatchObject({ state: 'RUNNING', nextAt: START + 8_000 });
      await stage.clock.advanceBy(9_000);
      const [run, ...others] = await stage.runs();
      expect(run).toMatchObject({ state: 'succeeded', triggerType: 'schedule', scheduleTime: START + 8_000 });
      expect(others).toEqual([]);
      const after = { state: 'STOPPED', stopReason: { code: 'no-next-time' }, lastAt: START + 8_000, nextAt: null };
      expect(await stage.ring.jobs.get(job.id)).toMatchObject(after);
      expect(await stage.ring.jobs.start(job.id)).toMatchObject(after);
      await stage.clock.advanceBy(2_000);
      expect(await stage.runs()).toHaveLength(1);
    });

    test('put again as it was stays over; put with another time runs again', async () => {
      await using stage = await createRingStage();
      await stage.executor({ work: () => {} });
      const job = { key: 'k', name: 'n', handler: 'work' };
      await stage.ring.jobs.put({ ...job, schedule: { kind: 'once', at: START + 1_000 } });
      await stage.clock.advanceBy(2_000);
      const again = await stage.ring.jobs.put({ ...job, schedule: { kind: 'once', at: START + 1_000 } });
      expect(again).toMatchObject({ outcome: 'unchanged', job: { state: 'STOPPED' } });
      const later = await stage.ring.jobs.put({ ...job, schedule: { kind: 'once', at: START + 4_000 } });
      expect(later).toMatchObject({ outcome: 'updated', job: { state: 'RUNNING', nextAt: START + 4_000 } });
      await stage.clock.advanceBy(3_000);
      expect((await stage.runs()).map(({ scheduleTime }) => seconds(scheduleTime))).toEqual([1, 4]);
    });

    test('started too late it is judged by the misfire rule: skipped, or run once', async () => {
      await using stage = await createRingStage();
      await stage.executor({ work: () => {} });
      const schedule = { kind: 'once', at: START - 5_001 } as const;
      const skipped = await stage.job({ schedule, start: true });
      const fired = await stage.job({ schedule, start: true, misfire: 'FIRE_ONCE_NOW' });
      await stage.clock.advanceBy(1_000);
      expect(await stage.runs({ jobId: skipped.id })).toMatchObject([
        { state: 'skipped', triggerType: 'schedule', scheduleTime: START - 5_001 },
      ]);
      expect(await stage.runs({ jobId: fired.id })).toMatchObject([
        { state: 'succeeded', triggerType: 'misfire', scheduleTime: null },
      ]);
      for (const { id } of [skipped, fired]) {
        expect(await stage.ring.jobs.get(id)).toMatchObject({ state: 'STOPPED', lastAt: START - 5_001 });
      }
    });

    test('started up to misfireMs late it runs at once with its schedule time', async () => {
      await using stage = await createRingStage();
      await stage.executor({ work: () => {} });
      await stage.job({ schedule: { kind: 'once', at: START - 5_000 }, start: true });
      await stage.clock.advanceBy(1_000);
      expect(await stage.runs()).toMatchObject([
        { state: 'succeeded', triggerType: 'schedule', scheduleTime: START - 5_000 },
      ]);
    });

    test('started in time and found late, because all nodes were down, it runs whatever misfire says', async () => {
      await using stage = await createRingStage();
      const { id } = await stage.job({ schedule: { kind: 'once', at: START + 60_000 }, start: true });
      await stage.ring.stop({ deadlineMs: 0 });
      await stage.clock.advanceBy(3_600_000);
      const next = await stage.node();
      await stage.clock.advanceBy(1_000);
      expect((await next.runs.list({ jobId: id })).runs).toMatchObject([
        { triggerType: 'schedule', scheduleTime: START + 60_000, state: 'pending' },
      ]);
    });

    test('stopped before it was fired, it is not done and can be started again', async () => {
      await using stage = await createRingStage();
      await stage.executor({ work: () => {} });
      const { id } = await stage.job({ schedule: { kind: 'once', at: START + 4_000 }, start: true });
      await stage.clock.advanceBy(1_000);
      expect(await stage.runs()).toMatchObject([{ state: 'pending' }]);
      expect(await stage.ring.jobs.stop(id)).toMatchObject({ lastAt: null, stopReason: { code: 'user' } });
      await stage.ring.jobs.start(id);
      await stage.clock.advanceBy(4_000);
      expect(await stage.runs()).toMatchObject([{ state: 'succeeded', scheduleTime: START + 4_000 }]);
    });
  });

  describe('fix-delay', () => {
    test('counts from the end of the fire before; until then it is RUNNING without a next time', async () => {
      await using stage = await createRingStage();
      const { runs, handler } = held();
      await stage.executor({ work: handler });
      const { id, nextAt } = await stage.job({ schedule: { kind: 'fix-delay', everyMs: 10_000 }, start: true });
      expect(seconds(nextAt)).toBe(10);
      await stage.clock.advanceBy(37_000);
      expect(await stage.runs()).toHaveLength(1);
      expect(await stage.ring.jobs.get(id)).toMatchObject({ state: 'RUNNING', nextAt: null, lastAt: START + 10_000 });
      runs[0]!.go.resolve(null);
      await stage.clock.settle();
      expect(await stage.ring.jobs.get(id)).toMatchObject({ state: 'RUNNING', nextAt: START + 47_000 });
      await stage.clock.advanceBy(11_000);
      expect((await stage.runs()).map(({ scheduleTime }) => seconds(scheduleTime))).toEqual([10, 47]);
      runs[1]!.go.resolve(null);
    });

    test('the last attempt counts, and manual runs do not move it', async () => {
      await using stage = await createRingStage();
      const fails = { retries: 1, retry: { kind: 'fixed', delayMs: 3_000 } } as const;
      let attempts = 0;
      await stage.executor({
        work: ({ triggerType }) => {
          if (triggerType !== 'manual' && attempts++ === 0) throw new Error('once more');
        },
      });
      const { id } = await stage.job({ schedule: { kind: 'fix-delay', everyMs: 20_000 }, ...fails, start: true });
      await stage.clock.advanceBy(21_000);
      expect(await stage.ring.jobs.get(id)).toMatchObject({ nextAt: null });
      await stage.ring.jobs.trigger(id);
      await stage.clock.settle();
      expect(await stage.ring.jobs.get(id)).toMatchObject({ nextAt: null });
      await stage.clock.advanceBy(3_000);
      const retried = (await stage.runs()).find(({ attempt }) => attempt === 2);
      expect(retried).toMatchObject({ state: 'succeeded' });
      expect(await stage.ring.jobs.get(id)).toMatchObject({ nextAt: retried!.endedAt! + 20_000 });
      const before = (await stage.ring.jobs.get(id))?.nextAt;
      await stage.ring.jobs.trigger(id);
      await stage.clock.settle();
      expect((await stage.ring.jobs.get(id))?.nextAt).toBe(before);
    });

    test('stopped and started while its fire is under way, it never overlaps', async () => {
      await using stage = await createRingStage();
      const { runs, handler } = held();
      await stage.executor({ work: handler });
      const { id } = await stage.job({
        ...{ schedule: { kind: 'fix-delay', everyMs: 2_000 }, block: 'CONCURRENT', concurrency: 5, start: true },
      });
      await stage.clock.advanceBy(3_000);
      await stage.ring.jobs.stop(id);
      expect(await stage.ring.jobs.start(id)).toMatchObject({ state: 'RUNNING', nextAt: null });
      await stage.clock.advanceBy(10_000);
      expect(runs).toHaveLength(1);
      runs[0]!.go.resolve(null);
      await stage.clock.advanceBy(3_000);
      expect(runs).toHaveLength(2);
    });

    test('a killed fire is over too', async () => {
      await using stage = await createRingStage();
      const { id } = await stage.job({ schedule: { kind: 'fix-delay', everyMs: 2_000 }, start: true });
      await stage.clock.advanceBy(3_000);
      const [run] = await stage.runs();
      expect(await stage.ring.runs.kill(run!.id)).toBe(true);
      expect(await stage.ring.jobs.get(id)).toMatchObject({ nextAt: START + 5_000 });
    });
  });

  test('interval: every two weeks on Monday at nine, through the clock change', async () => {
    await using stage = await createRingStage({ zone: 'Europe/Berlin' }, Date.parse('2026-03-17T00:00:00Z'));
    const schedule = { kind: 'interval', every: { weeks: 2 }, anchor: '2026-03-16T09:00' } as const;
    const { id } = await stage.job({ schedule, start: true });
    const range = await stage.ring.jobs.triggerRange(id, {
      from: Date.parse('2026-03-01T00:00:00Z'),
      to: Date.parse('2026-05-01T00:00:00Z'),
    });
    expect(range.runs.map(({ scheduleTime }) => new Date(scheduleTime!).toISOString())).toEqual([
      '2026-03-02T08:00:00.000Z',
      '2026-03-16T08:00:00.000Z',
      '2026-03-30T07:00:00.000Z',
      '2026-04-13T07:00:00.000Z',
      '2026-04-27T07:00:00.000Z',
    ]);
    expect((await stage.ring.jobs.get(id))?.nextAt).toBe(Date.parse('2026-03-30T07:00:00Z'));
  });

  test('fix-rate goes down to 100 ms, each occurrence with its own run', async () => {
    await using stage = await createRingStage();
    await stage.executor({ work: () => {} });
    await stage.job({ schedule: { kind: 'fix-rate', everyMs: 100 }, start: true });
    await stage.clock.advanceBy(2_000);
    const done = (await stage.runs({ state: 'succeeded' })).map(({ scheduleTime }) => scheduleTime! - START);
    expect(done).toEqual(Array.from({ length: 20 }, (_, i) => (i + 1) * 100));
  });

  test('jitter delays each occurrence by what its job and schedule time decide', async () => {
    await using stage = await createRingStage();
    await stage.executor({ work: () => {} });
    const { id } = await stage.job({ schedule: { kind: 'fix-rate', everyMs: 10_000 }, jitterMs: 8_000, start: true });
    await stage.clock.advanceBy(40_000);
    const runs = await stage.runs({ state: 'succeeded' });
    expect(runs.length).toBeGreaterThanOrEqual(3);
    for (const { scheduleTime, dueAt, firedAt } of runs) {
      expect(dueAt).toBe(scheduleTime! + (routeHash(`${id}:${scheduleTime}`) % 8_001));
      expect(firedAt!).toBeGreaterThanOrEqual(dueAt!);
      expect(firedAt! - dueAt!).toBeLessThan(1_000);
    }
    expect(new Set(runs.map(({ scheduleTime, dueAt }) => dueAt! - scheduleTime!)).size).toBeGreaterThan(1);
  });

  test('rule 2: a misfire with DO_NOTHING leaves one skipped run for all that was missed together', async () => {
    await using stage = await createRingStage();
    const { id } = await stage.job({ schedule: EVERY_SECOND, start: true });
    await stage.ring.jobs.stop(id);
    await stage.ring.jobs.start(id);
    await stage.ring.stop({ deadlineMs: 0 });
    await stage.clock.advanceBy(3_600_000);
    const next = await stage.node();
    await stage.clock.advanceBy(1_000);
    const { runs } = await next.runs.list({ jobId: id, state: 'skipped' });
    expect(runs).toHaveLength(1);
    const last = START + 3_595_000;
    expect(runs[0]).toMatchObject({ triggerType: 'schedule', scheduleTime: last, dueAt: null, firedAt: null });
    expect(runs[0]!.message).toBe(
      `Missed 3595 occurrences: first ${new Date(START + 1_000).toISOString()}, last ${new Date(last).toISOString()}`,
    );
  });
}, ['lock-row']);
