import { expect, test } from 'vitest';
import { CronExpressionInvalidError, createScheduler, RegistrationShapeError } from '../../src/index.js';
import { checkTrace } from '../../src/trace.js';
import { createWorld } from '../support/world.js';

const START = '2026-03-01T10:00:30Z';
const work = () => {};

const refusalOf = (registration: unknown, options: { dialect?: 'posix' | 'quartz' } = {}) =>
  createWorld(START)
    .scheduler(options)
    .scheduler.initialize([['first', '* * * * *', work, 0], registration] as never)
    .then(
      () => expect.fail('accepted'),
      (error: Error & { details: Record<string, unknown> }) => error,
    );

test.each([
  { field: 'registration', value: 'a', registration: 'a', expected: 'an array' },
  { field: 'registration', value: ['a'], registration: ['a'], expected: '4 elements, got 1' },
  { field: 'name', value: 5, registration: [5, '* * * * *', work, 0], expected: 'a string' },
  { field: 'cron', value: null, registration: ['a', null, work, 0], expected: 'a string' },
  { field: 'callback', value: 'work', registration: ['a', '* * * * *', 'work', 0], expected: 'a function' },
  { field: 'retryDelay', value: 'soon', registration: ['a', '* * * * *', work, 'soon'], expected: /'5m'.*'PT5M'/ },
  { field: 'name', value: '', registration: ['', '* * * * *', work, 0], expected: /at least 1 character/ },
])('X1: the error for $field $value names the index, the field, what was given and what is expected', async (row) => {
  const error = await refusalOf(row.registration);
  expect(error).toBeInstanceOf(RegistrationShapeError);
  expect(error.details).toMatchObject({ registrationIndex: 1, field: row.field, value: row.value });
  expect(error.details.expected).toEqual(
    typeof row.expected === 'string' ? row.expected : expect.stringMatching(row.expected),
  );
});

test.each(['5m', '90s', '1h30m', '2d', '500ms', 'PT5M', 'P1DT2H'])(
  'X2: the text %s is taken as a delay',
  async (delay) => {
    const { scheduler, watch } = createWorld(START).scheduler();
    await scheduler.initialize([['a', '0 0 1 1 *', work, delay]]);
    expect(watch.tasks()).toHaveLength(1);
    await scheduler.stop();
  },
);

test.each([
  { cron: '*/5 * * * *', suggestion: '0,5,10,15,20,25,30,35,40,45,50,55 * * * *', remedy: "dialect: 'vixie'" },
  { cron: '0 0 9 ? * 2L', suggestion: undefined, remedy: "dialect: 'quartz'" },
  { cron: 'nonsense', suggestion: undefined, remedy: undefined },
])('X3: the error for $cron keeps the parser’s message and adds task, suggestion and remedy', async (row) => {
  const error = await refusalOf(['mine', row.cron, work, 0]);
  expect(error).toBeInstanceOf(CronExpressionInvalidError);
  expect(error.message.startsWith(`Invalid cron expression "${row.cron}": `)).toBe(true);
  expect(error.details).toMatchObject({ registrationIndex: 1, taskName: 'mine' });
  expect(error.details.suggestion).toBe(row.suggestion);
  expect(error.details.remedy).toEqual(row.remedy === undefined ? undefined : expect.stringContaining(row.remedy));
});

test.each([{}, { debug: work, info: work, warn: work }, 'console', { debug: 1, info: 1, warn: 1, error: 1 }])(
  'X4: a log without the four functions is refused at createScheduler: %j',
  (log) => {
    expect(() => createScheduler({ log: log as never })).toThrow(/^log must be /);
  },
);

test('X5: checkTrace forgets the registrations of an initialize that failed', async () => {
  const world = createWorld(START);
  const { scheduler, watch } = world.scheduler();
  await expect(scheduler.initialize([world.task('a', '* * * * *'), world.task('b', 'nonsense')])).rejects.toThrow(
    CronExpressionInvalidError,
  );
  await world.clock.advanceBy(600_000);
  await scheduler.initialize([world.task('c', '* * * * *')]);
  await world.clock.advanceBy(60_000);
  await scheduler.stop();
  expect(checkTrace(watch.trace(), { zone: 'UTC' })).toEqual([]);
});
