import { expect, test } from 'vitest';
import type { TaskStore } from '../../src/index.js';
import { checkTrace } from '../../src/trace.js';
import { createWorld, deferred, failing, taskEvents } from '../support/world.js';

const origins = (watch: { tasks(): { name: string; origin: string }[] }) =>
  Object.fromEntries(watch.tasks().map(({ name, origin }) => [name, origin]));

test('R1 R2 R3 O1 O2 O3: a restart finds what is new, preserved and overridden, and goes on from the last attempts', async () => {
  const world = createWorld('2026-03-01T10:00:00Z');
  const first = world.scheduler();
  await first.scheduler.initialize([
    world.task('same', '0 * * * *'),
    world.task('other cron', '0 * * * *'),
    world.task('other delay', '0 * * * *', { retryMs: 1 }),
    world.task('gone', '0 * * * *'),
  ]);
  await first.scheduler.stop();
  await world.clock.advanceTo('2026-03-01T10:10:00Z');
  const second = world.scheduler();
  await second.scheduler.initialize([
    world.task('same', '0 * * * *'),
    world.task('other cron', '30 * * * *'),
    world.task('other delay', '0 * * * *', { retryMs: 2 }),
    world.task('fresh', '0 * * * *'),
  ]);
  expect(origins(second.watch)).toEqual({
    same: 'preserved',
    'other cron': 'overridden',
    'other delay': 'overridden',
    fresh: 'new',
  });
  expect(second.watch.tasks()[1]).toMatchObject({
    cron: '30 * * * *',
    lastAttemptAt: Date.parse('2026-03-01T10:00:00Z'),
  });
  expect(((await world.store.load()) as { name: string }[]).map(({ name }) => name).sort()).toEqual([
    'fresh',
    'other cron',
    'other delay',
    'same',
  ]);
  await second.scheduler.stop();
});

test('D2: initializing again with the same registrations has no further effect', async () => {
  const world = createWorld('2026-03-01T10:00:00Z');
  const tasks = [world.task('a', '0 * * * *'), world.task('b', '0 11 * * *')];
  const first = world.scheduler();
  await first.scheduler.initialize(tasks);
  await first.scheduler.stop();
  const stored = await world.store.load();
  world.newRuns();
  for (let round = 0; round < 3; round++) {
    const { scheduler, watch } = world.scheduler();
    await scheduler.initialize(tasks);
    expect(origins(watch)).toEqual({ a: 'preserved', b: 'preserved' });
    await scheduler.stop();
  }
  expect(await world.store.load()).toEqual(stored);
  expect(world.newRuns()).toEqual([]);
});

test('S6: a task that is removed is forgotten, and new if it comes back', async () => {
  const world = createWorld('2026-03-01T10:00:00Z');
  const { scheduler, watch } = world.scheduler();
  await scheduler.initialize([world.task('a', '0 * * * *'), world.task('b', '0 * * * *')]);
  await scheduler.stop();
  await scheduler.initialize([world.task('b', '0 * * * *')]);
  await scheduler.stop();
  await world.clock.advanceTo('2026-03-01T12:30:00Z');
  world.newRuns();
  await scheduler.initialize([world.task('a', '0 * * * *'), world.task('b', '0 * * * *')]);
  expect(world.newRuns()).toEqual(['b catch-up 12:30:00']);
  expect(watch.tasks()[0]).toMatchObject({ origin: 'new', lastAttemptAt: null });
  await scheduler.stop();
});

test('S7: an override judges what was missed with the new cron against the old last attempt', async () => {
  const world = createWorld('2026-03-01T10:00:00Z');
  const first = world.scheduler();
  await first.scheduler.initialize([world.task('missed', '0 10 * * *'), world.task('not missed', '0 10 * * *')]);
  await first.scheduler.stop();
  await world.clock.advanceTo('2026-03-01T11:00:30Z');
  world.newRuns();
  const second = world.scheduler();
  await second.scheduler.initialize([world.task('missed', '30 10 * * *'), world.task('not missed', '30 9 * * *')]);
  expect(world.newRuns()).toEqual(['missed catch-up 11:00:30']);
  await second.scheduler.stop();
});

test('S7: a pending retry keeps its time over a restart, also when the delay changes', async () => {
  const world = createWorld('2026-03-01T10:00:00Z');
  const first = world.scheduler();
  await first.scheduler.initialize([world.task('a', '0 10 * * *', { retryMs: 600_000, work: failing() })]);
  await world.clock.settle();
  await first.scheduler.stop();
  world.newRuns();
  const second = world.scheduler();
  await second.scheduler.initialize([world.task('a', '0 10 * * *', { retryMs: 5 })]);
  await world.clock.advanceTo('2026-03-01T10:09:59.999Z');
  expect(world.newRuns()).toEqual([]);
  await world.clock.advanceBy(1);
  expect(world.newRuns()).toEqual(['a retry 10:10:00']);
  await second.scheduler.stop();
});

test('S7: a retry that came due during downtime runs once at the restart', async () => {
  const world = createWorld('2026-03-01T10:00:00Z');
  const first = world.scheduler();
  const failed = [world.task('a', '0 10 * * *', { retryMs: 60_000, work: failing() })];
  await first.scheduler.initialize(failed);
  await first.scheduler.stop();
  await world.clock.advanceTo('2026-03-01T15:00:10Z');
  world.newRuns();
  const second = world.scheduler();
  await second.scheduler.initialize([world.task('a', '0 10 * * *', { retryMs: 60_000 })]);
  await world.clock.advanceBy(600_000);
  expect(world.newRuns()).toEqual(['a retry 15:00:10']);
  await second.scheduler.stop();
});

/** What a killed process leaves: the store as it was while a callback ran. */
async function crashDuringRun(world: ReturnType<typeof createWorld>, cron: string) {
  const dead = world.scheduler();
  await dead.scheduler.initialize([world.task('a', cron, { work: () => deferred().promise })]);
  world.newRuns();
  return dead;
}

test('O4 O7 O8 S6 RT2: an orphan runs exactly once at boot, also when nothing is due', async () => {
  const world = createWorld('2026-03-01T10:00:00Z');
  const dead = await crashDuringRun(world, '0 10 * * *');
  await world.clock.advanceTo('2026-03-01T10:20:00Z');
  const { scheduler, watch } = world.scheduler();
  await scheduler.initialize([world.task('a', '0 10 * * *')]);
  await world.clock.advanceBy(600_000);
  expect(world.newRuns()).toEqual(['a orphan 10:20:00']);
  expect(taskEvents(watch.trace())).toEqual(['TaskRunStarted a orphan', 'TaskRunCompleted a']);
  await scheduler.stop();
  const whole = [...dead.watch.trace(), { event: 'Crash' as const, at: world.clock.now() }, ...watch.trace()];
  expect(checkTrace(whole, { zone: 'UTC' })).toEqual([]);
});

test('S6: an orphan with a new configuration runs once, with the new configuration', async () => {
  const world = createWorld('2026-03-01T10:00:00Z');
  await crashDuringRun(world, '0 10 * * *');
  await world.clock.advanceTo('2026-03-01T10:20:00Z');
  const { scheduler, watch } = world.scheduler();
  await scheduler.initialize([world.task('a', '0,15 * * * *', { retryMs: 7 })]);
  expect(world.newRuns()).toEqual(['a orphan 10:20:00']);
  expect(watch.tasks()[0]).toMatchObject({ origin: 'orphaned', cron: '0,15 * * * *', retryDelayMs: 7 });
  await world.clock.advanceTo('2026-03-01T11:00:00Z');
  expect(world.newRuns()).toEqual(['a cron 11:00:00']);
  await scheduler.stop();
});

test('S6: an orphan that is due by cron as well runs once', async () => {
  const world = createWorld('2026-03-01T10:00:00Z');
  await crashDuringRun(world, '* * * * *');
  await world.clock.advanceTo('2026-03-01T10:20:30Z');
  const { scheduler } = world.scheduler();
  await scheduler.initialize([world.task('a', '* * * * *')]);
  await world.clock.advanceBy(29_000);
  expect(world.newRuns()).toEqual(['a orphan 10:20:30']);
  await scheduler.stop();
});

test('S6: an orphan that fails is retried like any other run', async () => {
  const world = createWorld('2026-03-01T10:00:00Z');
  await crashDuringRun(world, '0 10 * * *');
  const { scheduler } = world.scheduler();
  let fails = true;
  const work = () => {
    if (fails) {
      fails = false;
      throw new Error('once');
    }
  };
  await scheduler.initialize([world.task('a', '0 10 * * *', { retryMs: 5_000, work })]);
  await world.clock.advanceBy(5_000);
  expect(world.newRuns()).toEqual(['a orphan 10:00:00', 'a retry 10:00:05']);
  await scheduler.stop();
});

test('S6: an orphan is not lost when the scheduler is stopped before it could start', async () => {
  const world = createWorld('2026-03-01T10:00:00Z');
  await crashDuringRun(world, '0 10 * * *');
  const second = world.scheduler();
  const initialized = second.scheduler.initialize([world.task('a', '0 10 * * *')]);
  await second.scheduler.stop();
  await initialized;
  expect(world.newRuns()).toEqual([]);
  const third = world.scheduler();
  await third.scheduler.initialize([world.task('a', '0 10 * * *')]);
  expect(world.newRuns()).toEqual(['a orphan 10:00:00']);
  await third.scheduler.stop();
});

test('S6: an orphan that is no longer registered is forgotten', async () => {
  const world = createWorld('2026-03-01T10:00:00Z');
  await crashDuringRun(world, '0 10 * * *');
  const second = world.scheduler();
  await second.scheduler.initialize([world.task('b', '0 0 1 1 *')]);
  await second.scheduler.stop();
  const third = world.scheduler();
  await third.scheduler.initialize([world.task('a', '0 0 1 1 *')]);
  expect(world.newRuns()).toEqual([]);
  await third.scheduler.stop();
});

test('SP5: an occurrence in the minute of registration that could not start counts as missed and is caught up on', async () => {
  const world = createWorld('2026-03-01T10:00:30Z');
  const { scheduler } = world.scheduler();
  const initialized = scheduler.initialize([world.task('a', '0 10 * * *')]);
  await scheduler.stop();
  await initialized;
  await world.clock.advanceTo('2026-03-01T10:20:00Z');
  await scheduler.initialize([world.task('a', '0 10 * * *')]);
  expect(world.runs).toEqual(['a catch-up 10:20:00']);
  await scheduler.stop();
});

test('O9 S10: when the overrides cannot be applied, nothing is changed and initialize says why', async () => {
  const world = createWorld('2026-03-01T10:00:00Z');
  const first = world.scheduler();
  await first.scheduler.initialize([world.task('a', '0 10 * * *')]);
  await first.scheduler.stop();
  const before = await world.store.load();
  const cause = new Error('disk full');
  const broken: TaskStore = { ...world.store, apply: () => Promise.reject(cause) };
  const second = world.scheduler({ store: broken });
  world.newRuns();
  await expect(second.scheduler.initialize([world.task('b', '* * * * *')])).rejects.toMatchObject({
    name: 'TaskStoreError',
    message: 'The task store failed to apply the registrations: disk full',
    cause,
    details: { operation: 'apply the registrations', cause },
  });
  expect(await world.store.load()).toEqual(before);
  expect(world.newRuns()).toEqual([]);
  expect(second.watch.trace().at(-1)).toMatchObject({ event: 'SchedulerInitializationFailed' });
});
