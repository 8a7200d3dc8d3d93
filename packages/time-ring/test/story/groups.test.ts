import { expect, test } from 'vitest';
import { createExecutor, type JobInput } from '../../src/index.js';
import { onEveryDatabase } from '../support/network-databases.js';
import { createRingStage, EVERY_SECOND, held, type RingStage, START, seconds } from '../support/ring-stage.js';

const MANY = { block: 'CONCURRENT', concurrency: 100 } as const;

/** Triggers a job so many times and waits until nothing more happens. */
async function triggerAll(stage: RingStage, ref: number | string, count: number) {
  for (let i = 0; i < count; i++) await stage.ring.jobs.trigger(ref);
  await stage.clock.settle();
}

async function counted(stage: RingStage) {
  const runs = await stage.runs();
  const count = (is: (run: (typeof runs)[number]) => boolean) => runs.filter(is).length;
  return {
    running: count(({ state }) => state === 'running'),
    done: count(({ state }) => state === 'succeeded'),
    waiting: [...new Set(runs.flatMap(({ waitingFor }) => waitingFor ?? []))],
  };
}

onEveryDatabase(() => {
  test('a list has every group that was put or that a job or executor names, by name', async () => {
    await using stage = await createRingStage();
    const { groups } = stage.ring;
    await stage.executor({ work: () => {} });
    await stage.job({ executorGroup: 'z of a job' });
    const put = { name: 'mail', title: 'Mail', maxRunning: 3, rate: { limit: 5, perMs: 1_000 }, alerts: [] };
    expect(await groups.put(put)).toEqual({ ...put, addresses: [], paused: false });
    expect((await groups.list()).map(({ name }) => name)).toEqual(['default', 'mail', 'z of a job']);
    expect(await groups.put({ name: 'mail' })).toMatchObject({ title: '', maxRunning: null, rate: null });
    await groups.pause('made by a pause');
    expect((await groups.list()).map(({ name, paused }) => [name, paused])).toContainEqual(['made by a pause', true]);
    await expect(groups.resume('nobody')).rejects.toMatchObject({ code: 'unknown-group' });
    await expect(groups.remove('nobody')).rejects.toMatchObject({ code: 'unknown-group' });
    await expect(groups.remove('z of a job')).rejects.toMatchObject({ code: 'group-in-use' });
    await groups.remove('mail');
    expect((await groups.list()).map(({ name }) => name)).not.toContain('mail');
  });

  test.each([
    { group: { name: '' }, field: 'name' },
    { group: { name: 'g', rate: { limit: 1, perMs: 1_500 } }, field: 'rate.perMs' },
    { group: { name: 'g', rate: { limit: 0, perMs: 1_000 } }, field: 'rate.limit' },
    { group: { name: 'g', maxRunning: 0 }, field: 'maxRunning' },
    { group: { name: 'g', addresses: ['somewhere'] }, field: 'addresses.0' },
    { group: { name: 'g', colour: 'red' }, field: 'colour' },
  ])('$group is bad-group', async ({ group, field }) => {
    await using stage = await createRingStage();
    await expect(stage.ring.groups.put(group as never)).rejects.toMatchObject({
      code: 'bad-group',
      details: { field },
    });
    expect(await stage.ring.groups.list()).toEqual([]);
  });

  test('nothing of a paused group starts on any node; what runs goes on; at resume it starts', async () => {
    await using stage = await createRingStage();
    const other = await stage.node();
    const { runs, handler } = held();
    await stage.executor({ work: handler });
    await createExecutor({ ring: other, handlers: { work: handler } });
    const { id } = await stage.job({ ...MANY, waitMs: 10_000 });
    await triggerAll(stage, id, 1);
    expect(await stage.ring.groups.pause('default')).toMatchObject({ paused: true });
    await triggerAll(stage, id, 2);
    await other.jobs.trigger(id);
    await stage.clock.settle();
    expect(await counted(stage)).toEqual({ running: 1, done: 0, waiting: ['paused'] });
    runs[0]!.go.resolve(null);
    await stage.clock.advanceBy(60_000);
    // Its time to wait stands still.
    expect(await counted(stage)).toEqual({ running: 0, done: 1, waiting: ['paused'] });
    expect(stage.ring.health().waiting).toMatchObject({ paused: 3 });
    await other.groups.resume('default');
    await stage.clock.advanceBy(1_000);
    expect(await counted(stage)).toEqual({ running: 3, done: 1, waiting: [] });
    for (const { go } of runs) go.resolve(null);
    await stage.clock.settle();
  });

  test('what waited before the pause has the rest of its time after it', async () => {
    await using stage = await createRingStage();
    const { id } = await stage.job({ waitMs: 10_000 });
    const run = await stage.ring.jobs.trigger(id);
    await stage.clock.advanceBy(4_000);
    await stage.ring.groups.pause('default');
    expect(await stage.ring.runs.get(run.id)).toMatchObject({ state: 'pending', waitingFor: 'paused' });
    await stage.clock.advanceBy(100_000);
    await stage.ring.groups.resume('default');
    await stage.clock.advanceBy(5_000);
    expect(await stage.ring.runs.get(run.id)).toMatchObject({ state: 'pending', waitingFor: 'executor' });
    await stage.clock.advanceBy(3_000);
    expect(await stage.ring.runs.get(run.id)).toMatchObject({ state: 'failed' });
  });

  test('a paused group claims nothing new; what it missed is judged by the misfire rule at resume', async () => {
    await using stage = await createRingStage();
    await stage.executor({ work: () => {} });
    const { id } = await stage.job({ schedule: EVERY_SECOND, start: true });
    await stage.ring.groups.pause('default');
    await stage.clock.advanceBy(30_000);
    expect(await stage.runs()).toEqual([]);
    await stage.ring.groups.resume('default');
    await stage.clock.advanceBy(1_000);
    const [skipped] = await stage.runs({ jobId: id, state: 'skipped' });
    expect(seconds(skipped!.scheduleTime)).toBe(25);
    expect((await stage.runs({ state: 'succeeded' })).map(({ scheduleTime }) => seconds(scheduleTime))).toEqual([
      26, 27, 28, 29, 30, 31,
    ]);
  });

  test('maxRunning of a job holds in the whole ring; the rest waits for a slot and starts in its order', async () => {
    await using stage = await createRingStage();
    const other = await stage.node();
    const { runs, handler } = held();
    await stage.executor({ work: handler });
    await createExecutor({ ring: other, handlers: { work: handler } });
    const { id } = await stage.job({ ...MANY, route: 'ROUND', maxRunning: 2 });
    for (let i = 0; i < 6; i++) await (i % 2 === 0 ? stage.ring : other).jobs.trigger(id);
    await stage.clock.advanceBy(2_000);
    expect(await counted(stage)).toEqual({ running: 2, done: 0, waiting: ['slot'] });
    for (let ended = 0; ended < 6; ended++) {
      runs[ended]!.go.resolve(null);
      await stage.clock.advanceBy(2_000);
      expect(await counted(stage)).toMatchObject({ running: Math.min(2, 5 - ended), done: ended + 1 });
    }
  });

  test('rate of a job: at most limit starts in so many seconds of the clock, the present one counted', async () => {
    await using stage = await createRingStage();
    await stage.executor({ work: () => {} });
    const { id } = await stage.job({ ...MANY, rate: { limit: 3, perMs: 2_000 } });
    await triggerAll(stage, id, 8);
    expect(await counted(stage)).toMatchObject({ done: 3, waiting: ['rate'] });
    await stage.clock.advanceBy(10_000);
    const starts = (await stage.runs()).map(({ firedAt }) => Math.floor((firedAt! - START) / 1_000));
    expect(starts).toEqual([0, 0, 0, 2, 2, 2, 4, 4]);
  });

  test('maxRunning and rate of a group hold for all its jobs together', async () => {
    await using stage = await createRingStage();
    const { runs, handler } = held();
    await stage.executor({ work: handler });
    await stage.ring.groups.put({ name: 'default', maxRunning: 3 });
    const a = await stage.job(MANY);
    const b = await stage.job(MANY);
    await triggerAll(stage, a.id, 2);
    await triggerAll(stage, b.id, 2);
    expect(await counted(stage)).toEqual({ running: 3, done: 0, waiting: ['slot'] });
    runs[0]!.go.resolve(null);
    await stage.clock.advanceBy(1_000);
    expect(await counted(stage)).toEqual({ running: 3, done: 1, waiting: [] });
    await stage.ring.groups.put({ name: 'default', rate: { limit: 1, perMs: 1_000 } });
    await triggerAll(stage, a.id, 2);
    expect((await counted(stage)).waiting).toEqual(['rate']);
    await stage.clock.advanceBy(1_000);
    expect((await counted(stage)).waiting).toEqual([]);
    for (const { go } of runs) go.resolve(null);
    await stage.clock.settle();
  });

  test('addresses of a group are executors although nobody registered them', async () => {
    await using stage = await createRingStage();
    await stage.ring.groups.put({ name: 'java', addresses: ['http://127.0.0.1:9/'] });
    expect(await stage.ring.executors.list('java')).toMatchObject([
      { group: 'java', address: 'http://127.0.0.1:9/', kind: 'remote', handlers: null },
    ]);
  });

  test('keepRuns: the newest of a job, and none too old, once a minute', async () => {
    await using stage = await createRingStage();
    await stage.executor({ work: () => {} });
    const keep = async (keepRuns: JobInput['keepRuns']) => {
      const job = await stage.job({ ...MANY, keepRuns: keepRuns! });
      for (let i = 0; i < 3; i++) await stage.ring.jobs.trigger(job.id);
      return job.id;
    };
    const [newest, young, both, all] = [
      await keep({ count: 2 }),
      await keep({ days: 1 / 24 }),
      await keep({ days: 1, count: 1 }),
      await keep({}),
    ];
    await stage.clock.advanceBy(3_660_000);
    for (const id of [newest, young, both, all]) await stage.ring.jobs.trigger(id);
    await stage.clock.advanceBy(61_000);
    const kept = async (id: number) => (await stage.runs({ jobId: id })).length;
    expect([await kept(newest), await kept(young), await kept(both), await kept(all)]).toEqual([2, 1, 1, 4]);
  });
}, ['lock-row']);
