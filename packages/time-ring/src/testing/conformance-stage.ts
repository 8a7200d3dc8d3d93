import { deepStrictEqual } from 'node:assert/strict';
import { type Job, type JobSettings, retryDefaults, WAIT_MS } from '../model/job.js';
import type { RunRow } from '../model/run.js';
import { bucketOf } from '../routing/route-hash.js';
import type {
  ExecutorRegistration,
  JobStore,
  JobTransaction,
  NewRun,
  RunClaim,
  RunDispatch,
  RunEnd,
} from '../store/job-store.js';

/** The requirements of a store, each by the sentence that states it. */
export type StoreCases = Readonly<Record<string, (store: JobStore) => Promise<void>>>;

/** An instant to count from. */
export const T = 1_800_000_000_000;

/** Text that some database, driver or character set is known to change or reject. */
export const hostileTexts: readonly string[] = [
  "'; drop table horae_ring_jobs; --",
  '"quoted"',
  '\\ back \\u0041 slash',
  'a\u0000b',
  'ä a\u0308 ß İ',
  '😀',
  '\ud800 half a pair',
  '__proto__',
  '{"json": [1]}',
  ' spaces around ',
  'line\r\nbreak\t',
  '%_?$1:name',
];

/** JSON that every store must return unchanged. */
export const hostileParams: readonly unknown[] = [
  null,
  0,
  false,
  '',
  [],
  {},
  'null',
  ...hostileTexts,
  JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1, "": [null, {"a": "\\u0000"}]}'),
  { number: 1.5e300, small: 5e-324, nested: [[[[{ deep: '😀' }]]]] },
];

export function settings(change: Partial<JobSettings> = {}): JobSettings {
  return {
    name: 'a job',
    handler: 'handle',
    schedule: { kind: 'fix-rate', everyMs: 1_000 },
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
    waitMs: WAIT_MS,
    retry: retryDefaults,
    alerts: [],
    maxRunning: null,
    rate: null,
    jitterMs: 0,
    except: [],
    keepRuns: {},
    ...change,
  };
}

/** Stores a job, RUNNING with `nextAt` if that is given. */
export function addJob(store: JobStore, change: Partial<JobSettings> = {}, nextAt?: number): Promise<Job> {
  return store.transaction(async (trx) => {
    const job = await trx.insertJob(settings(change), T);
    if (nextAt === undefined) return job;
    const running: Job = { ...job, state: 'RUNNING', nextAt };
    await trx.putJob(running);
    return running;
  });
}

/** A pending run of job 1, of owner `me`. */
export function newRun(change: Partial<NewRun> = {}): NewRun {
  const jobId = change.jobId ?? 1;
  return {
    fireId: null,
    jobId,
    scheduleTime: null,
    triggerType: 'manual',
    dueAt: null,
    state: 'pending',
    waitingFor: null,
    attempt: 1,
    address: null,
    shardIndex: 0,
    shardTotal: 1,
    params: null,
    uniqueKey: null,
    priority: 0,
    labels: {},
    firedAt: null,
    startedAt: null,
    endedAt: null,
    code: null,
    message: null,
    result: null,
    error: null,
    progress: null,
    isLastAttempt: false,
    deduplicated: false,
    owner: 'me',
    fence: 1,
    bucket: bucketOf(jobId),
    fixedAddress: null,
    deadlineAt: null,
    readyAt: T,
    postponed: 0,
    uniqueForMs: null,
    trace: null,
    flowStep: null,
    key: null,
    ...change,
  };
}

/** A run of type 'schedule' with the key that allows it only once. */
export function scheduled(jobId: number, scheduleTime: number, change: Partial<NewRun> = {}): NewRun {
  const key = { kind: 'schedule', jobId, scheduleTime } as const;
  return newRun({ jobId, scheduleTime, triggerType: 'schedule', key, ...change });
}

/** Inserts runs that are all new and returns their ids. */
export async function addRuns(store: JobStore, ...runs: readonly NewRun[]): Promise<number[]> {
  const ids = await store.transaction((trx) => trx.insertRuns(runs));
  deepStrictEqual(ids.includes(null), false);
  return ids as number[];
}

/** The stored form of a new run. */
export function stored(run: NewRun, id: number): RunRow {
  const { key: _key, fireId, ...row } = run;
  return { ...row, id, fireId: fireId ?? id };
}

export function claim(id: number, change: Partial<RunClaim> = {}): RunClaim {
  return { id, owner: 'me', fence: 1, ...change };
}

export function fire(id: number, change: Partial<RunDispatch> = {}): RunDispatch {
  return {
    ...claim(id),
    state: 'running',
    address: 'somewhere',
    shardTotal: 1,
    firedAt: T + 1,
    startedAt: T + 2,
    ...change,
  };
}

export function end(id: number, change: Partial<RunEnd> = {}): RunEnd {
  return {
    ...claim(id),
    state: 'succeeded',
    code: 200,
    message: null,
    endedAt: T + 9,
    firedAt: null,
    address: null,
    ...change,
  };
}

/** The result of one operation, in a transaction of its own. */
export function ask<R>(store: JobStore, work: (trx: JobTransaction) => Promise<R>): Promise<R> {
  return store.transaction(work);
}

/** A registration of a remote executor at `T`. */
export function registration(group: string, address: string, change: Partial<ExecutorRegistration> = {}) {
  return { group, address, at: T, nodeOwner: null, nodeId: null, handlers: null, instanceId: null, ...change };
}

export function same(actual: unknown, expected: unknown): void {
  deepStrictEqual(actual, expected);
}

/** The ids of a set, ascending. */
export function sorted(ids: Iterable<number>): number[] {
  return [...ids].sort((a, b) => a - b);
}
