import { expect, test } from 'vitest';
import { childCycle } from './child-cycle.js';
import { parseChange, parseJob } from './parse-job.js';

const sound = { name: 'report', handler: 'send', schedule: { kind: 'cron', expression: '0 0 9 ? * MON-FRI' } };

test('a job needs a name, a handler and a schedule; the rest has defaults', () => {
  expect(parseJob(sound)).toEqual({
    ...sound,
    alerts: [],
    params: null,
    misfire: 'DO_NOTHING',
    route: 'FIRST',
    block: 'SERIAL',
    concurrency: 1,
    timeoutMs: null,
    retries: 0,
    priority: 0,
    children: [],
    executorGroup: 'default',
    key: null,
    description: '',
    owner: '',
    labels: {},
    waitMs: 300_000,
    retry: { kind: 'exponential', firstMs: 1_000, factor: 2, maxMs: 300_000, jitter: 0.1 },
    maxRunning: null,
    rate: null,
    jitterMs: 0,
    except: [],
    keepRuns: {},
  });
});

test.each([
  { dialect: 'posix', expression: '0 9 * * 1-5' },
  { dialect: 'vixie', expression: '*/15 9-17 * * mon-fri' },
  { dialect: 'quartz', expression: '0 0 9 ? * MON-FRI' },
])('a schedule is read in the dialect $dialect', ({ dialect, expression }) => {
  const schedule = { kind: 'cron', expression, dialect };
  expect(parseJob({ ...sound, schedule }).schedule).toEqual(schedule);
  expect(() => parseJob({ ...sound, schedule: { ...schedule, expression: '*/0 * * * *' } })).toThrow(/cron/);
});

test.each([
  { story: 'no name', change: { name: '' }, code: 'bad-job', field: 'name' },
  { story: 'an unknown route', change: { route: 'NEAREST' }, code: 'bad-job', field: 'route' },
  { story: 'a field nobody knows', change: { prioritty: 3 }, code: 'bad-job', field: 'prioritty' },
  { story: 'half a retry', change: { retries: 0.5 }, code: 'bad-job', field: 'retries' },
  { story: 'params that are no JSON', change: { params: { at: () => 1 } }, code: 'bad-job', field: 'params' },
  {
    story: 'a rate under 100 ms',
    change: { schedule: { kind: 'fix-rate', everyMs: 99 } },
    code: 'bad-schedule',
    field: 'schedule.everyMs',
  },
  {
    story: 'a broken expression',
    change: { schedule: { kind: 'cron', expression: '* * *' } },
    code: 'bad-schedule',
    field: 'schedule.expression',
  },
  {
    story: 'an expression of the other dialect',
    change: { schedule: { kind: 'cron', expression: '0 9 * * 1-5' } },
    code: 'bad-schedule',
    field: 'schedule.expression',
  },
  {
    story: 'an unknown zone',
    change: { schedule: { kind: 'cron', expression: '0 0 9 * * ?', zone: 'Mars/Olympus' } },
    code: 'bad-schedule',
    field: 'schedule.zone',
  },
  {
    story: 'a kind nobody knows',
    change: { schedule: { kind: 'sometimes' } },
    code: 'bad-schedule',
    field: 'schedule.kind',
  },
])('a job with $story is refused as $code, naming $field', ({ change, code, field }) => {
  expect(() => parseJob({ ...sound, ...change })).toThrow(
    expect.objectContaining({ code, details: expect.objectContaining({ field }) }),
  );
});

test('a change keeps what it does not name', () => {
  const before = parseJob({ ...sound, retries: 3 });
  expect(parseChange({ priority: 9, retries: undefined }, before)).toEqual({ ...before, priority: 9 });
  expect(() => parseChange(null, before)).toThrow(expect.objectContaining({ code: 'bad-job' }));
});

test('children that lead back to the job are found, with the way', () => {
  const families = new Map([
    [2, [3]],
    [3, [1]],
    [4, [4]],
  ]);
  const childrenOf = (id: number) => families.get(id) ?? [];
  expect(childCycle(1, [2], childrenOf)).toEqual([1, 2, 3, 1]);
  expect(childCycle(1, [1], childrenOf)).toEqual([1, 1]);
  expect(childCycle(5, [2, 3], childrenOf)).toBeNull();
  expect(childCycle(5, [4], childrenOf), 'a cycle elsewhere is not its own').toBeNull();
});

test.each([
  { story: 'two units', change: { every: { days: 1, hours: 1 } }, field: 'schedule.every' },
  { story: 'no unit', change: { every: {} }, field: 'schedule.every' },
  { story: 'half a day', change: { every: { days: 0.5 } }, field: 'schedule.every.days' },
  { story: 'an anchor that is no time', change: { anchor: 'Monday' }, field: 'schedule.anchor' },
  { story: 'an anchor on a day that is not there', change: { anchor: '2026-02-30T09:00' }, field: 'schedule.anchor' },
  {
    story: 'an anchor that the clocks skip',
    change: { anchor: '2026-03-29T02:30', zone: 'Europe/Berlin' },
    field: 'schedule.anchor',
  },
  { story: 'a zone that nobody knows', change: { zone: 'Mars/Base' }, field: 'schedule.zone' },
])('an interval with $story is refused, naming $field', ({ change, field }) => {
  const schedule = { kind: 'interval', every: { weeks: 2 }, anchor: '2026-01-05T09:00', ...change };
  expect(() => parseJob({ ...sound, schedule })).toThrow(
    expect.objectContaining({ code: 'bad-schedule', details: expect.objectContaining({ field }) }),
  );
});

test.each([
  { change: { rate: { limit: 0, perMs: 1_000 } }, field: 'rate.limit' },
  { change: { rate: { limit: 1, perMs: 1_500 } }, field: 'rate.perMs' },
  { change: { maxRunning: 0 }, field: 'maxRunning' },
  { change: { jitterMs: -1 }, field: 'jitterMs' },
  { change: { keepRuns: { weeks: 1 } }, field: 'keepRuns.weeks' },
  { change: { except: Array.from({ length: 11 }, (_, i) => `c${i}`) }, field: 'except' },
])('a job with $change is refused, naming $field', ({ change, field }) => {
  expect(() => parseJob({ ...sound, ...change })).toThrow(
    expect.objectContaining({ code: 'bad-job', details: expect.objectContaining({ field }) }),
  );
});
