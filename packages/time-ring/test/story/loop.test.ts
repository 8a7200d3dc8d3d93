import { expect, test } from 'vitest';
import { createRingStage, createStage, deferred, EVERY_SECOND, START, seconds } from '../support/ring-stage.js';

test('both loops wake at every whole second, first at the first one after the start, the pass before the drain', async () => {
  const steps: string[] = [];
  await using stage = await createStage(START + 400);
  await stage.node({
    onStep: (step) => void steps.push(`${seconds(stage.clock.now())} ${step}`),
  });
  await stage.clock.advanceTo(START + 999);
  expect(steps).toEqual([]);
  await stage.clock.advanceTo(START + 2_999);
  expect(steps).toEqual(['1 claim', '1 claimed', '1 drain', '2 claim', '2 claimed', '2 drain']);
});

test('the order holds when the hook is asynchronous', async () => {
  const steps: string[] = [];
  await using stage = await createStage();
  await stage.node({
    onStep: async (step) => {
      await null;
      steps.push(step);
    },
  });
  await stage.clock.advanceBy(1_000);
  expect(steps).toEqual(['claim', 'claimed', 'drain']);
});

test('a slow pass never delays a drain', async () => {
  const gate = deferred();
  let isHeld = false;
  const fired: (number | null)[] = [];
  await using stage = await createRingStage({
    onStep: (step) => (isHeld && step === 'claim' ? gate.promise : undefined),
  });
  await stage.executor({ work: ({ scheduleTime }) => void fired.push(seconds(scheduleTime)) });
  await stage.job({ schedule: EVERY_SECOND, start: true });
  await stage.clock.advanceBy(1_000);
  isHeld = true;
  await stage.clock.advanceBy(4_000);
  expect(fired).toEqual([1, 2, 3, 4, 5]);
  isHeld = false;
  gate.resolve();
  await stage.clock.settle();
  await stage.clock.advanceBy(3_000);
  expect(fired).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test('a pass that took more than a second is followed by the next at once', async () => {
  const claims: (number | null)[] = [];
  await using stage = await createStage();
  await stage.node({
    onStep: async (step) => {
      if (step !== 'claim') return;
      claims.push(seconds(stage.clock.now()));
      await stage.clock.sleepFor(1_200);
    },
  });
  await stage.clock.advanceBy(5_000);
  expect(claims).toEqual([1, 2.2, 3.4, 4.6]);
});

test('every occurrence inside the window is claimed at once as a pending run, up to now + 5 s inclusive; nextAt is the first after it', async () => {
  await using stage = await createRingStage();
  await stage.executor({ work: () => {} });
  const { id } = await stage.job({ schedule: EVERY_SECOND, start: true });
  await stage.clock.advanceTo(START + 1_000);
  const runs = await stage.runs();
  expect(runs.map(({ scheduleTime, state }) => [seconds(scheduleTime), state])).toEqual([
    [1, 'succeeded'],
    [2, 'pending'],
    [3, 'pending'],
    [4, 'pending'],
    [5, 'pending'],
    [6, 'pending'],
  ]);
  const job = await stage.ring.jobs.get(id);
  expect([seconds(job!.nextAt), seconds(job!.lastAt)]).toEqual([7, 6]);
  expect(stage.ring.metrics()).toMatchObject({ claimed: 6, fired: 1, ringSize: 5 });
});

test.each([
  { story: '0 s late is fired at once', lateMs: 0, states: ['succeeded'], misfires: 0 },
  { story: '5 s late is fired at once', lateMs: 5_000, states: ['succeeded'], misfires: 0 },
  { story: 'more than 5 s late is a misfire', lateMs: 6_000, states: ['skipped'], misfires: 1 },
])('an occurrence that a pass finds $story', async ({ lateMs, states, misfires }) => {
  await using stage = await createStage();
  const first = await stage.node();
  await first.jobs.add({
    name: 'yearly',
    handler: 'work',
    schedule: { kind: 'cron', expression: '10 0 0 1 1 ?' },
    start: true,
  });
  await first.stop();
  await stage.clock.jumpTo(START + 9_500 + lateMs);
  const ring = await stage.node();
  const { createExecutor } = await import('../../src/index.js');
  await createExecutor({ ring, handlers: { work: () => {} } });
  await stage.clock.advanceBy(500);
  const { runs } = await ring.runs.list();
  expect(runs.map(({ state, scheduleTime }) => [state, seconds(scheduleTime)])).toEqual(
    states.map((state) => [state, 10]),
  );
  expect(ring.metrics().misfired).toBe(misfires);
});

test.each([
  { misfire: 'DO_NOTHING', runs: [] },
  { misfire: 'FIRE_ONCE_NOW', runs: [['misfire', null, 'succeeded']] },
] as const)('misfire $misfire: however many were missed', async ({ misfire, runs }) => {
  await using stage = await createRingStage();
  await stage.executor({ work: () => {} });
  await stage.job({ schedule: { kind: 'fix-rate', everyMs: 10_000 }, misfire, start: true });
  await stage.clock.jumpTo(START + 95_500);
  await stage.clock.advanceBy(1_000);
  const all = await stage.runs();
  expect(all.slice(0, runs.length).map((run) => [run.triggerType, run.scheduleTime, run.state])).toEqual(runs);
  expect(stage.heard.filter(({ name }) => name === 'job-misfired').map(({ event }) => event)).toEqual([
    { jobId: 1, strategy: misfire, firstMissed: START + 10_000, lastMissed: START + 90_000 },
  ]);
});

test('a fire time that is no whole second fires at its millisecond, never before; fix-rate keeps its grid', async () => {
  await using stage = await createRingStage({}, START + 300);
  const fired: [number | null, number | null][] = [];
  await stage.executor({
    work: ({ scheduleTime }) => void fired.push([seconds(scheduleTime), seconds(stage.clock.now())]),
  });
  await stage.job({ schedule: { kind: 'fix-rate', everyMs: 1_500 }, start: true });
  await stage.clock.advanceTo(START + 6_000);
  expect(fired).toEqual([
    [1.8, 1.8],
    [3.3, 3.3],
    [4.8, 4.8],
  ]);
  await stage.clock.jumpTo(START + 60_000);
  await stage.clock.advanceBy(3_000);
  expect(fired.at(-1)).toEqual([61.8, 61.8]);
});

test('a job without a next time becomes STOPPED and its last occurrence still fires', async () => {
  await using stage = await createRingStage();
  await stage.executor({ work: () => {} });
  const { id } = await stage.job({ schedule: { kind: 'cron', expression: '5 0 0 1 1 ? 2026' }, start: true });
  await stage.clock.advanceBy(1_000);
  expect(await stage.ring.jobs.get(id)).toMatchObject({
    state: 'STOPPED',
    nextAt: null,
    stopReason: { code: 'no-next-time' },
  });
  expect(stage.names()).toContain('job-stopped');
  await stage.clock.advanceBy(4_000);
  expect((await stage.runs()).map(({ state }) => state)).toEqual(['succeeded']);
});

test('a broken schedule stops that job with a recorded reason, and the batch goes on', async () => {
  await using stage = await createRingStage();
  const fired: number[] = [];
  await stage.executor({ work: ({ jobId }) => void fired.push(jobId) });
  const broken = await stage.job({ schedule: EVERY_SECOND, start: true });
  const sound = await stage.job({ schedule: EVERY_SECOND, start: true });
  const { sql } = await import('kysely');
  await sql`update horae_ring_jobs set schedule = ${'{"kind":"cron","expression":"not cron"}'} where id = ${broken.id}`.execute(
    stage.database.kysely,
  );
  await stage.clock.advanceBy(1_000);
  expect(await stage.ring.jobs.get(broken.id)).toMatchObject({
    state: 'STOPPED',
    stopReason: { code: 'bad-schedule' },
  });
  expect(fired).toEqual([sound.id]);
});

test('a stop between claim and write-back is not undone, and what was claimed does not fire', async () => {
  let id = 0;
  await using stage = await createRingStage({
    onStep: async (step) => {
      if (step === 'claimed' && id > 0) await stage.ring.jobs.stop(id);
    },
  });
  const fired: number[] = [];
  await stage.executor({ work: () => void fired.push(1) });
  ({ id } = await stage.job({ schedule: { kind: 'fix-rate', everyMs: 2_000 }, start: true }));
  await stage.clock.advanceBy(6_000);
  expect(await stage.ring.jobs.get(id)).toMatchObject({ state: 'STOPPED', stopReason: { code: 'user' } });
  expect(fired).toEqual([]);
  expect(await stage.runs()).toEqual([]);
});

test('within a second: priority, then schedule time, then job id', async () => {
  await using stage = await createRingStage();
  const fired: string[] = [];
  const handler = ({ jobId, params }: { jobId: number; params: unknown }) => void fired.push(`${jobId} ${params}`);
  await stage.executor({ work: handler });
  const at = (second: string) => ({ kind: 'cron', expression: `${second} 0 0 1 1 ?` }) as const;
  await stage.job({ schedule: at('4'), params: 'late', start: true });
  await stage.job({ schedule: at('4'), params: 'low', priority: -1, start: true });
  await stage.job({ schedule: at('4'), params: 'high', priority: 7, start: true });
  await stage.job({ schedule: at('4'), params: 'same', start: true });
  await stage.clock.advanceTo(START + 4_000);
  expect(fired).toEqual(['3 high', '1 late', '4 same', '2 low']);
});

test('what a stall or a step of the clock left in the ring is skipped, and the misfire strategy fires once for all of it', async () => {
  await using stage = await createRingStage();
  await stage.executor({ work: () => {} });
  await stage.job({ schedule: { kind: 'cron', expression: '2-6 0 0 1 1 ?' }, misfire: 'FIRE_ONCE_NOW', start: true });
  await stage.clock.advanceTo(START + 1_500);
  await stage.clock.jumpTo(START + 20_000);
  await stage.clock.advanceBy(1_000);
  const runs = await stage.runs();
  expect(runs.map(({ triggerType, state, scheduleTime }) => [triggerType, state, seconds(scheduleTime)])).toEqual([
    ['schedule', 'skipped', 2],
    ['schedule', 'skipped', 3],
    ['schedule', 'skipped', 4],
    ['schedule', 'skipped', 5],
    ['schedule', 'skipped', 6],
    ['misfire', 'succeeded', null],
  ]);
  expect(stage.heard.filter(({ name }) => name === 'job-misfired').map(({ event }) => event)).toEqual([
    { jobId: 1, strategy: 'FIRE_ONCE_NOW', firstMissed: START + 2_000, lastMissed: START + 6_000 },
  ]);
});

test('an entry up to 5 s late in the ring still fires', async () => {
  await using stage = await createRingStage();
  await stage.executor({ work: () => {} });
  await stage.job({ schedule: { kind: 'cron', expression: '2 0 0 1 1 ?' }, start: true });
  await stage.clock.advanceTo(START + 1_500);
  await stage.clock.jumpTo(START + 6_500);
  await stage.clock.advanceBy(500);
  expect((await stage.runs()).map(({ state }) => state)).toEqual(['succeeded']);
});
