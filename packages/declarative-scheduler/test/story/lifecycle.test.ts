import { expect, test } from 'vitest';
import {
  createScheduler,
  memoryTaskStore,
  observe,
  SchedulerAlreadyActiveError,
  SchedulerOptionError,
  type TaskStore,
  UnknownTaskError,
} from '../../src/index.js';
import { createWorld, deferred, eventNames, failing } from '../support/world.js';

test('A1: a scheduler has exactly two methods', () => {
  const scheduler = createScheduler();
  expect(Object.keys(scheduler)).toEqual(['initialize', 'stop']);
  expect(Object.isFrozen(scheduler)).toBe(true);
});

test('L1 P1 SP2: a whole life is told in order', async () => {
  const world = createWorld('2026-03-01T10:00:30Z');
  const { scheduler, watch } = world.scheduler();
  await scheduler.initialize([world.task('a', '1 10 * * *')]);
  await world.clock.advanceBy(60_000);
  await scheduler.stop();
  expect(eventNames(watch.trace())).toEqual([
    'SchedulerInitializationStarted',
    'PollingStarted',
    'SchedulerInitializationCompleted',
    'TaskRunStarted',
    'TaskRunCompleted',
    'SchedulerStopRequested',
    'PollingStopRequested',
    'PollingStopped',
    'SchedulerStopped',
  ]);
});

test('SP1: the first event carries the registrations, every event both clocks and the scheduler identifier', async () => {
  const world = createWorld('2026-03-01T10:00:30Z');
  const { scheduler, watch } = world.scheduler();
  await scheduler.initialize([world.task('a', '0 0 1 1 *', { retryMs: 250 })]);
  const [started] = watch.trace();
  expect(started!.registrations).toEqual([{ name: 'a', cron: '0 0 1 1 *', retryDelayMs: 250 }]);
  for (const event of watch.trace()) {
    expect(event).toMatchObject({
      at: world.clock.now(),
      monotonicMs: world.clock.monotonicMs(),
      schedulerId: started!.schedulerId,
    });
  }
});

test('S1 X7: a rejected list touches no store, not even to close it', async () => {
  const calls: string[] = [];
  const touched = (name: string) => async () => {
    calls.push(name);
    return [];
  };
  const store = {
    load: touched('load'),
    apply: touched('apply'),
    save: touched('save'),
    close: touched('close'),
    [Symbol.asyncDispose]: touched('dispose'),
  } as unknown as TaskStore;
  const world = createWorld('2026-03-01T10:00:30Z', { store });
  const { scheduler } = world.scheduler();
  await expect(scheduler.initialize([world.task('a', '* * * * *'), world.task('a', '* * * * *')])).rejects.toThrow(
    'already scheduled',
  );
  await expect(scheduler.initialize('nonsense' as never)).rejects.toThrow('must be an array');
  expect(calls).toEqual([]);
});

test('S2 SP2: no registrations are valid, empty the store and need no polling', async () => {
  const world = createWorld('2026-03-01T10:00:30Z');
  const first = world.scheduler();
  await first.scheduler.initialize([world.task('a', '* * * * *')]);
  await first.scheduler.stop();
  const second = world.scheduler();
  await second.scheduler.initialize([]);
  expect(await world.store.load()).toEqual([]);
  await second.scheduler.stop();
  expect(eventNames(second.watch.trace())).toEqual([
    'SchedulerInitializationStarted',
    'SchedulerInitializationCompleted',
    'SchedulerStopRequested',
    'SchedulerStopped',
  ]);
});

test('L2 E5 S2: a second initialize changes nothing and is refused, before it is even read', async () => {
  const world = createWorld('2026-03-01T10:00:30Z');
  const { scheduler, watch } = world.scheduler();
  const first = scheduler.initialize([world.task('a', '* * * * *')]);
  await expect(scheduler.initialize('nonsense' as never)).rejects.toMatchObject({
    name: 'SchedulerAlreadyActiveError',
    message: 'Cannot initialize scheduler: scheduler is already initializing',
    details: { currentState: 'initializing' },
  });
  await first;
  await expect(scheduler.initialize([])).rejects.toMatchObject({
    message: 'Cannot initialize scheduler: scheduler is already running',
    details: { currentState: 'running' },
  });
  expect(watch.tasks().map(({ name }) => name)).toEqual(['a']);
  expect(eventNames(watch.trace()).filter((name) => name.startsWith('SchedulerInit'))).toHaveLength(2);
  await scheduler.stop();
});

test('X3: many initializations at once: one wins, the others are refused, nothing is scheduled twice', async () => {
  const world = createWorld('2026-03-01T10:00:30Z');
  const { scheduler } = world.scheduler();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 5 }, () => scheduler.initialize([world.task('a', '* * * * *')])),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(SchedulerAlreadyActiveError);
  }
  await world.clock.advanceBy(60_000);
  expect(world.runs).toEqual(['a boot 10:00:30', 'a cron 10:01:00']);
  await scheduler.stop();
});

test('S2: a stopping scheduler is still running', async () => {
  const world = createWorld('2026-03-01T10:00:30Z');
  const { scheduler } = world.scheduler();
  const work = deferred();
  await scheduler.initialize([world.task('a', '* * * * *', { work: () => work.promise })]);
  const stopped = scheduler.stop();
  await expect(scheduler.initialize([])).rejects.toMatchObject({ details: { currentState: 'running' } });
  work.resolve();
  await stopped;
});

test('S2 D2: the same object is initialized again any number of times, each time under a new identifier', async () => {
  const world = createWorld('2026-03-01T10:00:30Z');
  const { scheduler, watch } = world.scheduler();
  for (let round = 0; round < 5; round++) {
    await scheduler.initialize([world.task('a', '* * * * *')]);
    await world.clock.advanceBy(60_000);
    await scheduler.stop();
  }
  expect(world.runs).toEqual([
    'a boot 10:00:30',
    'a cron 10:01:00',
    'a cron 10:02:00',
    'a cron 10:03:00',
    'a cron 10:04:00',
    'a cron 10:05:00',
  ]);
  const identifiers = watch
    .trace()
    .filter(({ event }) => event === 'SchedulerInitializationStarted')
    .map(({ schedulerId }) => schedulerId);
  expect(new Set(identifiers).size).toBe(5);
});

test('L3 SP2 E8: invalid registrations are told as started and failed, and leave everything as it was', async () => {
  const world = createWorld('2026-03-01T10:00:30Z');
  const earlier = world.scheduler();
  await earlier.scheduler.initialize([world.task('kept', '0 0 1 1 *')]);
  await earlier.scheduler.stop();
  const before = await world.store.load();
  const { scheduler, watch } = world.scheduler();
  await expect(scheduler.initialize([world.task('a', '* * * * *'), world.task('b', '* * * *')])).rejects.toThrow(
    'Invalid cron expression',
  );
  expect(eventNames(watch.trace())).toEqual(['SchedulerInitializationStarted', 'SchedulerInitializationFailed']);
  expect(await world.store.load()).toEqual(before);
  await world.clock.advanceBy(120_000);
  expect(world.runs).toEqual([]);
  await scheduler.initialize([world.task('a', '* * * * *')]);
  expect(world.runs).toEqual(['a boot 10:02:30']);
  await scheduler.stop();
});

test('S1: every error is a rejection, never a throw', async () => {
  const world = createWorld('2026-03-01T10:00:30Z');
  const { scheduler } = world.scheduler();
  const promise = scheduler.initialize(undefined as never);
  expect(promise).toBeInstanceOf(Promise);
  await expect(promise).rejects.toThrow('Registrations must be an array');
});

test('S3: stop resolves when never initialized, twice, and at the same time', async () => {
  const world = createWorld('2026-03-01T10:00:30Z');
  const { scheduler, watch } = world.scheduler();
  await scheduler.stop();
  await scheduler.stop();
  expect(watch.trace()).toEqual([]);
  await scheduler.initialize([world.task('a', '* * * * *')]);
  await Promise.all([scheduler.stop(), scheduler.stop(), scheduler.stop()]);
  await scheduler.stop();
  expect(eventNames(watch.trace()).filter((name) => name === 'SchedulerStopped')).toHaveLength(1);
});

test('X4 X5 S3: stop during an initialize that succeeds: it waits for it, and no task starts', async () => {
  const world = createWorld('2026-03-01T10:00:30Z');
  const { scheduler, watch } = world.scheduler();
  const order: string[] = [];
  const initialized = scheduler.initialize([world.task('a', '* * * * *')]).then(() => order.push('initialized'));
  const stopped = scheduler.stop().then(() => order.push('stopped'));
  await Promise.all([initialized, stopped]);
  await world.clock.advanceBy(180_000);
  expect(world.runs).toEqual([]);
  expect(eventNames(watch.trace()).slice(-4)).toEqual([
    'SchedulerStopRequested',
    'PollingStopRequested',
    'PollingStopped',
    'SchedulerStopped',
  ]);
  expect(eventNames(watch.trace())).toContain('SchedulerInitializationCompleted');
  await scheduler.initialize([world.task('a', '* * * * *')]);
  expect(world.runs).toEqual(['a cron 10:03:30']);
  await scheduler.stop();
});

test('S3: stop during an initialize that fails resolves', async () => {
  const world = createWorld('2026-03-01T10:00:30Z');
  const { scheduler } = world.scheduler();
  const initialized = scheduler.initialize([null as never]);
  const stopped = scheduler.stop();
  await expect(initialized).rejects.toThrow('Invalid registration shape');
  await stopped;
});

test('X6: stop waits for running callbacks', async () => {
  const world = createWorld('2026-03-01T10:00:30Z');
  const { scheduler } = world.scheduler();
  const work = deferred();
  await scheduler.initialize([world.task('a', '* * * * *', { work: () => work.promise })]);
  let isStopped = false;
  const stopped = scheduler.stop().then(() => {
    isStopped = true;
  });
  await world.clock.advanceBy(3_600_000);
  expect(isStopped).toBe(false);
  work.resolve();
  await stopped;
  expect(world.runs).toEqual(['a boot 10:00:30']);
});

test('X7: stop cleans up when the last callback fails', async () => {
  const world = createWorld('2026-03-01T10:00:30Z');
  const { scheduler, watch } = world.scheduler();
  const work = deferred();
  await scheduler.initialize([world.task('a', '* * * * *', { work: () => work.promise })]);
  const stopped = scheduler.stop();
  work.reject(new Error('at the last moment'));
  await stopped;
  expect(eventNames(watch.trace()).slice(-3)).toEqual(['TaskRunFailed', 'PollingStopped', 'SchedulerStopped']);
  expect(watch.tasks()[0]).toMatchObject({ state: 'AwaitingRetry', lastFailureAt: world.clock.now() });
});

test('S3: stop awaited inside a callback waits for the others and not for itself', async () => {
  const world = createWorld('2026-03-01T10:00:30Z');
  const { scheduler, watch } = world.scheduler();
  const other = deferred();
  const order: string[] = [];
  await scheduler.initialize([
    world.task('stopper', '* * * * *', {
      work: async () => {
        await scheduler.stop();
        order.push('stop resolved inside');
      },
    }),
    world.task('other', '* * * * *', { work: () => other.promise.then(() => order.push('other done')) }),
  ]);
  const outside = scheduler.stop().then(() => order.push('stop resolved outside'));
  await world.clock.settle();
  expect(order).toEqual([]);
  other.resolve();
  await outside;
  expect(order).toEqual(['other done', 'stop resolved inside', 'stop resolved outside']);
  expect(watch.tasks().map(({ state }) => state)).toEqual(['AwaitingRun', 'AwaitingRun']);
});

test('S3: two callbacks that both await stop do not wait for each other', async () => {
  const world = createWorld('2026-03-01T10:00:30Z');
  const { scheduler, watch } = world.scheduler();
  const work = () => scheduler.stop();
  await scheduler.initialize([world.task('a', '* * * * *', { work }), world.task('b', '* * * * *', { work })]);
  await world.clock.settle();
  expect(eventNames(watch.trace()).at(-1)).toBe('SchedulerStopped');
});

test('S3: at the deadline of stop the signals are aborted', async () => {
  const world = createWorld('2026-03-01T10:00:30Z');
  const { scheduler, watch } = world.scheduler();
  let reason: unknown;
  await scheduler.initialize([
    world.task('polite', '* * * * *', {
      work: ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            reason = signal.reason;
            reject(signal.reason);
          });
        }),
    }),
  ]);
  const stopped = scheduler.stop({ deadlineMs: 5_000 });
  await world.clock.advanceBy(4_999);
  expect(reason).toBeUndefined();
  await world.clock.advanceBy(1);
  await stopped;
  expect(reason).toMatchObject({ name: 'SchedulerStoppingError' });
  expect(eventNames(watch.trace()).slice(-3)).toEqual(['TaskRunFailed', 'PollingStopped', 'SchedulerStopped']);
});

test('S3: a deadline is not waited for when everything is over before', async () => {
  const world = createWorld('2026-03-01T10:00:30Z');
  const { scheduler } = world.scheduler();
  await scheduler.initialize([world.task('a', '* * * * *')]);
  await scheduler.stop({ deadlineMs: 3_600_000 });
});

test('SP6: a callback that ignores its signal is left behind at the deadline and is an orphan at the next start', async () => {
  const world = createWorld('2026-03-01T10:00:30Z');
  const deaf = deferred();
  const first = world.scheduler();
  await first.scheduler.initialize([world.task('deaf', '* * * * *', { work: () => deaf.promise })]);
  const stopped = first.scheduler.stop({ deadlineMs: 1_000 });
  await world.clock.advanceBy(1_000);
  await stopped;
  expect(first.watch.trace().at(-1)).toMatchObject({ event: 'SchedulerStopped', reason: 'deadline' });
  const second = world.scheduler();
  await second.scheduler.initialize([world.task('deaf', '* * * * *')]);
  expect(world.runs).toEqual(['deaf boot 10:00:30', 'deaf orphan 10:00:31']);
  deaf.resolve();
  await world.clock.settle();
  expect(eventNames(first.watch.trace()).at(-1), 'a late end changes nothing').toBe('SchedulerStopped');
  await second.scheduler.stop();
});

test('X2 SP6: the same object does not start a task again beside a callback that is still running', async () => {
  const world = createWorld('2026-03-01T10:00:30Z');
  const deaf = deferred();
  const { scheduler } = world.scheduler();
  await scheduler.initialize([world.task('deaf', '* * * * *', { work: () => deaf.promise })]);
  const stopped = scheduler.stop({ deadlineMs: 0 });
  await world.clock.settle();
  await stopped;
  await scheduler.initialize([world.task('deaf', '* * * * *')]);
  await world.clock.advanceBy(300_000);
  expect(world.runs).toEqual(['deaf boot 10:00:30']);
  deaf.resolve();
  await world.clock.settle();
  expect(world.runs).toEqual(['deaf boot 10:00:30', 'deaf orphan 10:05:30']);
  await scheduler.stop();
});

test('S3: stop called by a callback that is not awaited ends the scheduler too', async () => {
  const world = createWorld('2026-03-01T10:00:30Z');
  const { scheduler, watch } = world.scheduler();
  await scheduler.initialize([world.task('a', '* * * * *', { work: () => void scheduler.stop() })]);
  await world.clock.settle();
  expect(eventNames(watch.trace()).at(-1)).toBe('SchedulerStopped');
});

test('a listener that throws stops nobody', async () => {
  const world = createWorld('2026-03-01T10:00:30Z');
  const { scheduler, watch } = world.scheduler();
  const heard: string[] = [];
  const warned = deferred<Error>();
  process.once('warning', warned.resolve);
  watch.on('TaskRunStarted', failing('listener'));
  const remove = watch.on('TaskRunStarted', ({ taskName }) => heard.push(taskName!));
  await scheduler.initialize([world.task('a', '* * * * *')]);
  remove();
  await world.clock.advanceBy(60_000);
  await scheduler.stop();
  expect(heard).toEqual(['a']);
  expect(world.runs).toHaveLength(2);
  expect((await warned.promise).message).toContain('listener');
});

test.each([
  {
    story: 'a store and a database',
    options: { store: memoryTaskStore(), database: 'sqlite::memory:' },
    option: 'database',
  },
  { story: 'no concurrency', options: { concurrency: 0 }, option: 'concurrency' },
  { story: 'half a callback at once', options: { concurrency: 1.5 }, option: 'concurrency' },
  { story: 'a time limit of nothing', options: { taskTimeout: 0 }, option: 'taskTimeout' },
])('options with $story are refused at once', ({ options, option }) => {
  expect(() => createScheduler(options)).toThrow(SchedulerOptionError);
  expect(() => createScheduler(options)).toThrow(
    expect.objectContaining({ details: expect.objectContaining({ option }) }),
  );
});

test('an unknown zone is refused at once, a bad deadline when stop is called, a foreign object by observe', async () => {
  expect(() => createScheduler({ zone: 'Mars/Olympus' })).toThrow('Unknown time zone "Mars/Olympus"');
  await expect(createScheduler().stop({ deadlineMs: -1 })).rejects.toThrow(
    'deadlineMs must be a finite number from 0 on, got -1',
  );
  expect(() => observe({ initialize: async () => {}, stop: async () => {} })).toThrow(
    'observe needs a scheduler that createScheduler made',
  );
});

test('SP3: explain of an unknown task is a typed error', () => {
  expect(() => observe(createScheduler()).explain('nobody')).toThrow(UnknownTaskError);
});
