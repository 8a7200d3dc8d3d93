import { createEmitter } from '@horae/clock-store';
import { parseChange, parseJob } from '../../src/decide/parse-job.js';
import type { Job } from '../../src/job.js';
import type { ExecutorInfo, RingEvents, RingHealth } from '../../src/ring-events.js';
import type { Run } from '../../src/run.js';
import { TimeRingError } from '../../src/time-ring-error.js';
import type { TimeRing } from '../../src/time-ring-interface.js';

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
    problem: null,
  };
  const note = (name: string, options: unknown) => void asked.push({ name, options });
  const known = (id: number): Job => {
    const job = jobs.get(id);
    if (job === undefined) throw new TimeRingError('unknown-job', `There is no job ${id}`, { field: 'id', value: id });
    return job;
  };
  const put = (job: Job): Job => {
    jobs.set(job.id, job);
    return job;
  };
  const newRun = (jobId: number, params: unknown, scheduleTime: number | null): Run => {
    const id = runs.size + 1;
    const run: Run = {
      ...{ id, fireId: id, jobId, scheduleTime, triggerType: 'manual', state: 'pending', attempt: 1, address: null },
      ...{
        shardIndex: 0,
        shardTotal: 1,
        params,
        firedAt: null,
        startedAt: null,
        endedAt: null,
        code: null,
        message: null,
      },
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
        return put({ ...parseJob(input), id: jobs.size + 1, state, stopReason: null, ...times });
      },
      get: async (id) => jobs.get(id) ?? null,
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
        const info = { group, address, kind: 'remote', registeredAt: 1, beatAt: 1, breaker: 'closed' } as const;
        executors.set(address, info);
      },
      beat: async () => {},
      async remove({ address }) {
        executors.delete(address);
      },
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

function settingsOf(job: Job) {
  const {
    id: _,
    state: __,
    stopReason: ___,
    lastAt: ____,
    nextAt: _____,
    createdAt: ______,
    updatedAt: _______,
    ...rest
  } = job;
  return rest;
}
