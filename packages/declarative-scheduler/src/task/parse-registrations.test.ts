import { isHoraeError } from '@horae/clock-store';
import { InvalidCronExpressionError } from '@horae/cron-grammar';
import { Duration } from 'luxon';
import { expect, test } from 'vitest';
import { parseRegistrations as parse, type TaskDefaults } from './parse-registrations.js';
import {
  CronExpressionInvalidError,
  InvalidRegistrationError,
  NegativeRetryDelayError,
  RegistrationShapeError,
  RegistrationsNotArrayError,
  ScheduleDuplicateTaskError,
} from './registration-errors.js';

const DEFAULTS: TaskDefaults = { zone: 'UTC', dialect: undefined, timeoutMs: null };
const parseRegistrations = (registrations: unknown) => parse(registrations, DEFAULTS);
const work = async () => {};
const sound = ['a', '* * * * *', work, 0];

// biome-ignore lint/suspicious/noExplicitAny: the details differ from error to error
function failureOf(registrations: unknown): any {
  try {
    parseRegistrations(registrations);
  } catch (error) {
    expect(isHoraeError(error)).toBe(true);
    return error;
  }
  throw new Error('it was accepted');
}

test.each([undefined, null, {}, 'x', 7, new Set([sound])])(
  'E1: registrations that are no array are refused: %s',
  (value) => {
    const error = failureOf(value);
    expect(error).toBeInstanceOf(RegistrationsNotArrayError);
    expect(error.name).toBe('RegistrationsNotArrayError');
    expect(error.message).toBe('Registrations must be an array');
    expect(error.details).toEqual({});
  },
);

test.each([
  { story: 'not an array', registration: { name: 'a' } },
  { story: 'null', registration: null },
  { story: 'too short', registration: ['a', '* * * * *', work] },
  { story: 'too long', registration: [...sound, 1] },
  { story: 'a name that is no text', registration: [5, '* * * * *', work, 0] },
  { story: 'a cron that is no text', registration: ['a', 5, work, 0] },
  { story: 'a callback that is no function', registration: ['a', '* * * * *', 'work', 0] },
  { story: 'a delay that is no duration', registration: ['a', '* * * * *', work, '5 s'] },
  { story: 'a delay that is not a number', registration: ['a', '* * * * *', work, Number.NaN] },
  { story: 'an endless delay', registration: ['a', '* * * * *', work, Number.POSITIVE_INFINITY] },
  { story: 'an invalid luxon duration', registration: ['a', '* * * * *', work, Duration.invalid('broken')] },
  { story: 'a missing delay', registration: ['a', '* * * * *', work, undefined] },
])('A2 E2: a registration with $story is a shape error with its index and what was received', ({ registration }) => {
  const error = failureOf([['ok', '* * * * *', work, 0], registration]);
  expect(error).toBeInstanceOf(RegistrationShapeError);
  expect(error.message).toBe('Invalid registration shape: expected [string, string, function, Duration]');
  expect(error.details).toMatchObject({ registrationIndex: 1, received: registration });
});

test('A3 E3: an empty name answers to both classes and says which field, which value and why', () => {
  const error = failureOf([['', '* * * * *', work, 0]]);
  expect(error).toBeInstanceOf(InvalidRegistrationError);
  expect(error).toBeInstanceOf(RegistrationShapeError);
  expect(error.details).toMatchObject({ field: 'name', value: '', reason: 'must not be empty', registrationIndex: 0 });
});

test('A3 E4: the same name twice is refused', () => {
  const error = failureOf([sound, ['b', '* * * * *', work, 0], ['a', '1 * * * *', work, 0]]);
  expect(error).toBeInstanceOf(ScheduleDuplicateTaskError);
  expect(error.message).toBe('Task with name "a" is already scheduled');
  expect(error.details).toMatchObject({ taskName: 'a', registrationIndex: 2 });
});

test.each([
  { story: 'step syntax', cron: '*/15 * * * *', field: 'minute' },
  { story: 'a named value', cron: '0 0 * * mon', field: 'weekday' },
  { story: 'a macro', cron: '@daily', field: 'expression' },
  { story: 'a Quartz token', cron: '0 0 ? * *', field: 'day' },
  { story: 'weekday 7', cron: '0 0 * * 7', field: 'weekday' },
  { story: 'a wrap-around range', cron: '0 22-2 * * *', field: 'hour' },
  { story: 'a value out of range', cron: '60 * * * *', field: 'minute' },
  { story: 'a sign', cron: '+5 * * * *', field: 'minute' },
  { story: 'six fields', cron: '0 0 0 * * *', field: 'expression' },
])('A4 C1 C2 E6: $story in a cron expression is refused with the parser as its cause', ({ cron, field }) => {
  const error = failureOf([['a', cron, work, 0]]);
  expect(error).toBeInstanceOf(CronExpressionInvalidError);
  expect(error.details).toMatchObject({ expression: cron, field, registrationIndex: 0, taskName: 'a' });
  expect(error.message).toBe(`Invalid cron expression "${cron}": ${field} field ${error.details.reason}`);
  expect(error.cause).toBeInstanceOf(InvalidCronExpressionError);
  expect(error.details.cause).toBe(error.cause);
});

test('SP4: an expression that never fires is refused', () => {
  const error = failureOf([['a', '0 0 30 2 *', work, 0]]);
  expect(error).toBeInstanceOf(CronExpressionInvalidError);
  expect(error.message).toContain('No valid next execution time found for cron expression');
  expect(error.details.expression).toBe('0 0 30 2 *');
});

test('A6 E7: a negative delay is refused, as a number and as a Duration', () => {
  for (const delay of [-1, Duration.fromObject({ seconds: -0.001 }), { toMillis: () => -1 }]) {
    const error = failureOf([['a', '* * * * *', work, delay]]);
    expect(error).toBeInstanceOf(NegativeRetryDelayError);
    expect(error.message).toBe('Retry delay must be non-negative');
    expect(error.details).toMatchObject({ retryDelayMs: -1 });
  }
});

test.each([
  { first: 'shape before name', registration: ['', 5, work, -1], expected: RegistrationShapeError },
  { first: 'name before callback', registration: ['', '* * * * *', 5, -1], expected: InvalidRegistrationError },
  { first: 'callback before duplicate', registration: ['a', 'x', 5, -1], expected: RegistrationShapeError },
  { first: 'duplicate before cron', registration: ['a', 'x', work, -1], expected: ScheduleDuplicateTaskError },
  { first: 'cron before delay', registration: ['b', 'x', work, -1], expected: CronExpressionInvalidError },
])('S1: within a registration, $first', ({ registration, expected }) => {
  expect(failureOf([sound, registration]).constructor).toBe(expected);
});

test('S1: the first faulty registration wins, whatever follows', () => {
  expect(failureOf([['a', '* * * * *', work, -1], null])).toBeInstanceOf(NegativeRetryDelayError);
});

test('A5 A6: numbers, luxon durations and anything with toMillis are delays; a plain function is a callback', () => {
  const parsed = parseRegistrations([
    ['a', '* * * * *', () => 1, 1_500],
    ['b', '* * * * *', work, Duration.fromObject({ minutes: 2 })],
    ['c', '* * * * *', work, { toMillis: () => 0 }],
  ]);
  expect(parsed.map(({ retryDelayMs }) => retryDelayMs)).toEqual([1_500, 120_000, 0]);
});

test('a sparse array is an array of shapeless registrations', () => {
  expect(failureOf(new Array(2))).toBeInstanceOf(RegistrationShapeError);
});
