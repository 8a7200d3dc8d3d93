import { createEmitter } from '@horae/clock-store';
import { TimeRingError } from '../../src/model/errors.js';
import type { ExecutorInfo, RingEvents, RingHealth } from '../../src/model/events.js';
import type { Flow } from '../../src/model/flow.js';
import type { TimeRing } from '../../src/model/interface.js';
import type { Job, JobRef } from '../../src/model/job.js';
import type { Run } from '../../src/model/run.js';
import { parseChange, parseJob } from '../../src/schedule/parse-job.js';

/** A ring for tests of the HTTP layer alone: it keeps what it is told and runs nothing. */
export function recordingRing() {
  const jobs = new Map<number, Job>();
  const runs = new Map<number, Run>();
  const executors = new Map<string, ExecutorInfo>();
  const asked: { name: string; options: unknown }[] = [];
  const emitter = createEmitter<RingEvents>();
  const health: RingHealth = {
    status: 'ok',
    nodeId: 'n',
    claim: 'lock-row',
    lastPassAt: 5,
    buckets: [],
    waiting: { executor: 0, handler: 0, slot: 0, rate: 0, breaker: 0, paused: 0 },
    problem: null,
  };
  const note = (name: string, options: unknown) => void asked.push({ name, options });
  const find = (ref: JobRef) =>
    typeof ref === 'number' ? jobs.get(ref) : [...jobs.values()].find(({ key }) => key === ref);
  const known = (ref: JobRef): Job => {
    const job = find(ref);
    if (job === undefined)
      throw new TimeRingError('unknown-job', `There is no job ${ref}`, { field: 'id', value: ref });
    return job;
  };
  const put = (job: Job): Job => {
    jobs.set(job.id, job);
    return job;
  };
  const newRun = (jobId: number, params: unknown, scheduleTime: number | null): Run => {
    const id = runs.size + 1;
    const run: Run = {
      ...{
        id,
        fireId: id,
        jobId,
        scheduleTime,
        triggerType: 'manual',
        dueAt: null,
        waitingFor: null,
        state: 'pending',
        attempt: 1,
        address: null,
      },
      ...{
        shardIndex: 0,
        shardTotal: 1,
        params,
        uniqueKey: null,
        priority: 0,
        labels: {},
        firedAt: null,
        startedAt: null,
        endedAt: null,
        code: null,
        message: null,
      },
      ...{ result: null, error: null, progress: null, isLastAttempt: true, deduplicated: false },
    };
    runs.set(id, run);
    return run;
  };
  const ring: TimeRing = {
    http: null,
    events: { on: emitter.on },
    jobs: {
      async add({ start = false, ...input }) {
        note('add', { start, ...input });
        const state = start ? 'RUNNING' : 'STOPPED';
        const times = { lastAt: null, nextAt: start ? 9 : null, createdAt: 1, updatedAt: 1 };
        return put({ ...parseJob(input), namespace: null, id: jobs.size + 1, state, stopReason: null, ...times });
      },
      async put({ start = true, ...input }) {
        note('put', { start, ...input });
        return { job: await ring.jobs.add({ ...input, start }), outcome: 'added' };
      },
      async sync(list, options) {
        note('sync', options);
        return { added: list.map(({ key }) => key), updated: [], unchanged: [], removed: [] };
      },
      get: async (ref) => find(ref) ?? null,
      async list(options) {
        note('list', options);
        return { jobs: [...jobs.values()], cursor: null };
      },
      update: async (id, change) => put({ ...known(id), ...parseChange(change, settingsOf(known(id))) }),
      async start(id) {
        if (known(id).schedule.kind === 'none') throw new TimeRingError('not-schedulable', 'It has no schedule', {});
        return put({ ...known(id), state: 'RUNNING' });
      },
      stop: async (id) => put({ ...known(id), state: 'STOPPED' }),
      async remove(id) {
        jobs.delete(known(id).id);
      },
      async trigger(id, options) {
        note('trigger', options);
        return newRun(known(id).id, options?.params ?? null, options?.scheduleTime ?? null);
      },
      async triggerMany(id, items) {
        note('triggerMany', items);
        return items.map(({ params = null }) => newRun(known(id).id, params, null));
      },
      async triggerRange(id, options) {
        note('triggerRange', options);
        return { runs: [newRun(known(id).id, null, options.from)], truncated: false };
      },
    },
    runs: {
      async list(options) {
        note('runs', options);
        return { runs: [...runs.values()].reverse(), cursor: 'next' };
      },
      get: async (id) => runs.get(id) ?? null,
      async wait(id, options) {
        note('wait', options);
        return runs.get(id)!;
      },
      async retry(id) {
        note('retry', id);
        return newRun(runs.get(id)!.jobId, null, null);
      },
      async retryMany(filter) {
        note('retryMany', filter);
        return 2;
      },
      async cancel(id) {
        note('cancel', id);
        return true;
      },
      async log(_id, options) {
        note('log', options);
        return { lines: ['<script>alert(1)</script>'], nextLine: 1, end: false };
      },
      async kill(id) {
        if (id === 2) throw new TimeRingError('kill-refused', 'The executor refused', {});
        return true;
      },
    },
    executors: {
      list: async (group) =>
        [...executors.values()].filter((executor) => group === undefined || executor.group === group),
      async register({ group, address }) {
        if (executors.size >= 3) throw new TimeRingError('bad-option', 'Too many executors', {});
        const info = {
          group,
          address,
          kind: 'remote',
          registeredAt: 1,
          beatAt: 1,
          breaker: 'closed',
          handlers: null,
          nodeId: null,
        } as const;
        executors.set(address, info);
      },
      beat: async () => {},
      async remove({ address }) {
        executors.delete(address);
      },
    },
    calendars: {
      put: async (calendar) => calendar,
      get: async () => null,
      list: async () => [],
      remove: async () => {},
    },
    groups: {
      list: async () => [],
      put: async ({ name }) => group(name),
      putAlerts: async (name) => group(name),
      pause: async (name) => group(name),
      resume: async (name) => group(name),
      remove: async () => {},
    },
    flows: {
      async start(input, options) {
        note('flows.start', { input, options });
        return flow(1, input.name);
      },
      get: async (id) => (id === 1 ? flow(1, 'a flow') : null),
      async list(options) {
        note('flows', options);
        return { flows: [flow(1, 'a flow')], cursor: 'next' };
      },
      async cancel(id) {
        if (id !== 1) throw new TimeRingError('unknown-flow', `There is no flow ${id}`, { field: 'id', value: id });
        return true;
      },
      wait: async (id) => flow(id, 'a flow'),
    },
    metrics: () => ({
      ...{
        passes: 1,
        passesFailed: 2,
        claimed: 3,
        fired: 4,
        misfired: 5,
        succeeded: 6,
        failed: 7,
        killed: 8,
        retried: 9,
      },
      ...{ refused: 10, ringSize: 11, pools: { fast: { running: 12, queued: 13 }, slow: { running: 14, queued: 15 } } },
    }),
    health: () => health,
    stop: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
  return { ring, asked, executors, health, emit: emitter.emit };
}

function flow(id: number, name: string): Flow {
  const steps = { a: { runId: 1, state: 'succeeded' }, b: { runId: null, state: 'waiting' } } as const;
  return { id, name, state: 'running', steps: { ...steps }, createdAt: 1, endedAt: null };
}

function group(name: string) {
  return { name, title: '', addresses: [], maxRunning: null, rate: null, alerts: [], paused: false };
}

function settingsOf(job: Job) {
  const {
    id: _,
    state: __,
    stopReason: ___,
    lastAt: ____,
    nextAt: _____,
    createdAt: ______,
    updatedAt: _______,
    namespace: ________,
    ...rest
  } = job;
  return rest;
}
