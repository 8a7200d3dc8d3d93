import { expect, test } from 'vitest';
import { checkTrace } from '../../src/trace.js';
import { createWorld, failing } from '../support/world.js';

const YEAR = [['2026-01-01', '2026-12-31']] as const;

/** A year of wake-ups takes a while: one zone has all of it, the others the weeks around their changes unless HORAE_LONG is set. */
const zones = [
  { zone: 'Europe/Berlin', spring: '2026-03-29', autumn: '2026-10-25', spans: YEAR },
  {
    zone: 'America/New_York',
    spring: '2026-03-08',
    autumn: '2026-11-01',
    spans: process.env.HORAE_LONG
      ? YEAR
      : ([
          ['2026-03-01', '2026-03-15'],
          ['2026-10-25', '2026-11-08'],
        ] as const),
  },
  {
    zone: 'Australia/Lord_Howe',
    spring: '2026-10-04',
    autumn: '2026-04-05',
    spans: process.env.HORAE_LONG
      ? YEAR
      : ([
          ['2026-03-29', '2026-04-12'],
          ['2026-09-27', '2026-10-11'],
        ] as const),
  },
];

/** Local dates on which runs happened, with how often. */
function countByDay(runs: readonly number[], zone: string): Map<string, number> {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone });
  const counts = new Map<string, number>();
  for (const at of runs) counts.set(format.format(at), (counts.get(format.format(at)) ?? 0) + 1);
  return counts;
}

test.each(zones)(
  'T4 T5 T6 T7 S11: daily tasks in $zone, through both changes of a year, without a restart',
  { timeout: 300_000 },
  async ({ zone, spring, autumn, spans }) => {
    const world = createWorld(`${spans[0]![0]}T00:00:00Z`, { zone });
    const { scheduler, watch } = world.scheduler();
    const ran: Record<string, number[]> = { gap: [], twice: [], noon: [] };
    const note = (name: string) => () => void ran[name]!.push(world.clock.now());
    // Lord Howe moves by half an hour at 2:00, so its gap is 2:00 to 2:29 and 1:30 to 1:59 comes twice.
    const gap = zone === 'Australia/Lord_Howe' ? '15 2 * * *' : '30 2 * * *';
    const twice =
      zone === 'Australia/Lord_Howe' ? '45 1 * * *' : zone === 'America/New_York' ? '30 1 * * *' : '30 2 * * *';
    await scheduler.initialize([
      ['gap', gap, note('gap'), 0],
      ['twice', twice, note('twice'), 0],
      ['noon', '0 12 * * *', note('noon'), 0],
    ]);
    for (const [from, to] of spans) {
      // Between two spans the clock is set forward: the one catch-up run of each task is not counted.
      if (Date.parse(from) > world.clock.now()) await world.clock.jumpTo(`${from}T00:00:00Z`);
      await world.clock.advanceBy(60_000);
      for (const times of Object.values(ran))
        times.splice(0, times.length, ...times.filter((at) => at < Date.parse(from)));
      await world.clock.advanceTo(`${to}T18:00:00Z`);
    }
    await scheduler.stop();
    const [gapDays, twiceDays, noonDays] = ['gap', 'twice', 'noon'].map((name) => countByDay(ran[name]!, zone));
    expect(gapDays!.get(spring), 'skipped in spring').toBeUndefined();
    expect(twiceDays!.get(autumn), 'twice in autumn').toBe(2);
    const days = spans.reduce((sum, [from, to]) => sum + (Date.parse(to) - Date.parse(from)) / 86_400_000, 0);
    expect(noonDays!.size).toBeGreaterThanOrEqual(days);
    expect([...noonDays!.values()].every((count) => count === 1)).toBe(true);
    const odd = (days: Map<string, number>) => [...days].filter(([, count]) => count !== 1).map(([day]) => day);
    expect(odd(twiceDays!)).toEqual([autumn]);
    expect(checkTrace(watch.trace(), { zone })).toEqual([]);
  },
);

test.each([
  { change: 'spring', from: '2026-03-29T00:28:00Z' },
  { change: 'autumn', from: '2026-10-25T00:28:00Z' },
])('S11: every minute runs 64 times in 64 real minutes across the $change change', async ({ from }) => {
  const world = createWorld(from, { zone: 'Europe/Berlin' });
  const { scheduler } = world.scheduler();
  await scheduler.initialize([world.task('a', '* * * * *')]);
  await world.clock.advanceBy(63 * 60_000);
  expect(world.runs).toHaveLength(64);
  await scheduler.stop();
});

test('S8: a step forwards is one run a task, however much it skips', async () => {
  const world = createWorld('2026-03-01T10:00:30Z');
  const { scheduler } = world.scheduler();
  await scheduler.initialize([
    world.task('minutely', '* * * * *'),
    world.task('hourly', '0 * * * *'),
    world.task('yearly', '0 0 1 1 *'),
  ]);
  world.newRuns();
  await world.clock.jumpTo('2026-03-03T17:30:10Z');
  await world.clock.advanceBy(40_000);
  expect(world.newRuns()).toEqual(['minutely cron 17:30:10', 'hourly catch-up 17:30:10']);
  await scheduler.stop();
});

test('S8: a step backwards runs nothing again for minutes that are handled, and goes on after them', async () => {
  const world = createWorld('2026-03-01T10:00:30Z');
  const { scheduler } = world.scheduler();
  await scheduler.initialize([world.task('a', '* * * * *')]);
  await world.clock.advanceTo('2026-03-01T10:05:30Z');
  world.newRuns();
  await world.clock.jumpTo('2026-03-01T09:58:00Z');
  await world.clock.advanceTo('2026-03-01T10:05:59Z');
  expect(world.newRuns()).toEqual([]);
  await world.clock.advanceTo('2026-03-01T10:07:00Z');
  expect(world.newRuns()).toEqual(['a cron 10:06:00', 'a cron 10:07:00']);
  await scheduler.stop();
});

test.each([
  { story: 'forwards', to: '2026-03-01T13:00:30Z', expected: ['a catch-up 13:01:30', 'a cron 13:02:00'] },
  { story: 'backwards', to: '2026-03-01T09:00:30Z', expected: [] },
])('S8: a step $story during a run strands nothing', async ({ to, expected }) => {
  const world = createWorld('2026-03-01T10:00:30Z');
  const { scheduler } = world.scheduler();
  let isFirst = true;
  const work = async () => {
    if (!isFirst) return;
    isFirst = false;
    await world.clock.sleepFor(60_000);
  };
  await scheduler.initialize([world.task('a', '* * * * *', { work })]);
  world.newRuns();
  await world.clock.jumpTo(to);
  await world.clock.advanceBy(90_000);
  expect(world.newRuns()).toEqual(expected);
  await world.clock.jumpTo('2026-03-01T14:00:00Z');
  await world.clock.settle();
  await world.clock.advanceBy(60_000);
  expect(world.newRuns().length).toBeGreaterThan(0);
  await scheduler.stop();
});

test('S8: a retry keeps its appointment over a step forwards', async () => {
  const world = createWorld('2026-03-01T10:00:00Z');
  const { scheduler } = world.scheduler();
  await scheduler.initialize([world.task('a', '0 10 * * *', { retryMs: 3_600_000, work: failing() })]);
  world.newRuns();
  await world.clock.jumpTo('2026-03-01T11:00:00Z');
  await world.clock.advanceBy(60_000);
  expect(world.newRuns()).toEqual(['a retry 11:00:00']);
  await scheduler.stop();
});

test('S8: the loop never sleeps longer than a minute, and not at all long when something is due', async () => {
  const world = createWorld('2026-03-01T10:00:30Z');
  const naps: number[] = [];
  const clock = {
    now: () => world.clock.now(),
    monotonicMs: () => world.clock.monotonicMs(),
    sleepUntil: (at: number, options?: { signal?: AbortSignal }) => world.clock.sleepUntil(at, options),
    sleepFor: (ms: number, options?: { signal?: AbortSignal }) => {
      naps.push(ms);
      return world.clock.sleepFor(ms, options);
    },
  };
  const { scheduler } = world.scheduler({ clock });
  await scheduler.initialize([world.task('a', '0 0 1 1 *')]);
  await world.clock.advanceBy(86_400_000);
  expect(Math.max(...naps)).toBeLessThanOrEqual(60_000);
  expect(naps.length).toBeLessThanOrEqual(1_442);
  await scheduler.stop();
});
