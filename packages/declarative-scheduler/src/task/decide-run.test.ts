import { parseCron } from '@horae/cron-grammar';
import { expect, test } from 'vitest';
import { decideRun, nextLookAt, type TaskView } from './decide-run.js';
import type { TaskRecord } from './task-record.js';
import { failRun, MIN_RETRY_SPACING_MS, newRecord, startRun, succeedRun, taskState } from './task-transitions.js';
import { nextDue } from './timetable.js';

const at = (text: string) => Date.parse(`2026-03-01T${text}Z`);
const view = (cron: string, change: Partial<TaskView> = {}): TaskView => ({
  timetable: { expression: parseCron(cron), zone: 'UTC' },
  orphaned: false,
  firstSeen: false,
  jitterMs: 0,
  requested: false,
  ...change,
});
const decide = (record: TaskRecord, seen: TaskView, now: number) =>
  decideRun(record, seen, nextDue(seen.timetable, record.handledUntil), now);

const fresh = (now: string) =>
  newRecord({ name: 'a', cron: '0 * * * *', retryDelayMs: 60_000, timetable: view('0 * * * *').timetable }, at(now));
const ran = (record: TaskRecord, from: string, to: string, ok = true) => {
  const started = startRun(
    record,
    { reason: 'cron', dueAt: at(from), attempt: 1, preemptsRetry: false },
    at(from),
    'me',
  );
  return ok ? succeedRun(started, at(to)) : failRun(started, started, at(to));
};

test.each([
  {
    story: 'starts by boot in its first minute, at any second',
    registered: '10:00:59.999',
    now: '10:00:59.999',
    seen: { firstSeen: true },
    reason: 'boot',
  },
  {
    story: 'does not start when its first minute does not match',
    registered: '10:01:00',
    now: '10:01:00',
    seen: { firstSeen: true },
    reason: undefined,
  },
  {
    story: 'is not concerned with what was before its registration',
    registered: '10:30:00',
    now: '10:59:59.999',
    seen: { firstSeen: true },
    reason: undefined,
  },
  {
    story: 'starts by cron in the first millisecond of its minute',
    registered: '10:30:00',
    now: '11:00:00',
    seen: {},
    reason: 'cron',
  },
  {
    story: 'starts by cron in the last millisecond of its minute',
    registered: '10:30:00',
    now: '11:00:59.999',
    seen: {},
    reason: 'cron',
  },
  { story: 'catches up after its minute', registered: '10:30:00', now: '11:01:00', seen: {}, reason: 'catch-up' },
  {
    story: 'catches up once on many missed occurrences',
    registered: '01:30:00',
    now: '23:30:00',
    seen: {},
    reason: 'catch-up',
  },
  {
    story: 'starts as an orphan first of all',
    registered: '10:30:00',
    now: '11:00:00',
    seen: { orphaned: true },
    reason: 'orphan',
  },
])('a task $story', ({ registered, now, seen, reason }) => {
  expect(decide(fresh(registered), view('0 * * * *', seen), at(now))?.reason).toBe(reason);
});

test('a run stands for the latest occurrence', () => {
  expect(decide(fresh('01:30:00'), view('0 * * * *'), at('05:20:00'))).toMatchObject({
    dueAt: at('05:00:00'),
    attempt: 1,
  });
});

test('nothing runs twice in one minute', () => {
  const record = ran(fresh('10:30:00'), '11:00:10', '11:00:11');
  expect(decide(record, view('0 * * * *'), at('11:00:59'))).toBeNull();
  expect(decide(record, view('* * * * *'), at('11:00:59'))).toBeNull();
});

test('a retry starts at its millisecond, not before', () => {
  const record = ran(fresh('10:30:00'), '11:00:00', '11:00:05.250', false);
  expect(decide(record, view('0 * * * *'), at('11:01:05.249'))).toBeNull();
  expect(decide(record, view('0 * * * *'), at('11:01:05.250'))).toEqual({
    reason: 'retry',
    dueAt: at('11:01:05.250'),
    attempt: 2,
    preemptsRetry: false,
  });
});

test('S5: an exact tie of cron and retry is one cron run that preempts the retry', () => {
  const record = { ...ran(fresh('10:30:00'), '11:00:00', '11:59:00', false) };
  expect(record.pendingRetryUntil).toBe(at('12:00:00'));
  expect(decide(record, view('0 * * * *'), at('12:00:00'))).toMatchObject({
    reason: 'cron',
    attempt: 1,
    preemptsRetry: true,
  });
});

test('S5: what became due during a run is a catch-up, also when it is this very minute', () => {
  const record = ran(fresh('10:30:00'), '11:00:00', '12:00:20');
  expect(decide(record, view('0 * * * *'), at('12:00:20'))?.reason).toBe('catch-up');
  const endsOnTheDot = ran(fresh('10:30:00'), '11:00:00', '12:00:00');
  expect(decide(endsOnTheDot, view('0 * * * *'), at('12:00:00'))?.reason).toBe('cron');
});

test('S8: after a step back only occurrences later than the last handled one run', () => {
  const record = ran(fresh('10:30:00'), '11:00:10', '11:00:11');
  expect(decide(record, view('*/1 * * * *'.replace('*/1', '*')), at('10:40:00'))).toBeNull();
  expect(decide(record, view('* * * * *'), at('11:01:00'))?.reason).toBe('cron');
});

test('S8: a start after a step back does not open handled minutes again', () => {
  const record = ran(ran(fresh('10:30:00'), '11:00:10', '11:00:11', false), '10:50:00', '10:50:01');
  expect(record.handledUntil).toBe(at('11:00:10'));
  expect(record.lastAttemptAt).toBe(at('10:50:00'));
});

test('S7: a failure does not erase the last success, a success does not erase the last failure', () => {
  const record = ran(
    ran(ran(fresh('10:30:00'), '11:00:00', '11:00:01'), '12:00:00', '12:00:02', false),
    '12:01:02',
    '12:01:03',
  );
  expect(record).toMatchObject({
    lastFailureAt: at('12:00:02'),
    lastSuccessAt: at('12:01:03'),
    lastAttemptAt: at('12:01:02'),
    pendingRetryUntil: null,
  });
});

test('S9: with delay 0 attempts are a second apart from start to start; any other delay counts from the end', () => {
  const zero = { ...fresh('10:30:00'), retryDelayMs: 0 };
  expect(ran(zero, '11:00:00', '11:00:00', false).pendingRetryUntil).toBe(at('11:00:00') + MIN_RETRY_SPACING_MS);
  expect(ran(zero, '11:00:00', '11:00:09', false).pendingRetryUntil).toBe(at('11:00:09'));
  expect(ran({ ...zero, retryDelayMs: 1 }, '11:00:00', '11:00:00', false).pendingRetryUntil).toBe(at('11:00:00.001'));
});

test('K1: a task is in exactly one of three states', () => {
  const record = fresh('10:30:00');
  const started = startRun(
    record,
    { reason: 'cron', dueAt: 0, attempt: 1, preemptsRetry: false },
    at('11:00:00'),
    'me',
  );
  const states = [record, started, succeedRun(started, at('11:00:01')), failRun(started, started, at('11:00:01'))].map(
    taskState,
  );
  expect(states).toEqual(['AwaitingRun', 'Running', 'AwaitingRun', 'AwaitingRetry']);
});

test('a task is looked at when its next occurrence or its retry comes, an orphan at once', () => {
  const record = ran(fresh('10:30:00'), '11:00:00', '11:00:05', false);
  expect(nextLookAt(at('12:00:00'), record, view('0 * * * *'))).toBe(at('11:01:05'));
  expect(nextLookAt(at('11:01:00'), record, view('0 * * * *'))).toBe(at('11:01:00'));
  expect(nextLookAt(null, fresh('10:30:00'), view('0 * * * *'))).toBe(Number.POSITIVE_INFINITY);
  expect(nextLookAt(null, record, view('0 * * * *', { orphaned: true }))).toBe(Number.NEGATIVE_INFINITY);
});
