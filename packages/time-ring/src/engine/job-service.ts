import { isDeepStrictEqual } from 'node:util';
import type { EpochMs } from '@horae/clock-store';
import { pageOf, readPage } from '../decide/page.js';
import { parseChange, parseJob } from '../decide/parse-job.js';
import { timetableOf } from '../decide/timetable.js';
import type { Job, JobInput } from '../job.js';
import type { JobTransaction } from '../store/job-store.js';
import { TimeRingError } from '../time-ring-error.js';
import type { Jobs } from '../time-ring-interface.js';
import { checkChildren } from './check-children.js';
import type { ExecutorRegistry } from './executor-registry.js';
import { badJob, checkId, isId, notSchedulable, unknownJob } from './job-errors.js';
import { createJobTriggers } from './job-triggers.js';
import type { RingNode } from './ring-node.js';
import type { RunKeeper } from './run-keeper.js';

/** The jobs of a ring. Every change is one transaction, with the job held; events come after it. */
export function createJobService(node: RingNode, keeper: RunKeeper, registry: ExecutorRegistry): Jobs {
  const { store, emitter, time } = node;

  async function add({ start = false, ...input }: JobInput & { start?: boolean }): Promise<Job> {
    if (typeof start !== 'boolean') throw badJob('start', start, 'true or false');
    const settings = parseJob(input);
    if (start && settings.schedule.kind === 'none') throw notSchedulable(settings.schedule);
    const job = await store.transaction(async (trx) => {
      const at = await time.read(trx);
      if (settings.children.length > 0) await checkChildren(trx, null, settings.children);
      const added = await trx.insertJob(settings, at);
      if (!start) return added;
      const started = begun(added, at, node.options.zone);
      await trx.putJob(started);
      return started;
    });
    emitter.emit('job-added', { job });
    if (job.state === 'RUNNING') emitter.emit('job-started', { job });
    return job;
  }

  async function update(id: number, change: Partial<JobInput>): Promise<Job> {
    const { before, after } = await changeJob(id, async (job, trx, at) => {
      const settings = parseChange(change, settingsOf(job));
      if (change.children !== undefined) await checkChildren(trx, id, settings.children);
      const changed: Job = { ...job, ...settings, updatedAt: at };
      if (isDeepStrictEqual(settings.schedule, job.schedule)) return changed;
      await trx.withdrawRuns(id);
      return job.state === 'RUNNING' ? begun(changed, at, node.options.zone) : changed;
    });
    if (!isDeepStrictEqual(before.schedule, after.schedule)) keeper.withdraw(id);
    emitter.emit('job-updated', { job: after });
    if (before.state !== after.state) emitter.emit('job-stopped', { job: after });
    return after;
  }

  async function start(id: number): Promise<Job> {
    const { before, after } = await changeJob(id, async (job, _trx, at) => {
      if (job.state === 'RUNNING') return job;
      if (job.schedule.kind === 'none') throw notSchedulable(job.schedule);
      return begun({ ...job, updatedAt: at }, at, node.options.zone);
    });
    if (before.state !== after.state) emitter.emit('job-started', { job: after });
    return after;
  }

  async function stop(id: number): Promise<Job> {
    const { before, after } = await changeJob(id, async (job, trx, at) => {
      await trx.withdrawRuns(id);
      if (job.state === 'STOPPED') return job;
      const stopReason = { code: 'user', message: 'Stopped by a user' } as const;
      return { ...job, state: 'STOPPED', stopReason, nextAt: null, updatedAt: at };
    });
    keeper.withdraw(id);
    if (before.state !== after.state) emitter.emit('job-stopped', { job: after });
    return after;
  }

  async function remove(id: number): Promise<void> {
    await store.transaction(async (trx) => {
      await holdJob(trx, id);
      await trx.withdrawRuns(id);
      await trx.deleteJob(id);
    });
    keeper.withdraw(id);
    emitter.emit('job-removed', { jobId: id });
  }

  async function changeJob(
    id: number,
    change: (job: Job, trx: JobTransaction, at: EpochMs) => Promise<Job>,
  ): Promise<{ before: Job; after: Job }> {
    return store.transaction(async (trx) => {
      const before = await holdJob(trx, id);
      const after = await change(before, trx, await time.read(trx));
      if (after !== before) await trx.putJob(after);
      return { before, after };
    });
  }

  return {
    add,
    update,
    start,
    stop,
    remove,
    ...createJobTriggers(node, keeper, registry),
    get: async (id) => (isId(id) ? store.job(id) : null),
    async list({ state, executorGroup, ...page } = {}) {
      if (state !== undefined && state !== 'RUNNING' && state !== 'STOPPED') {
        throw new TimeRingError('bad-option', `state must be RUNNING or STOPPED; got ${String(state)}`, {
          field: 'state',
          value: state,
        });
      }
      const { limit, cursor } = readPage(page, 1_000);
      const { items, cursor: next } = pageOf(
        await store.jobs({ state, executorGroup, limit: limit + 1, afterId: cursor ?? 0 }),
        limit,
      );
      return { jobs: items, cursor: next };
    },
  };
}

/** The job as it is after a start: at its first occurrence after `at`, or stopped because there is none. */
function begun(job: Job, at: EpochMs, zone: string): Job {
  const nextAt = timetableOf(job.schedule, zone, at).next(at);
  if (nextAt !== null) return { ...job, state: 'RUNNING', stopReason: null, nextAt };
  const stopReason = { code: 'no-next-time', message: 'The schedule has no time left' } as const;
  return { ...job, state: 'STOPPED', stopReason, nextAt: null };
}

function settingsOf(job: Job): Required<JobInput> {
  const { id, state, stopReason, lastAt, nextAt, createdAt, updatedAt, ...settings } = job;
  return settings;
}

async function holdJob(trx: JobTransaction, id: number): Promise<Job> {
  checkId(id);
  const job = await trx.holdJob(id);
  if (job === null) throw unknownJob(id);
  return job;
}
