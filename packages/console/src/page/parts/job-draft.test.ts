import type { Job } from '@horae/time-ring';
import { expect, test } from 'vitest';
import { draftOf, emptyDraft, jobOf, scheduleOf } from './job-draft.js';

test('a job that goes through the form comes out as it went in', () => {
  const settings = {
    ...{ name: 'a', key: 'k', handler: 'h', executorGroup: 'g', description: 'd', owner: 'o', labels: { team: 'x=y' } },
    schedule: { kind: 'cron', expression: '0 0 9 * * ?', dialect: 'quartz', zone: 'Asia/Shanghai' },
    ...{ params: { deep: [1, null] }, misfire: 'FIRE_ONCE_NOW', route: 'ROUND', block: 'DISCARD', concurrency: 3 },
    ...{ retries: 2, priority: -1, timeoutMs: 1_500, except: ['holidays', 'weekends'] },
    alerts: [{ on: 'late', afterMs: 1_500, channel: 'ops' }],
    ...{ children: [3], maxRunning: 2, rate: { limit: 5, perMs: 1_000 }, jitterMs: 7, waitMs: null },
    ...{ retry: { kind: 'fixed', delayMs: 9 }, keepRuns: { days: 3 } },
  };
  expect(jobOf(draftOf(settings as unknown as Job))).toEqual(settings);
});

test.each([
  {
    story: 'a fixed rate',
    change: { kind: 'fix-rate', everySeconds: '1.5' },
    schedule: { kind: 'fix-rate', everyMs: 1_500 },
  },
  { story: 'only when triggered', change: { kind: 'none' }, schedule: { kind: 'none' } },
  {
    story: 'every two weeks',
    change: { kind: 'interval', every: '2', unit: 'weeks' as const, anchor: '2026-03-02T09:00', zone: 'Europe/Berlin' },
    schedule: { kind: 'interval', every: { weeks: 2 }, anchor: '2026-03-02T09:00', zone: 'Europe/Berlin' },
  },
  {
    story: 'once',
    change: { kind: 'once', at: '2026-03-01T10:00:00Z' },
    schedule: { kind: 'once', at: Date.UTC(2026, 2, 1, 10) },
  },
])('the form says $story', ({ change, schedule }) => {
  expect(scheduleOf({ ...emptyDraft, ...change })).toEqual(schedule);
});

test('parameters that are no JSON are an error, none are null', () => {
  expect(() => jobOf({ ...emptyDraft, params: '{' })).toThrow(SyntaxError);
  expect(() => jobOf({ ...emptyDraft, more: '[' })).toThrow(SyntaxError);
  expect(jobOf({ ...emptyDraft, params: '' }).params).toBeNull();
});

test('an interval that goes through the form comes out as it went in', () => {
  const schedule = { kind: 'interval', every: { months: 1 }, anchor: '2026-01-31T08:00' };
  const job = { labels: {}, except: [], alerts: [], params: null, timeoutMs: null, schedule };
  expect(scheduleOf(draftOf(job as unknown as Job))).toEqual(schedule);
});
