import { expect, test } from 'vitest';
import type { Job, Schedule } from '../model/job.js';
import { choosePool, poolDefaults } from './choose-pool.js';
import { classifyDue } from './classify-due.js';
import { parseJob } from './parse-job.js';
import { planJob } from './plan-job.js';

const at = (text: string) => Date.parse(`2026-03-01T${text}Z`);
const limits = { zone: 'UTC', preReadMs: 5_000, misfireMs: 5_000 };
const job = (schedule: Schedule, nextAt: number): Job => ({
  ...parseJob({ name: 'j', handler: 'h', schedule }),
  id: 7,
  namespace: null,
  state: 'RUNNING',
  stopReason: null,
  lastAt: null,
  nextAt,
  createdAt: 0,
  updatedAt: 0,
});
const everySecond: Schedule = { kind: 'cron', expression: '* * * * * ?' };
const times = (occurrences: readonly { at: number }[], now: number) =>
  occurrences.map(({ at: when }) => `${new Date(when).toISOString().slice(17, 19)} ${classifyDue(now, when)}`);

test.each([
  { story: 'a millisecond before its time', late: -1, expected: 'ring' },
  { story: 'at its time', late: 0, expected: 'direct' },
  { story: 'five seconds late', late: 5_000, expected: 'direct' },
  { story: 'more than five seconds late', late: 5_001, expected: 'misfire' },
])('an occurrence found $story is $expected', ({ late, expected }) => {
  expect(classifyDue(at('10:00:00') + late, at('10:00:00'))).toBe(expected);
});

test('every occurrence inside the window is claimed, late ones at once, the others for the ring', () => {
  const plan = planJob(job(everySecond, at('10:00:00')), at('10:00:02'), limits);
  expect(times(plan.occurrences, at('10:00:02'))).toEqual([
    '00 direct',
    '01 direct',
    '02 direct',
    '03 ring',
    '04 ring',
    '05 ring',
    '06 ring',
    '07 ring',
  ]);
  expect(plan).toMatchObject({ missed: null, stop: null, nextAt: at('10:00:08'), lastAt: at('10:00:07') });
});

test('what is too late is one misfire, however much it is, and costs no walk', () => {
  const plan = planJob(job(everySecond, Date.parse('2020-01-01T00:00:00Z')), at('10:00:00'), limits);
  expect(plan.missed).toEqual({ first: Date.parse('2020-01-01T00:00:00Z'), last: at('09:59:54'), count: 194_522_395 });
  expect(times(plan.occurrences, at('10:00:00')).slice(0, 2)).toEqual(['55 direct', '56 direct']);
  expect(plan.occurrences).toHaveLength(11);
});

test('what was missed was not claimed: the last claimed occurrence stays', () => {
  const yearly: Schedule = { kind: 'cron', expression: '0 0 10 1 3 ?' };
  const plan = planJob({ ...job(yearly, at('10:00:00')), lastAt: 7 }, at('10:00:30'), limits);
  expect(plan).toMatchObject({ missed: { first: at('10:00:00') }, occurrences: [], lastAt: 7 });
});

test('a fix-rate keeps its grid, whatever was late or missed', () => {
  const plan = planJob(job({ kind: 'fix-rate', everyMs: 7_000 }, at('10:00:01')), at('10:00:40'), limits);
  expect(plan.missed).toEqual({ first: at('10:00:01'), last: at('10:00:29'), count: 5 });
  expect(times(plan.occurrences, at('10:00:40'))).toEqual(['36 direct', '43 ring']);
  expect(plan.nextAt).toBe(at('10:00:50'));
});

test('a schedule that has no time left stops the job, and its last occurrence still fires', () => {
  const plan = planJob(job({ kind: 'cron', expression: '0 0 10 1 3 ? 2026' }, at('10:00:00')), at('09:59:58'), limits);
  expect(times(plan.occurrences, at('09:59:58'))).toEqual(['00 ring']);
  expect(plan).toMatchObject({ nextAt: null, stop: { code: 'no-next-time' } });
});

test('a schedule that cannot be read stops that job with the reason', () => {
  const broken = {
    ...job(everySecond, at('10:00:00')),
    schedule: { kind: 'cron', expression: 'nonsense' } as Schedule,
  };
  expect(planJob(broken, at('10:00:00'), limits)).toMatchObject({
    occurrences: [],
    nextAt: null,
    stop: { code: 'bad-schedule', message: expect.stringContaining('nonsense') },
  });
});

test('a job switches to the slow pool after more than ten slow triggers in one minute, and back with the next', () => {
  const slow = (count: number, tookMs = 501) =>
    Array.from({ length: count }, (_, i) => ({ at: at('10:00:01') + i, tookMs }));
  expect(choosePool(slow(10), at('10:00:30'))).toBe('fast');
  expect(choosePool(slow(11), at('10:00:30'))).toBe('slow');
  expect(choosePool(slow(11, 500), at('10:00:30'))).toBe('fast');
  expect(choosePool(slow(11), at('10:01:00'))).toBe('fast');
  expect(choosePool(slow(3), at('10:00:30'), { slowAfterCount: 2 })).toBe('slow');
  expect(poolDefaults).toEqual({
    fast: { size: 200, queue: 2_000 },
    slow: { size: 100, queue: 5_000 },
    slowAfterMs: 500,
    slowAfterCount: 10,
    windowMs: 60_000,
  });
});
