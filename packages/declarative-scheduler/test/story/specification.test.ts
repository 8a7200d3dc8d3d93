import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@horae/clock-store/storage';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createScheduler, observe, type TraceEvent } from '../../src/index.js';
import { sqlTaskStore } from '../../src/sql.js';
import { createWorld, failing, taskEvents } from '../support/world.js';

test('C3: with day and weekday both restricted a task runs when either matches', async () => {
  const world = createWorld('2026-02-27T00:00:30Z');
  const { scheduler } = world.scheduler();
  const days: string[] = [];
  const work = () => void days.push(new Date(world.clock.now()).toISOString().slice(0, 10));
  await scheduler.initialize([world.task('a', '0 12 1,15 * 1', { work })]);
  await world.clock.advanceTo('2026-03-17T00:00:00Z');
  expect(days).toEqual(['2026-03-01', '2026-03-02', '2026-03-09', '2026-03-15', '2026-03-16']);
  await scheduler.stop();
});

test('E9: what a store throws is wrapped with what was being done, and kept as the cause', async () => {
  const world = createWorld('2026-03-01T10:00:00Z');
  const cause = new TypeError('disk on fire');
  const { scheduler } = world.scheduler({ store: { ...world.store, load: () => Promise.reject(cause) } });
  await expect(scheduler.initialize([world.task('a', '* * * * *')])).rejects.toMatchObject({
    name: 'TaskStoreError',
    code: 'task-store-failed',
    message: 'The task store failed to load the tasks: disk on fire',
    cause,
    details: { operation: 'load the tasks', cause },
  });
});

test('E14: an error never prints the password of a database', async () => {
  const scheduler = createScheduler({ database: 'postgres://someone:hunter2@127.0.0.1:1/nothing' });
  const error = await scheduler.initialize([['a', '* * * * *', () => {}, 0]]).catch((thrown: Error) => thrown);
  expect(error).toBeInstanceOf(Error);
  expect(`${(error as Error).message} ${(error as Error).stack}`).not.toContain('hunter2');
});

test('S12: the events are exactly those of the specification and two more', async () => {
  const world = createWorld('2026-03-01T10:00:00Z');
  const { scheduler, watch } = world.scheduler();
  const heard: TraceEvent[] = [];
  const names = [
    'SchedulerInitializationStarted',
    'SchedulerInitializationCompleted',
    'SchedulerInitializationFailed',
    'SchedulerStopRequested',
    'SchedulerStopped',
    'TaskRunStarted',
    'TaskRunCompleted',
    'TaskRunFailed',
    'TaskRetryStarted',
    'TaskRetryPreempted',
    'PollingStarted',
    'PollingStopRequested',
    'PollingStopped',
    'StoreFailed',
    'TaskRecordDiscarded',
  ] as const;
  for (const name of names) watch.on(name, (event) => heard.push(event));
  await scheduler.initialize([world.task('a', '0,2 10 * * *', { retryMs: 60_000, work: failing() })]);
  await world.clock.advanceTo('2026-03-01T10:05:00Z');
  await scheduler.stop();
  expect(heard).toEqual(watch.trace());
  expect(taskEvents(heard).slice(0, 6)).toEqual([
    'TaskRunStarted a boot',
    'TaskRunFailed a',
    'TaskRetryStarted a retry',
    'TaskRunFailed a',
    'TaskRetryPreempted a',
    'TaskRunStarted a cron',
  ]);
});

function temporaryUrl(): string {
  const folder = mkdtempSync(join(tmpdir(), 'horae-story-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return `sqlite:${join(folder, 'tasks.db')}`;
}

test('SP7: a database URL is opened by initialize and closed by stop; an open database stays open', async () => {
  const url = temporaryUrl();
  const world = createWorld('2026-03-01T10:00:30Z');
  const first = createScheduler({ database: url, clock: world.clock, zone: 'UTC' });
  await first.initialize([world.task('a', '* * * * *')]);
  await first.stop();
  const database = await openDatabase(url);
  const second = createScheduler({ database, clock: world.clock, zone: 'UTC' });
  await second.initialize([world.task('a', '* * * * *')]);
  await world.clock.advanceBy(60_000);
  await second.stop();
  expect(observe(second).tasks()[0]).toMatchObject({
    origin: 'preserved',
    lastSuccessAt: Date.parse('2026-03-01T10:01:00Z'),
  });
  expect(world.runs).toEqual(['a boot 10:00:30', 'a cron 10:01:00']);
  await sql`select 1`.execute(database.kysely);
  await database.close();
});

test('SP7: without store and database the tasks live as long as the scheduler object', async () => {
  const world = createWorld('2026-03-01T10:00:30Z');
  const scheduler = createScheduler({ clock: world.clock, zone: 'UTC' });
  for (let round = 0; round < 2; round++) {
    await scheduler.initialize([world.task('a', '* * * * *')]);
    await scheduler.stop();
  }
  expect(world.runs).toEqual(['a boot 10:00:30']);
});

test('SP7: namespaces of one database do not see each other', async () => {
  const url = temporaryUrl();
  const world = createWorld('2026-03-01T10:00:30Z');
  for (const namespace of ['one', 'two']) {
    const { scheduler } = world.scheduler({ store: sqlTaskStore(url, { namespace }) });
    await scheduler.initialize([world.task(namespace, '* * * * *')]);
    await scheduler.stop();
  }
  const { scheduler, watch } = world.scheduler({ store: sqlTaskStore(url, { namespace: 'one' }) });
  await scheduler.initialize([world.task('one', '* * * * *')]);
  expect(watch.tasks()).toMatchObject([{ name: 'one', origin: 'preserved' }]);
  await scheduler.stop();
});

test('S10: a row that somebody damaged is discarded, named, and replaced', async () => {
  const url = temporaryUrl();
  const world = createWorld('2026-03-01T10:00:30Z');
  const tasks = [world.task('bad', '0 * * * *'), world.task('good', '0 * * * *')];
  const first = createScheduler({ database: url, clock: world.clock, zone: 'UTC' });
  await first.initialize(tasks);
  await first.stop();
  const database = await openDatabase(url);
  await sql`update horae_tasks set handled_until = 'yesterday' where name = '"bad"'`.execute(database.kysely);
  await database.close();
  await world.clock.advanceTo('2026-03-01T12:30:00Z');
  world.newRuns();
  const second = createScheduler({ database: url, clock: world.clock, zone: 'UTC' });
  await second.initialize(tasks);
  expect(
    observe(second)
      .trace()
      .filter(({ event }) => event === 'TaskRecordDiscarded'),
  ).toMatchObject([
    {
      taskName: 'bad',
      error: {
        name: 'TaskInvalidTypeError',
        message: "Invalid type for field 'handledUntil': expected number, got string",
      },
    },
  ]);
  expect(world.newRuns()).toEqual(['good catch-up 12:30:00']);
  await second.stop();
  const third = createScheduler({ database: url, clock: world.clock, zone: 'UTC' });
  await third.initialize(tasks);
  expect(
    observe(third)
      .tasks()
      .map(({ origin }) => origin),
  ).toEqual(['preserved', 'preserved']);
  await third.stop();
});

test('D3: a change that fails half-way leaves the stored tasks as they were', async () => {
  const url = temporaryUrl();
  const world = createWorld('2026-03-01T10:00:30Z');
  const first = createScheduler({ database: url, clock: world.clock, zone: 'UTC' });
  await first.initialize([world.task('kept', '0 0 1 1 *')]);
  await first.stop();
  const database = await openDatabase(url);
  await sql`create trigger no_more before insert on horae_tasks when new.name = '"refused"' begin select raise(abort, 'refused'); end`.execute(
    database.kysely,
  );
  const second = createScheduler({ database, clock: world.clock, zone: 'UTC' });
  await expect(
    second.initialize([world.task('fine', '0 0 1 1 *'), world.task('refused', '0 0 1 1 *')]),
  ).rejects.toThrow('refused');
  const { rows } = await sql<{ name: string }>`select name from horae_tasks`.execute(database.kysely);
  expect(rows).toEqual([{ name: '"kept"' }]);
  await database.close();
});
