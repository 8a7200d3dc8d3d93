import { expect, test } from 'vitest';
import { parseRegistrations } from './parse-registrations.js';
import { deserializeTask, type TaskRecord } from './task-record.js';
import {
  TaskInvalidStructureError,
  TaskInvalidTypeError,
  TaskInvalidValueError,
  TaskMissingFieldError,
  TaskTryDeserializeError,
} from './task-record-errors.js';
import { newRecord } from './task-transitions.js';

const [declared] = parseRegistrations([['a', '* * * * *', () => {}, 0]], {
  zone: 'UTC',
  dialect: undefined,
  timeoutMs: null,
});
const record = newRecord(declared!, 1_000_000);

function failureOf(value: unknown): TaskTryDeserializeError<Record<string, unknown>> {
  try {
    deserializeTask(value);
  } catch (error) {
    expect(error).toBeInstanceOf(TaskTryDeserializeError);
    return error as never;
  }
  throw new Error('it was accepted');
}

test('a sound record is taken as it is', () => {
  expect(deserializeTask({ ...record })).toEqual(record);
});

test('a record of the first edition, which knows no pauses, is not paused', () => {
  const { paused: _, ...first } = record;
  expect(deserializeTask(first)).toEqual({ ...record, paused: false });
});

test.each(Object.keys(record).filter((field) => field !== 'paused') as (keyof TaskRecord)[])(
  'E10: a record without %s misses that field',
  (field) => {
    const { [field]: _, ...rest } = record;
    const error = failureOf(rest);
    expect(error).toBeInstanceOf(TaskMissingFieldError);
    expect(error.message).toBe(`Missing required field: ${field}`);
    expect(error.details).toMatchObject({ field });
  },
);

test('E11: a field of another type is named with what was expected and what was found', () => {
  const error = failureOf({ ...record, lastAttemptAt: '2026-01-01' });
  expect(error).toBeInstanceOf(TaskInvalidTypeError);
  expect(error.message).toBe("Invalid type for field 'lastAttemptAt': expected number, got string");
  expect(error.details).toMatchObject({
    field: 'lastAttemptAt',
    value: '2026-01-01',
    expectedType: 'number',
    actualType: 'string',
  });
  expect(failureOf({ ...record, registeredAt: null }).message).toContain('expected number, got null');
  expect(failureOf({ ...record, name: ['a'] }).message).toContain('expected string, got array');
});

test.each([
  { field: 'handledUntil', value: Number.NaN, reason: 'must be finite' },
  { field: 'lastSuccessAt', value: 9e15, reason: 'is not an instant that a calendar has' },
  { field: 'attempt', value: 1.5, reason: 'must be a whole number from 0 on' },
  { field: 'retryDelayMs', value: -1, reason: 'must not be negative' },
  { field: 'name', value: '', reason: 'must not be empty' },
  { field: 'runningSchedulerId', value: '', reason: 'must not be empty' },
])('E12: $field = $value is an invalid value', ({ field, value, reason }) => {
  const error = failureOf({ ...record, [field]: value });
  expect(error).toBeInstanceOf(TaskInvalidValueError);
  expect(error.message).toBe(`Invalid value for field '${field}': ${reason}`);
  expect(error.details).toMatchObject({ field, value, reason });
});

test.each([null, undefined, 7, 'text', [record]])('E13: %s is no record at all', (value) => {
  const error = failureOf(value);
  expect(error).toBeInstanceOf(TaskInvalidStructureError);
  expect(error.details).toEqual({ value });
});
