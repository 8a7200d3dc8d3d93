import { expect, test } from 'vitest';
import { checkTrace } from './check-trace.js';
import type { TraceEvent } from './trace-event.js';

const at = (text: string) => Date.parse(`2026-03-01T${text}Z`);

/** Events written as `hh:mm:ss Event task reason`; both clocks run alike. */
function traceOf(...lines: string[]): TraceEvent[] {
  return lines.map((line) => {
    const [time, event, taskName, reason] = line.split(' ');
    return {
      event: event as TraceEvent['event'],
      at: at(time!),
      monotonicMs: at(time!) - at('00:00:00'),
      ...(event === 'SchedulerInitializationStarted'
        ? { registrations: [{ name: 'a', cron: '0 * * * *', retryDelayMs: 60_000 }] }
        : {}),
      ...(taskName === undefined ? {} : { taskName }),
      ...(reason === undefined ? {} : { reason: reason as never }),
    };
  });
}

const begin = (time: string) => [
  `${time} SchedulerInitializationStarted`,
  `${time} PollingStarted`,
  `${time} SchedulerInitializationCompleted`,
];
const end = (time: string) => [
  `${time} SchedulerStopRequested`,
  `${time} PollingStopRequested`,
  `${time} PollingStopped`,
  `${time} SchedulerStopped`,
];
const rules = (...lines: string[]) => checkTrace(traceOf(...lines), { zone: 'UTC' }).map(({ rule }) => rule);

test('an empty trace and an idle session are legal', () => {
  expect(checkTrace([])).toEqual([]);
  expect(rules(...begin('10:30:00'), ...end('10:40:00'))).toEqual([]);
});

test.each([
  {
    story: 'a run on the hour',
    lines: ['11:00:00 TaskRunStarted a cron', '11:00:05 TaskRunCompleted a'],
    expected: [],
  },
  {
    story: 'a retry when its delay is over',
    lines: [
      '11:00:00 TaskRunStarted a cron',
      '11:00:05 TaskRunFailed a',
      '11:01:05 TaskRetryStarted a retry',
      '11:01:06 TaskRunCompleted a',
    ],
    expected: [],
  },
  {
    story: 'a retry a second too early',
    lines: [
      '11:00:00 TaskRunStarted a cron',
      '11:00:05 TaskRunFailed a',
      '11:01:04 TaskRetryStarted a retry',
      '11:01:06 TaskRunCompleted a',
    ],
    expected: ['retry-too-early'],
  },
  {
    story: 'no second run for one occurrence',
    lines: [
      '11:00:00 TaskRunStarted a cron',
      '11:00:05 TaskRunCompleted a',
      '11:00:30 TaskRunStarted a cron',
      '11:00:31 TaskRunCompleted a',
    ],
    expected: ['start-without-cause'],
  },
  {
    story: 'a run before its minute',
    lines: ['10:59:59 TaskRunStarted a cron', '11:00:05 TaskRunCompleted a'],
    expected: ['start-without-cause', 'never-started'],
  },
  {
    story: 'a start at the latency bound',
    lines: ['11:01:00 TaskRunStarted a catch-up', '11:01:05 TaskRunCompleted a'],
    expected: [],
  },
  {
    story: 'a start after the latency bound',
    lines: ['11:01:01 TaskRunStarted a catch-up', '11:01:05 TaskRunCompleted a'],
    expected: ['late-start'],
  },
  { story: 'an occurrence that never starts', lines: [], expected: ['never-started'] },
])('$story', ({ lines, expected }) => {
  expect(rules(...begin('10:30:00'), ...lines, ...end('11:20:00'))).toEqual(expected);
});

test('an orphan starts once, as an orphan', () => {
  const crash = ['11:00:00 TaskRunStarted a cron', '11:00:30 Crash'];
  const session = (...lines: string[]) =>
    rules(...begin('10:30:00'), ...crash, ...begin('11:10:00'), ...lines, ...end('11:40:00'));
  expect(session('11:10:00 TaskRunStarted a orphan', '11:10:01 TaskRunCompleted a')).toEqual([]);
  expect(session()).toEqual(['never-started']);
  expect(
    session(
      '11:10:00 TaskRunStarted a orphan',
      '11:10:01 TaskRunCompleted a',
      '11:10:02 TaskRunStarted a orphan',
      '11:10:03 TaskRunCompleted a',
    ),
  ).toEqual(['orphan-once']);
});

test('a session without the end of the one before it is a crash', () => {
  const lines = [...begin('10:30:00'), '11:00:00 TaskRunStarted a cron', ...begin('11:10:00')];
  expect(
    rules(...lines, '11:10:00 TaskRunStarted a orphan', '11:10:01 TaskRunCompleted a', ...end('11:20:00')),
  ).toEqual([]);
});

test('downtime is no lateness, and one run stands for all that was missed', () => {
  const lines = [...begin('08:30:00'), ...end('08:40:00'), ...begin('12:30:00')];
  expect(
    rules(...lines, '12:30:00 TaskRunStarted a catch-up', '12:30:01 TaskRunCompleted a', ...end('12:40:00')),
  ).toEqual([]);
  const twice = [
    '12:30:00 TaskRunStarted a catch-up',
    '12:30:01 TaskRunCompleted a',
    '12:30:02 TaskRunStarted a catch-up',
    '12:30:03 TaskRunCompleted a',
  ];
  expect(rules(...lines, ...twice, ...end('12:40:00'))).toEqual(['make-up-run']);
});

test('a step of the wall clock is no lateness', () => {
  const trace = traceOf(
    ...begin('10:30:00'),
    '14:30:00 TaskRunStarted a catch-up',
    '14:30:01 TaskRunCompleted a',
    ...end('14:31:00'),
  );
  const stepped = trace.map((event) =>
    event.at < at('14:00:00') ? event : { ...event, monotonicMs: event.monotonicMs! - 3.9 * 3_600_000 },
  );
  expect(checkTrace(stepped, { zone: 'UTC' })).toEqual([]);
  expect(checkTrace(trace, { zone: 'UTC' }).map(({ rule }) => rule)).toEqual(['late-start']);
});

const failed = (time: string, ...names: string[]): TraceEvent[] => [
  {
    event: 'SchedulerInitializationStarted',
    at: at(time),
    registrations: names.map((name) => ({ name, cron: '0 * * * *', retryDelayMs: 60_000 })),
  },
  { event: 'SchedulerInitializationFailed', at: at(time) },
];

test('an initialize that failed registers nothing: a task is new at the next one', () => {
  const trace = [...failed('09:30:00', 'a'), ...traceOf(...begin('11:30:00'), ...end('11:40:00'))];
  expect(checkTrace(trace, { zone: 'UTC' })).toEqual([]);
});

test('an initialize that failed forgets nothing: a task it left out is caught up later', () => {
  const trace = [
    ...traceOf(...begin('10:30:00'), ...end('10:40:00')),
    ...failed('11:10:00', 'b'),
    ...traceOf(...begin('11:30:00'), '11:30:00 TaskRunStarted a catch-up', '11:30:01 TaskRunCompleted a'),
    ...traceOf(...end('11:40:00')),
  ];
  expect(checkTrace(trace, { zone: 'UTC' })).toEqual([]);
});

test.each([
  {
    story: 'was stored and is caught up',
    lines: ['11:30:00 TaskRunStarted a catch-up', '11:30:01 TaskRunCompleted a'],
  },
  { story: 'was not stored and is new', lines: [] },
])('a registration whose initialize was cut off by a crash $story', ({ lines }) => {
  const cut = ['09:30:00 SchedulerInitializationStarted', '09:30:00 Crash'];
  expect(rules(...cut, ...begin('11:30:00'), ...lines, ...end('11:40:00'))).toEqual([]);
});

test('traces written by hand need neither monotonic time nor identifiers', () => {
  const trace = traceOf(
    ...begin('10:30:00'),
    '11:00:00 TaskRunStarted a cron',
    '11:00:05 TaskRunCompleted a',
    ...end('11:20:00'),
  );
  expect(
    checkTrace(
      trace.map(({ monotonicMs: _, ...rest }) => rest),
      { zone: 'UTC' },
    ),
  ).toEqual([]);
});

test('a verdict names the rule, the sentence and the event', () => {
  const [verdict] = checkTrace(traceOf(...begin('10:30:00'), '10:45:00 TaskRunStarted a cron'), { zone: 'UTC' });
  expect(verdict).toEqual({
    rule: 'start-without-cause',
    message: 'a starts at 2026-03-01T10:45:00.000Z and no occurrence has passed since 2026-03-01T10:29:59.999Z',
    index: 3,
  });
});

test.each([
  { story: 'when the scheduler stops', after: end('11:10:00') },
  { story: 'when the trace ends', after: [] },
  { story: 'when the task starts again', after: ['12:00:00 TaskRunStarted a cron'] },
  { story: 'unless a crash cut it off', after: ['11:00:06 Crash'], isExcused: true },
])('a missing TaskRetriesExhausted is noticed $story', ({ after, isExcused = false }) => {
  const trace = (...reported: string[]) =>
    traceOf(
      ...begin('10:30:00'),
      '11:00:00 TaskRunStarted a cron',
      '11:00:05 TaskRunFailed a',
      ...reported,
      ...after,
    ).map(({ registrations, ...event }) => ({
      ...event,
      ...(registrations === undefined
        ? {}
        : { registrations: registrations.map((registration) => ({ ...registration, maxRetries: 0 })) }),
    }));
  const found = (events: TraceEvent[]) => checkTrace(events, { zone: 'UTC' }).map(({ rule }) => rule);
  expect(found(trace())).toEqual(isExcused ? [] : ['exhaustion-unreported']);
  expect(found(trace('11:00:05 TaskRetriesExhausted a'))).toEqual([]);
});

test('a calendar that cannot be read is blamed on its registration', () => {
  const [start, ...rest] = traceOf(...begin('10:30:00'));
  const registrations = [{ name: 'a', cron: '0 * * * *', retryDelayMs: 0, except: [{ dates: ['never'] }] }];
  expect(checkTrace([{ ...start!, registrations }, ...rest]).map(({ rule }) => rule)).toEqual(['registration']);
});
