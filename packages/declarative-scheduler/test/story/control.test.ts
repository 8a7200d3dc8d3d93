import { expect, test } from 'vitest';
import {
  control,
  NotLeadingError,
  RegistrationShapeError,
  ScheduleDuplicateTaskError,
  TaskRunningError,
  TaskStoreError,
  UnknownTaskError,
} from '../../src/index.js';
import { checkTrace } from '../../src/trace.js';
import { createWorld, deferred, failing, taskEvents } from '../support/world.js';

const START = '2026-03-01T10:00:30Z';

async function running(...tasks: Parameters<ReturnType<typeof createWorld>['task']>[]) {
  const world = createWorld(START);
  const made = world.scheduler();
  await made.scheduler.initialize(tasks.map((task) => world.task(...task)));
  return { world, ...made, by: control(made.scheduler) };
}

test('H1: runNow starts a task at once, says why, and leaves the next occurrence due', async () => {
  const { world, watch, by, scheduler } = await running(['a', '2 10 * * *']);
  await by.runNow('a');
  expect(world.newRuns()).toEqual(['a manual 10:00:30']);
  await world.clock.advanceTo('2026-03-01T10:02:30Z');
  expect(world.newRuns()).toEqual(['a cron 10:02:00']);
  await scheduler.stop();
  expect(checkTrace(watch.trace(), { zone: 'UTC' })).toEqual([]);
});

test('H2: runNow of a running task rejects; one whose occurrence comes meanwhile is followed by a catch-up', async () => {
  const work = deferred();
  const { world, watch, by, scheduler } = await running(['a', '2 10 * * *', { work: () => work.promise }]);
  await by.runNow('a');
  await expect(by.runNow('a')).rejects.toBeInstanceOf(TaskRunningError);
  await world.clock.advanceTo('2026-03-01T10:03:00Z');
  work.resolve();
  await world.clock.settle();
  expect(world.newRuns()).toEqual(['a manual 10:00:30', 'a catch-up 10:03:00']);
  await scheduler.stop();
  expect(checkTrace(watch.trace(), { zone: 'UTC' })).toEqual([]);
});

test('H3: while paused nothing starts by itself, runNow does, and what came due is not made up after resume', async () => {
  const { world, watch, by, scheduler } = await running(['a', '* * * * *']);
  world.newRuns();
  await by.pause('a');
  await by.pause('a');
  expect(watch.tasks()[0]).toMatchObject({ paused: true });
  expect(watch.explain('a').sentence).toContain('paused');
  await world.clock.advanceBy(180_000);
  expect(world.newRuns()).toEqual([]);
  await by.runNow('a');
  expect(world.newRuns()).toEqual(['a manual 10:03:30']);
  await by.resume('a');
  expect(watch.tasks()[0]).toMatchObject({ paused: false });
  await world.clock.advanceBy(60_000);
  expect(world.newRuns()).toEqual(['a cron 10:04:00']);
  await scheduler.stop();
  expect(taskEvents(watch.trace()).filter((event) => /Paused|Resumed/.test(event))).toEqual([
    'TaskPaused a',
    'TaskResumed a',
  ]);
  expect(checkTrace(watch.trace(), { zone: 'UTC' })).toEqual([]);
});

test('H4: a retry that was pending waits for resume and runs then', async () => {
  const { world, watch, by, scheduler } = await running(['a', '30 * * * *', { retryMs: 5_000, work: failing() }]);
  await by.runNow('a');
  await world.clock.settle();
  await by.pause('a');
  await world.clock.advanceBy(60_000);
  expect(world.newRuns()).toEqual(['a manual 10:00:30']);
  await by.resume('a');
  await world.clock.settle();
  expect(world.newRuns()).toEqual(['a retry 10:01:30']);
  await scheduler.stop();
  expect(checkTrace(watch.trace(), { zone: 'UTC' })).toEqual([]);
});

test('H5: a pause outlives a restart, and an initialize that still has the task', async () => {
  const world = createWorld(START);
  const first = world.scheduler();
  await first.scheduler.initialize([world.task('a', '* * * * *')]);
  await control(first.scheduler).pause('a');
  await first.scheduler.stop();
  world.newRuns();
  const second = world.scheduler();
  await second.scheduler.initialize([world.task('a', '1-59 * * * *')]);
  await world.clock.advanceBy(120_000);
  expect(world.newRuns()).toEqual([]);
  expect(second.watch.tasks()[0]).toMatchObject({ paused: true, origin: 'overridden' });
  await second.scheduler.stop();
  expect(checkTrace([...first.watch.trace(), ...second.watch.trace()], { zone: 'UTC' })).toEqual([]);
});

test('H6: cancelRetry drops a pending retry and says whether there was one', async () => {
  const { world, watch, by, scheduler } = await running(['a', '30 * * * *', { retryMs: 5_000, work: failing() }]);
  expect(await by.cancelRetry('a')).toBe(false);
  await by.runNow('a');
  await world.clock.settle();
  expect(await by.cancelRetry('a')).toBe(true);
  await world.clock.advanceBy(60_000);
  expect(world.newRuns()).toEqual(['a manual 10:00:30']);
  expect(watch.tasks()[0]).toMatchObject({ state: 'AwaitingRun', pendingRetryUntil: null });
  await scheduler.stop();
  expect(taskEvents(watch.trace())).toContain('TaskRetryCancelled a');
  expect(checkTrace(watch.trace(), { zone: 'UTC' })).toEqual([]);
});

test('H7: a run by hand replaces a pending retry, which is reported', async () => {
  const { world, watch, by, scheduler } = await running(['a', '30 * * * *', { retryMs: 600_000, work: failing() }]);
  await by.runNow('a');
  await world.clock.settle();
  await by.runNow('a');
  await world.clock.settle();
  expect(taskEvents(watch.trace())).toEqual([
    'TaskRunStarted a manual',
    'TaskRunFailed a',
    'TaskRetryPreempted a',
    'TaskRunStarted a manual',
    'TaskRunFailed a',
  ]);
  await scheduler.stop();
  expect(checkTrace(watch.trace(), { zone: 'UTC' })).toEqual([]);
});

test('H8: add registers a task while running, as initialize would; the next list is still the whole truth', async () => {
  const world = createWorld(START);
  const first = world.scheduler();
  await first.scheduler.initialize([]);
  const by = control(first.scheduler);
  await by.add(world.task('a', '* * * * *'), { maxRetries: 1 });
  await world.clock.advanceBy(60_000);
  expect(world.newRuns()).toEqual(['a boot 10:00:30', 'a cron 10:01:00']);
  await expect(by.add(world.task('a', '* * * * *'))).rejects.toBeInstanceOf(ScheduleDuplicateTaskError);
  await expect(by.add(['b'] as never)).rejects.toBeInstanceOf(RegistrationShapeError);
  const added = first.watch.trace().find(({ event }) => event === 'TaskAdded');
  expect(added).toMatchObject({
    taskName: 'a',
    registration: { name: 'a', cron: '* * * * *', retryDelayMs: 60_000, maxRetries: 1 },
  });
  await first.scheduler.stop();
  const second = world.scheduler();
  await second.scheduler.initialize([]);
  expect(await world.store.load()).toEqual([]);
  await second.scheduler.stop();
  expect(checkTrace([...first.watch.trace(), ...second.watch.trace()], { zone: 'UTC' })).toEqual([]);
});

test('H9: remove deletes the record at once; a running callback ends by itself and is not waited for', async () => {
  const work = deferred();
  const { world, watch, by, scheduler } = await running(
    ['a', '* * * * *', { work: () => work.promise }],
    ['b', '30 * * * *'],
  );
  await by.remove('a');
  expect(((await world.store.load()) as { name: string }[]).map(({ name }) => name)).toEqual(['b']);
  expect(watch.tasks().map(({ name }) => name)).toEqual(['b']);
  await scheduler.stop();
  work.resolve();
  await world.clock.settle();
  expect(((await world.store.load()) as { name: string }[]).map(({ name }) => name)).toEqual(['b']);
  expect(taskEvents(watch.trace())).toEqual(['TaskRunStarted a boot', 'TaskRemoved a']);
  expect(checkTrace(watch.trace(), { zone: 'UTC' })).toEqual([]);
});

test('H10: a task that is removed and added again while its callback runs never runs twice at once', async () => {
  const work = deferred();
  const { world, watch, by, scheduler } = await running(['a', '* * * * *', { work: () => work.promise }]);
  await by.remove('a');
  await by.add(world.task('a', '* * * * *'));
  await expect(by.runNow('a')).rejects.toBeInstanceOf(TaskRunningError);
  await world.clock.advanceBy(60_000);
  expect(world.newRuns()).toEqual(['a boot 10:00:30']);
  work.resolve();
  await world.clock.settle();
  expect(world.newRuns()).toHaveLength(1);
  await scheduler.stop();
  expect(watch.tasks()).toHaveLength(1);
});

test('H11: an unknown name, a standby and a stopped scheduler are typed errors', async () => {
  const { world, by, scheduler } = await running(['a', '30 * * * *']);
  for (const act of ['runNow', 'pause', 'resume', 'cancelRetry', 'remove'] as const) {
    await expect(by[act]('b')).rejects.toBeInstanceOf(UnknownTaskError);
  }
  await scheduler.stop();
  await expect(by.runNow('a')).rejects.toMatchObject({ code: 'not-leading', details: { role: null } });
  await expect(by.add(world.task('c', '* * * * *'))).rejects.toBeInstanceOf(NotLeadingError);
  const a = world.scheduler({ instances: 'standby' });
  const b = world.scheduler({ instances: 'standby' });
  await a.scheduler.initialize([world.task('a', '30 * * * *')]);
  await b.scheduler.initialize([world.task('a', '30 * * * *')]);
  await expect(control(b.scheduler).pause('a')).rejects.toMatchObject({ details: { role: 'standby' } });
  await Promise.all([a.scheduler.stop(), b.scheduler.stop()]);
});

test('H12: a store that fails rejects what was asked, and nothing changes', async () => {
  const world = createWorld(START);
  let isDown = false;
  const fail = async (work: () => Promise<void>) => {
    if (isDown) throw new Error('down');
    await work();
  };
  const store = {
    ...world.store,
    save: (records: never) => fail(() => world.store.save(records)),
    apply: (change: never) => fail(() => world.store.apply(change)),
  };
  const { scheduler, watch } = world.scheduler({ store });
  await scheduler.initialize([world.task('a', '30 * * * *')]);
  const by = control(scheduler);
  isDown = true;
  for (const attempt of [by.pause('a'), by.add(world.task('b', '* * * * *')), by.remove('a'), by.runNow('a')]) {
    await expect(attempt).rejects.toBeInstanceOf(TaskStoreError);
  }
  isDown = false;
  expect(watch.tasks()).toMatchObject([{ name: 'a', paused: false, state: 'AwaitingRun' }]);
  await world.clock.advanceTo('2026-03-01T10:30:30Z');
  expect(world.newRuns()).toEqual(['a cron 10:30:00']);
  await scheduler.stop();
});

test('H13: runs by hand wait for room', async () => {
  const world = createWorld(START);
  const { scheduler } = world.scheduler({ concurrency: 1 });
  const work = deferred();
  await scheduler.initialize([
    world.task('long', '* * * * *', { work: () => work.promise }),
    world.task('b', '0 0 1 1 *'),
  ]);
  let isStarted = false;
  const started = control(scheduler)
    .runNow('b')
    .then(() => {
      isStarted = true;
    });
  await world.clock.settle();
  expect(isStarted).toBe(false);
  work.resolve();
  await started;
  expect(world.newRuns()).toEqual(['long boot 10:00:30', 'b manual 10:00:30']);
  await scheduler.stop();
});
