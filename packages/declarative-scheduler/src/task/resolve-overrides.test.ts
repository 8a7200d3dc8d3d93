import { expect, test } from 'vitest';
import { parseRegistrations } from './parse-registrations.js';
import { resolveOverrides } from './resolve-overrides.js';
import type { TaskRecord } from './task-record.js';
import { newRecord } from './task-transitions.js';

const NOW = Date.parse('2026-03-01T10:00:30Z');
const DEFAULTS = { zone: 'UTC', dialect: undefined, timeoutMs: null };
const declare = (name: string, cron = '0 * * * *', delay = 1_000) => [name, cron, () => {}, delay];
const stored = (name: string, change: Partial<TaskRecord> = {}): TaskRecord => ({
  ...newRecord(parseRegistrations([declare(name)], DEFAULTS)[0]!, NOW - 3_600_000),
  lastAttemptAt: NOW - 1_800_000,
  lastSuccessAt: NOW - 1_799_000,
  ...change,
});
const resolve = (registrations: unknown[], records: TaskRecord[], discarded: string[] = []) =>
  resolveOverrides(
    parseRegistrations(registrations, DEFAULTS),
    { records: new Map(records.map((record) => [record.name, record])), discarded },
    NOW,
  );

test.each([
  { story: 'O1: never stored: new', record: null, registration: declare('a'), origin: 'new', written: 1 },
  {
    story: 'O2 O5: the same: preserved',
    record: stored('a'),
    registration: declare('a'),
    origin: 'preserved',
    written: 0,
  },
  {
    story: 'O3 O6: another cron text: overridden',
    record: stored('a'),
    registration: declare('a', '00 * * * *'),
    origin: 'overridden',
    written: 1,
  },
  {
    story: 'O3 O6: another delay: overridden',
    record: stored('a'),
    registration: declare('a', '0 * * * *', 1_001),
    origin: 'overridden',
    written: 1,
  },
  {
    story: 'O4: left running: orphaned',
    record: stored('a', { runningSchedulerId: 'x' }),
    registration: declare('a'),
    origin: 'orphaned',
    written: 0,
  },
  {
    story: 'S6: left running and changed: orphan beats overridden',
    record: stored('a', { runningSchedulerId: 'x' }),
    registration: declare('a', '1 * * * *'),
    origin: 'orphaned',
    written: 1,
  },
])('$story', ({ record, registration, origin, written }) => {
  const { tasks, put, remove } = resolve([registration], record === null ? [] : [record]);
  expect(tasks[0]).toMatchObject({ origin, record: { cron: registration[1], retryDelayMs: registration[3] } });
  expect(put).toHaveLength(written);
  expect(remove).toEqual([]);
});

test('S7: an override keeps history, the registration and a pending retry', () => {
  const before = stored('a', { pendingRetryUntil: NOW + 5, lastFailureAt: NOW - 7, attempt: 4 });
  const [task] = resolve([declare('a', '5 5 * * *', 9)], [before]).tasks;
  expect(task!.record).toEqual({ ...before, cron: '5 5 * * *', retryDelayMs: 9 });
});

test('S6: what is no longer registered is removed, also when it could not be read', () => {
  expect(resolve([declare('b')], [stored('a'), stored('b')], ['broken', 'b']).remove).toEqual(['a', 'broken']);
});

test('S2: no registrations empty the store', () => {
  expect(resolve([], [stored('a'), stored('b')])).toMatchObject({ tasks: [], put: [], remove: ['a', 'b'] });
});

test('O4: an orphan stays marked until it is started again', () => {
  const [task] = resolve([declare('a', '1 * * * *')], [stored('a', { runningSchedulerId: 'gone' })]).tasks;
  expect(task!.record.runningSchedulerId).toBe('gone');
});
