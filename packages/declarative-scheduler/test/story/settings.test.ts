import { type CalendarDefinition, parseCalendar, parseCron, parseIcs } from '@horae/cron-grammar';
import { expect, test } from 'vitest';
import {
  createScheduler,
  memoryTaskStore,
  SchedulerOptionError,
  type TaskSettings,
  type TraceEvent,
} from '../../src/index.js';
import { checkTrace } from '../../src/trace.js';
import { createWorld, failing, taskEvents, timeOf } from '../support/world.js';

const START = '2026-03-01T10:00:30Z';

async function withSettings(settings: TaskSettings, cron = '1 10 * * *', work?: () => unknown, options = {}) {
  const world = createWorld(START);
  const made = world.scheduler(options);
  await made.scheduler.initialize([world.task('a', cron, { retryMs: 5_000, ...(work ? { work } : {}) })], {
    tasks: { a: settings },
  });
  return { world, ...made };
}

test('B1: dialect, steps and names run under vixie, seconds under quartz, for the scheduler and for one task', async () => {
  const world = createWorld(START);
  const { scheduler, watch } = world.scheduler({ dialect: 'vixie' });
  await scheduler.initialize([world.task('five', '*/5 * * * sun'), world.task('seconds', '10/20 * * * * ?')], {
    tasks: { seconds: { dialect: 'quartz' } },
  });
  await world.clock.advanceTo('2026-03-01T10:05:00Z');
  expect(world.runs.filter((run) => run.startsWith('five'))).toEqual(['five boot 10:00:30', 'five cron 10:05:00']);
  expect(world.runs.filter((run) => run.startsWith('seconds')).slice(0, 4)).toEqual([
    'seconds boot 10:00:30',
    'seconds cron 10:00:50',
    'seconds cron 10:01:10',
    'seconds cron 10:01:30',
  ]);
  expect(watch.trace()[0]!.registrations).toMatchObject([{ dialect: 'vixie' }, { dialect: 'quartz' }]);
  await scheduler.stop();
  expect(checkTrace(watch.trace(), { zone: 'UTC' })).toEqual([]);
});

test('B2: posix stays the default, and the error for */5 names the rewrite and the option', async () => {
  const world = createWorld(START);
  const { scheduler } = world.scheduler();
  const error = await scheduler.initialize([world.task('a', '*/5 * * * *')]).catch((caught) => caught);
  expect(error).toMatchObject({ name: 'CronExpressionInvalidError', details: { taskName: 'a' } });
  expect(error.details.suggestion).toMatch(/^0,5,10/);
  expect(error.details.remedy).toContain("dialect: 'vixie'");
  const quartz = await scheduler.initialize([world.task('a', '0 0 12 * * ?')]).catch((caught) => caught);
  expect(quartz.details.remedy).toContain("dialect: 'quartz'");
});

test('B3: zone, each task in its own', async () => {
  const { world, scheduler, watch } = await withSettings({ zone: 'Asia/Kolkata' }, '45 15 * * *');
  await world.clock.advanceTo('2026-03-01T10:16:00Z');
  expect(world.runs).toEqual(['a cron 10:15:00']);
  await scheduler.stop();
  expect(watch.trace()[0]!.registrations).toEqual([
    { name: 'a', cron: '45 15 * * *', retryDelayMs: 5_000, zone: 'Asia/Kolkata' },
  ]);
  expect(checkTrace(watch.trace(), { zone: 'UTC' })).toEqual([]);
});

test('B4: timeout, of one task, as text', async () => {
  const { world, scheduler, watch } = await withSettings({ timeout: '2s' }, '1 10 * * *', () => new Promise(() => {}));
  await world.clock.advanceTo('2026-03-01T10:01:02Z');
  expect(watch.trace().at(-1)).toMatchObject({ event: 'TaskRunFailed', error: { name: 'TaskTimeoutError' } });
  await scheduler.stop({ deadlineMs: 0 });
});

test('B5: retry, an exponential delay grows to its maximum, from the end of each failed run', async () => {
  const retry = { kind: 'exponential', firstMs: 1_000, maxMs: 5_000, factor: 2 } as const;
  const { world, scheduler, watch } = await withSettings({ retry }, '1 10 * * *', failing());
  await world.clock.advanceTo('2026-03-01T10:01:18Z');
  expect(world.runs.map((run) => run.slice(-8))).toEqual([
    '10:01:00',
    '10:01:01',
    '10:01:03',
    '10:01:07',
    '10:01:12',
    '10:01:17',
  ]);
  await scheduler.stop();
  expect(checkTrace(watch.trace(), { zone: 'UTC' })).toEqual([]);
});

test('B6: maxRetries, so many retries, then the next occurrence, which is attempt 1 again', async () => {
  const { world, scheduler, watch } = await withSettings({ maxRetries: 2 }, '1,5 10 * * *', failing());
  await world.clock.advanceTo('2026-03-01T10:05:00Z');
  expect(taskEvents(watch.trace()).slice(-9)).toEqual([
    'TaskRunStarted a cron',
    'TaskRunFailed a',
    'TaskRetryStarted a retry',
    'TaskRunFailed a',
    'TaskRetryStarted a retry',
    'TaskRunFailed a',
    'TaskRetriesExhausted a',
    'TaskRunStarted a cron',
    'TaskRunFailed a',
  ]);
  const attempts = watch.trace().filter(({ event }) => event === 'TaskRunFailed');
  expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 1]);
  expect(watch.trace().find(({ event }) => event === 'TaskRetriesExhausted')).toMatchObject({ attempt: 3 });
  await scheduler.stop();
  expect(checkTrace(watch.trace(), { zone: 'UTC' })).toEqual([]);
});

test('B7: maxRetries 0, a failure waits for the next occurrence', async () => {
  const { world, scheduler, watch } = await withSettings({ maxRetries: 0 }, '1 10 * * *', failing());
  await world.clock.advanceTo('2026-03-01T11:00:00Z');
  expect(world.runs).toHaveLength(1);
  expect(watch.tasks()[0]).toMatchObject({ state: 'AwaitingRun', pendingRetryUntil: null });
  await scheduler.stop();
  expect(checkTrace(watch.trace(), { zone: 'UTC' })).toEqual([]);
});

test('B8: jitterMs, a start by cron comes up to that much late, anew for each occurrence; dueAt stays', async () => {
  const { world, scheduler, watch } = await withSettings({ jitterMs: 40_000 }, '* * * * *');
  await world.clock.advanceTo('2026-03-01T10:30:59Z');
  await scheduler.stop();
  const starts = watch.trace().filter(({ event }) => event === 'TaskRunStarted');
  expect(timeOf(starts[0]!.at), 'a boot starts at once').toBe('10:00:30');
  const lates = starts.slice(1).map(({ at, dueAt }) => at - dueAt!);
  expect(lates).toHaveLength(30);
  expect(new Set(lates).size).toBeGreaterThan(20);
  expect(Math.min(...lates)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...lates)).toBeLessThanOrEqual(40_000);
  expect(starts.slice(1).every(({ dueAt, reason }) => dueAt! % 60_000 === 0 && reason === 'cron')).toBe(true);
  expect(checkTrace(watch.trace(), { zone: 'UTC' })).toEqual([]);
});

test('B7: a listener of the last failure finds the exhaustion in the trace already, so that what it reads is legal', async () => {
  const { world, scheduler, watch } = await withSettings({ maxRetries: 0 }, '1 10 * * *', failing('always'));
  const verdicts: unknown[] = [];
  watch.on('TaskRunFailed', () => verdicts.push(...checkTrace(watch.trace(), { zone: 'UTC' })));
  await world.clock.advanceTo('2026-03-01T10:02:00Z');
  expect(taskEvents(watch.trace()).slice(-2)).toEqual(['TaskRunFailed a', 'TaskRetriesExhausted a']);
  expect(verdicts).toEqual([]);
  await scheduler.stop();
});

test('B12: except, an excluded occurrence is none, and is not caught up after a restart either', async () => {
  const except = [parseCalendar({ dates: ['2026-03-02'], windows: ['10:03-10:05'] })];
  const tasks = { a: { except } };
  const world = createWorld(START);
  const first = world.scheduler();
  await first.scheduler.initialize([world.task('a', '1-6 10 * * *')], { tasks });
  await world.clock.advanceTo('2026-03-01T12:00:00Z');
  expect(world.newRuns().map((run) => run.slice(-8))).toEqual(['10:01:00', '10:02:00', '10:05:00', '10:06:00']);
  await first.scheduler.stop();
  await world.clock.advanceTo('2026-03-02T12:00:00Z');
  const second = world.scheduler();
  await second.scheduler.initialize([world.task('a', '1-6 10 * * *')], { tasks });
  expect(world.newRuns(), 'all of yesterday was excluded').toEqual([]);
  expect(second.watch.tasks()[0]!.nextDueAt).toBe(Date.parse('2026-03-03T10:01:00Z'));
  await second.scheduler.stop();
  const trace = [...first.watch.trace(), ...second.watch.trace()];
  expect(trace[0]!.registrations).toMatchObject([{ except }]);
  expect(checkTrace(trace, { zone: 'UTC' })).toEqual([]);
  const read = JSON.parse(JSON.stringify(trace)) as typeof trace;
  expect(read[0]!.registrations, 'its definition in JSON').toMatchObject([
    { except: [{ dates: ['2026-03-02'], windows: ['10:03-10:05'] }] },
  ]);
  expect(checkTrace(read, { zone: 'UTC' }), 'the exclusion survives JSON').toEqual([]);
  const plain = trace.map(({ registrations, ...event }) => ({
    ...event,
    ...(registrations === undefined ? {} : { registrations: registrations.map(({ except: _, ...rest }) => rest) }),
  }));
  expect(checkTrace(plain, { zone: 'UTC' }).map(({ rule }) => rule)).toContain('late-start');
});

test('B12: an exclusion by a Quartz cron, an iCalendar text and a zone survives JSON as well', async () => {
  const ics = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'DTSTART:20260301T100200Z', 'DTEND:20260301T100300Z', 'END:VEVENT'];
  const except = [
    parseCalendar({ cron: parseCron('0 3 11 ? * SUN', { dialect: 'quartz' }), zone: 'Europe/Berlin' }),
    parseIcs([...ics, 'END:VCALENDAR'].join('\r\n')),
  ];
  const world = createWorld(START);
  const { scheduler, watch } = world.scheduler();
  await scheduler.initialize([world.task('a', '1-4 10 * * *')], { tasks: { a: { except } } });
  await world.clock.advanceTo('2026-03-01T12:00:00Z');
  expect(world.newRuns().map((run) => run.slice(-8))).toEqual(['10:01:00', '10:04:00']);
  await scheduler.stop();
  const read = JSON.parse(JSON.stringify(watch.trace())) as TraceEvent[];
  expect(checkTrace(read, { zone: 'UTC' })).toEqual([]);
  const missing = read.filter(({ at }) => at !== Date.parse('2026-03-01T10:04:00Z'));
  expect(checkTrace(missing, { zone: 'UTC' }).map(({ rule }) => rule)).toEqual(['never-started']);
});

test('B12: calendars that exclude every occurrence are refused, as an expression that never fires is', async () => {
  const world = createWorld(START);
  const { scheduler } = world.scheduler();
  const initialize = (cron: string, definition: CalendarDefinition) =>
    scheduler.initialize([world.task('a', cron)], { tasks: { a: { except: [parseCalendar(definition)] } } });
  await expect(initialize('0 9 * * 1', { weekdays: [1] })).rejects.toThrow(SchedulerOptionError);
  await expect(initialize('0 9 * * *', { windows: ['00:00-24:00'] })).rejects.toMatchObject({
    message: expect.stringMatching(
      /^tasks\.a\.except must be calendars that leave an occurrence of "0 9 \* \* \*", got /,
    ),
    details: { option: 'tasks.a.except' },
  });
  // What leaves something at some time is accepted, whatever the present: here nothing before 2027.
  const dates = Array.from({ length: 400 }, (_, day) =>
    new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10),
  );
  await initialize('0 9 * * *', { dates });
  await scheduler.stop();
});

test('X6 B9: no message shows a value as [object Object]', async () => {
  const world = createWorld(START);
  const { scheduler } = world.scheduler();
  const refused = (tasks: unknown) =>
    scheduler.initialize([world.task('a', '0 9 * * *')], { tasks: tasks as never }).then(
      () => 'accepted',
      (error: Error) => error.message,
    );
  expect(await refused({ a: { timeout: { hours: 1 } } })).toMatch(/^tasks\.a\.timeout must be .*, got \{ hours: 1 \}$/);
  expect(await refused({ a: { zone: { name: 'UTC' } } })).toContain("got { name: 'UTC' }");
  expect(await refused({ a: { except: [Object.create(null)] } })).not.toContain('object Object');
  expect(() => createScheduler({ concurrency: { most: 2 } as never })).toThrow('got { most: 2 }');
  const store = {
    ...memoryTaskStore(),
    load: () => Promise.reject({ reason: 'thrown without an Error' }),
  };
  const failing = world.scheduler({ store, instances: 'alone' });
  await expect(failing.scheduler.initialize([])).rejects.toThrow("{ reason: 'thrown without an Error' }");
});

test.each([
  { story: 'calendars that are none', tasks: { a: { except: ['2026-12-25'] } }, option: 'tasks.a.except' },
  { story: 'a name that is not registered', tasks: { b: {} }, option: 'tasks.b' },
  { story: 'an unknown key', tasks: { a: { colour: 'red' } }, option: 'tasks.a.colour' },
  { story: 'an unknown zone', tasks: { a: { zone: 'Mars/Olympus' } }, option: 'tasks.a.zone' },
  { story: 'an unknown dialect', tasks: { a: { dialect: 'spoken' } }, option: 'tasks.a.dialect' },
  { story: 'a timeout that is none', tasks: { a: { timeout: 'soon' } }, option: 'tasks.a.timeout' },
  { story: 'half a retry', tasks: { a: { maxRetries: 1.5 } }, option: 'tasks.a.maxRetries' },
  { story: 'negative jitter', tasks: { a: { jitterMs: -1 } }, option: 'tasks.a.jitterMs' },
  { story: 'a retry that is none', tasks: { a: { retry: 'often' } }, option: 'tasks.a.retry' },
  { story: 'an unknown kind', tasks: { a: { retry: { kind: 'linear' } } }, option: 'tasks.a.retry.kind' },
  {
    story: 'a factor below 1',
    tasks: { a: { retry: { kind: 'exponential', firstMs: 1, maxMs: 2, factor: 0.5 } } },
    option: 'tasks.a.retry.factor',
  },
  { story: 'settings that are no object', tasks: { a: 7 }, option: 'tasks.a' },
  { story: 'no settings at all', tasks: 7, option: 'tasks' },
])('B9: $story is refused before any I/O, and the option is named', async ({ tasks, option }) => {
  const calls: string[] = [];
  const world = createWorld(START);
  const store = new Proxy(world.store, {
    get: (target, key) => {
      calls.push(String(key));
      return target[key as never];
    },
  });
  const { scheduler } = world.scheduler({ store });
  calls.length = 0;
  const error = await scheduler
    .initialize([world.task('a', '* * * * *')], { tasks: tasks as never })
    .catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(SchedulerOptionError);
  expect((error as SchedulerOptionError).details.option).toBe(option);
  expect(calls).toEqual([]);
});

test('B10: an unknown dialect and a log without its functions are refused at createScheduler', () => {
  expect(() => createScheduler({ dialect: 'cronish' as never })).toThrow(SchedulerOptionError);
  expect(() => createScheduler({ log: { info() {} } as never })).toThrow(/debug is missing/);
  expect(() => createScheduler({ log: null as never })).toThrow(SchedulerOptionError);
  expect(() => createScheduler({ taskTimeout: 'never' })).toThrow(/such as/);
});

test('B10: an option that does not exist is refused, and its value is not shown', () => {
  const misspelt = { databse: 'postgres://horae:secret@db/horae' } as never;
  expect(() => createScheduler(misspelt)).toThrow(
    /^databse is no option of createScheduler: use clock, zone, store, database/,
  );
  expect(() => createScheduler({ tasks: {} } as never)).toThrow(/settings of one task go to initialize/);
  expect(() => createScheduler(null as never)).toThrow(SchedulerOptionError);
  try {
    createScheduler(misspelt);
  } catch (error) {
    expect(JSON.stringify(error)).not.toContain('secret');
    expect((error as SchedulerOptionError).details).toEqual({ option: 'databse', value: 'string' });
  }
});

test('B11: text durations are delays, and a text that is none names the forms', async () => {
  const world = createWorld(START);
  const { scheduler, watch } = world.scheduler({ taskTimeout: 'PT5M' });
  await scheduler.initialize([
    ['a', '0 0 * * *', () => {}, '5m'],
    ['b', '0 0 * * *', () => {}, '1h30m'],
    ['c', '0 0 * * *', () => {}, 'P1DT2H'],
  ]);
  expect(watch.tasks().map(({ retryDelayMs }) => retryDelayMs)).toEqual([300_000, 5_400_000, 93_600_000]);
  await scheduler.stop();
  const error = await scheduler.initialize([['a', '0 0 * * *', () => {}, 'a while']]).catch((caught) => caught);
  expect(error).toMatchObject({
    name: 'RegistrationShapeError',
    details: { registrationIndex: 0, field: 'retryDelay', value: 'a while', expected: expect.stringContaining("'5m'") },
  });
});
