import { expect, test } from 'vitest';
import { memoryTaskStore, type TaskStore } from '../../src/index.js';
import { checkTrace } from '../../src/trace.js';
import { createWorld, eventNames, failing, taskEvents } from '../support/world.js';

type Operation = 'load' | 'apply' | 'save';

/** A memory store whose calls fail while `isDown`, and that can fail its nth call of one kind. */
function failingStore() {
  const inner = memoryTaskStore();
  const state = { isDown: false, failNth: new Map<Operation, number>(), calls: { load: 0, apply: 0, save: 0 } };
  const guard =
    <Args extends unknown[], Result>(operation: Operation, work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      state.calls[operation] += 1;
      if (state.isDown || state.failNth.get(operation) === state.calls[operation])
        throw new Error(`${operation} failed`);
      return work(...args);
    };
  const store: TaskStore = {
    ...inner,
    load: guard('load', inner.load),
    apply: guard('apply', inner.apply),
    save: guard('save', inner.save),
  };
  return { store, state, inner };
}

test.each(['load', 'apply'] as const)(
  'S10: a store that fails to %s during initialize: a clear error, and it can be tried again',
  async (operation) => {
    const { store, state } = failingStore();
    const world = createWorld('2026-03-01T10:00:00Z', { store });
    const { scheduler, watch } = world.scheduler();
    state.failNth.set(operation, 1);
    await expect(scheduler.initialize([world.task('a', '* * * * *')])).rejects.toMatchObject({
      name: 'TaskStoreError',
      details: { cause: new Error(`${operation} failed`) },
    });
    expect(eventNames(watch.trace())).toEqual(['SchedulerInitializationStarted', 'SchedulerInitializationFailed']);
    await world.clock.advanceBy(120_000);
    expect(world.runs).toEqual([]);
    await scheduler.initialize([world.task('a', '* * * * *')]);
    expect(world.runs).toEqual(['a boot 10:02:00']);
    await scheduler.stop();
  },
);

test('S10: a start that cannot be recorded does not happen; when the store returns it happens once', async () => {
  const { store, state } = failingStore();
  const world = createWorld('2026-03-01T10:00:30Z', { store });
  const { scheduler, watch } = world.scheduler();
  await scheduler.initialize([world.task('a', '1-9 10 * * *')]);
  state.isDown = true;
  await world.clock.advanceTo('2026-03-01T10:03:30Z');
  expect(world.runs).toEqual([]);
  expect(eventNames(watch.trace()).filter((name) => name === 'StoreFailed').length).toBeGreaterThan(1);
  state.isDown = false;
  await world.clock.advanceTo('2026-03-01T10:06:30Z');
  expect(world.runs).toHaveLength(1 + 2 + (world.runs[0]!.includes('10:04') ? 0 : 1));
  expect(new Set(world.runs.map((run) => run.slice(-8, -3))).size, 'one run a minute at most').toBe(world.runs.length);
  expect(checkTrace(watch.trace(), { zone: 'UTC' })).toEqual([]);
  await scheduler.stop();
});

test('S10: a failing store is not hammered', async () => {
  const { store, state } = failingStore();
  const world = createWorld('2026-03-01T10:00:30Z', { store });
  const { scheduler } = world.scheduler();
  await scheduler.initialize([world.task('a', '* * * * *')]);
  state.isDown = true;
  const before = state.calls.save;
  await world.clock.advanceBy(3_600_000);
  expect(state.calls.save - before).toBeLessThan(150);
  state.isDown = false;
  await world.clock.advanceBy(120_000);
  await scheduler.stop();
});

test('S10 SP2: a result is told only when it is durable, and never runs again because of an outage', async () => {
  const { store, state } = failingStore();
  const world = createWorld('2026-03-01T10:00:00Z', { store });
  const { scheduler, watch } = world.scheduler();
  const work = () => {
    state.isDown = true;
  };
  await scheduler.initialize([world.task('a', '0 10 * * *', { work })]);
  await world.clock.advanceBy(30_000);
  expect(taskEvents(watch.trace())).toEqual(['TaskRunStarted a boot']);
  state.isDown = false;
  await world.clock.advanceBy(60_000);
  expect(taskEvents(watch.trace())).toEqual(['TaskRunStarted a boot', 'TaskRunCompleted a']);
  expect(watch.tasks()[0]!.lastSuccessAt).toBe(Date.parse('2026-03-01T10:00:00Z'));
  await world.clock.advanceTo('2026-03-01T12:00:00Z');
  expect(world.runs).toEqual(['a boot 10:00:00']);
  await scheduler.stop();
});

test('S10: stop resolves while the store is down; what could not be recorded is an orphan', async () => {
  const { store, state } = failingStore();
  const world = createWorld('2026-03-01T10:00:00Z', { store });
  const first = world.scheduler();
  const work = () => {
    state.isDown = true;
  };
  await first.scheduler.initialize([world.task('a', '0 10 * * *', { work })]);
  await world.clock.advanceBy(30_000);
  await first.scheduler.stop();
  expect(first.watch.trace().at(-1)).toMatchObject({ event: 'SchedulerStopped', reason: 'store' });
  state.isDown = false;
  const second = world.scheduler();
  await second.scheduler.initialize([world.task('a', '0 10 * * *')]);
  expect(world.runs).toEqual(['a boot 10:00:00', 'a orphan 10:00:30']);
  await second.scheduler.stop();
  expect(checkTrace([...first.watch.trace(), ...second.watch.trace()], { zone: 'UTC' })).toEqual([]);
});

test('S10: whichever save fails, every occurrence is handled once and the record is right in the end', async () => {
  for (let nth = 1; nth <= 12; nth++) {
    const { store, state, inner } = failingStore();
    const world = createWorld('2026-03-01T10:00:30Z', { store });
    const { scheduler, watch } = world.scheduler();
    state.failNth.set('save', nth);
    await scheduler.initialize([
      world.task('works', '* * * * *'),
      world.task('fails', '1,3 10 * * *', { retryMs: 20_000, work: failing() }),
    ]);
    await world.clock.advanceTo('2026-03-01T10:04:30Z');
    await scheduler.stop();
    expect(checkTrace(watch.trace(), { zone: 'UTC' }), `save ${nth}`).toEqual([]);
    const minutes = world.runs.filter((run) => run.startsWith('works')).map((run) => run.slice(-8).slice(0, 5));
    expect(new Set(minutes).size, `save ${nth}`).toBe(5);
    const stored = (await inner.load()) as { name: string; runningSchedulerId: string | null; lastSuccessAt: number }[];
    expect(stored.every(({ runningSchedulerId }) => runningSchedulerId === null)).toBe(true);
  }
});

test('S3: stop at every moment of a busy minute resolves, and no callback starts after it', async () => {
  for (let turns = 0; turns < 60; turns++) {
    const world = createWorld('2026-03-01T10:00:59.999Z');
    const { scheduler, watch } = world.scheduler();
    await scheduler.initialize([
      world.task('a', '1 10 * * *'),
      world.task('b', '1 10 * * *', { work: failing(), retryMs: 0 }),
      world.task('c', '1 10 * * *', { work: async () => void (await null) }),
    ]);
    const moved = world.clock.advanceBy(1);
    for (let turn = 0; turn < turns; turn++) await null;
    const before = world.runs.length;
    let startedAfter = 0;
    const stopped = scheduler.stop().then(() => {
      startedAfter = world.runs.length;
    });
    await Promise.all([moved, stopped]);
    expect(startedAfter, `after ${turns} turns`).toBe(before);
    expect(checkTrace(watch.trace(), { zone: 'UTC' }), `after ${turns} turns`).toEqual([]);
    await scheduler.initialize([
      world.task('a', '1 10 * * *'),
      world.task('b', '1 10 * * *'),
      world.task('c', '1 10 * * *'),
    ]);
    expect(new Set(world.runs.map((run) => run[0])).size, 'nothing is lost').toBe(3);
    await scheduler.stop();
  }
});

test.each([
  {
    story: 'a missing field',
    corrupt: ({ cron: _, ...rest }: Record<string, unknown>) => rest,
    error: 'TaskMissingFieldError',
  },
  {
    story: 'a wrong type',
    corrupt: (record: object) => ({ ...record, lastAttemptAt: 'yesterday' }),
    error: 'TaskInvalidTypeError',
  },
  { story: 'a wrong value', corrupt: (record: object) => ({ ...record, attempt: -1 }), error: 'TaskInvalidValueError' },
  { story: 'a record that is none', corrupt: () => null, error: 'TaskInvalidStructureError' },
])(
  'S10 E10 E11 E12 E13: $story is one typed error in the log and the events, the task counts as new, the others run',
  async ({ corrupt, error }) => {
    const inner = memoryTaskStore();
    const store: TaskStore = {
      ...inner,
      load: async () =>
        (await inner.load()).map((record) =>
          (record as { name: string }).name === 'bad' ? corrupt(record as never) : record,
        ),
    };
    const world = createWorld('2026-03-01T10:00:00Z', { store });
    const tasks = [world.task('bad', '0 * * * *'), world.task('good', '0 * * * *')];
    const first = world.scheduler();
    await first.scheduler.initialize(tasks);
    await first.scheduler.stop();
    await world.clock.advanceTo('2026-03-01T12:30:00Z');
    world.newRuns();
    const logged: object[] = [];
    const log = { debug() {}, info() {}, warn() {}, error: (facts: object) => void logged.push(facts) };
    const second = world.scheduler({ log });
    await second.scheduler.initialize(tasks);
    expect(world.newRuns()).toEqual(['good catch-up 12:30:00']);
    const discarded = second.watch.trace().filter(({ event }) => event === 'TaskRecordDiscarded');
    expect(discarded).toMatchObject([{ error: { name: error } }]);
    expect(logged).toMatchObject([{ err: { name: error } }]);
    expect(second.watch.tasks()[0]).toMatchObject({ name: 'bad', origin: 'new', lastAttemptAt: null });
    await second.scheduler.stop();
  },
);
