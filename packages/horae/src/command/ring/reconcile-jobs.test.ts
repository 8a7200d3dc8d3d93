import { createManualClock } from '@horae/clock-store/testing';
import { startTimeRing } from '@horae/time-ring';
import { expect, onTestFinished, test } from 'vitest';
import { reconcileJobs } from './reconcile-jobs.js';
import type { RingConfig } from './ring-config.js';

async function ringJobs() {
  const ring = await startTimeRing({
    database: 'sqlite::memory:',
    clock: createManualClock({ now: '2026-01-01T00:00:00Z' }),
  });
  onTestFinished(() => ring.stop());
  return ring.jobs;
}

const job = (name: string, fields: Partial<RingConfig['jobs'][number]> = {}): RingConfig['jobs'][number] => ({
  name,
  handler: 'hello',
  schedule: { kind: 'cron', expression: '0 0 9 * * ?', dialect: 'quartz' },
  params: null,
  misfire: 'DO_NOTHING',
  route: 'FIRST',
  block: 'SERIAL',
  concurrency: 1,
  timeout: null,
  retries: 0,
  priority: 0,
  children: [],
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
  alerts: [],
  start: true,
  ...fields,
});

const config = (...jobs: RingConfig['jobs']): RingConfig => ({
  database: '',
  claim: 'lock-row',
  group: 'default',
  stopTimeout: 0,
  handlers: {},
  jobs,
});

test('new jobs are added and started, unless they are not to be or have no schedule', async () => {
  const jobs = await ringJobs();
  const wanted = config(job('a'), job('b', { start: false }), job('c', { schedule: { kind: 'none' } }));
  expect(await reconcileJobs(jobs, wanted)).toEqual({ added: ['a', 'b', 'c'], updated: [] });
  expect((await jobs.list()).jobs.map(({ state }) => state)).toEqual(['RUNNING', 'STOPPED', 'STOPPED']);
  expect(await reconcileJobs(jobs, wanted)).toEqual({ added: [], updated: [] });
});

test('a job that somebody added without a dialect is not seen as changed', async () => {
  const jobs = await ringJobs();
  await jobs.add({ name: 'a', handler: 'hello', schedule: { kind: 'cron', expression: '0 0 9 * * ?' } });
  expect(await reconcileJobs(jobs, config(job('a')))).toEqual({ added: [], updated: [] });
});

test('children are linked by name, in a second start too', async () => {
  const jobs = await ringJobs();
  const wanted = config(job('parent', { children: ['child'] }), job('child', { schedule: { kind: 'none' } }));
  await reconcileJobs(jobs, wanted);
  expect((await jobs.get(1))?.children).toEqual([2]);
  expect(await reconcileJobs(jobs, wanted)).toEqual({ added: [], updated: [] });
  await reconcileJobs(jobs, config(job('parent'), job('child', { schedule: { kind: 'none' } })));
  expect((await jobs.get(1))?.children).toEqual([]);
});

test('of two nodes that add the same job at once, one keeps its own', async () => {
  const jobs = await ringJobs();
  const results = await Promise.all([reconcileJobs(jobs, config(job('a'))), reconcileJobs(jobs, config(job('a')))]);
  expect(results.flatMap(({ added }) => added)).toEqual(['a']);
  expect((await jobs.list()).jobs).toMatchObject([{ id: 1, name: 'a', state: 'RUNNING' }]);
});
