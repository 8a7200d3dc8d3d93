import type { EpochMs } from '@horae/clock-store';
import { TimeRingError } from '../../model/errors.js';
import type { Jobs } from '../../model/interface.js';
import type { Job, JobInput, JobRef } from '../../model/job.js';
import { readPage } from '../../model/page.js';
import { parseChange, parseJob } from '../../schedule/parse-job.js';
import type { JobTransaction } from '../../store/job-store.js';
import type { RunIntake } from '../dispatch/intake.js';
import type { ExecutorRegistry } from '../dispatch/registry.js';
import type { OwnedRuns } from '../node/owned-runs.js';
import { beginJob } from './begun-job.js';
import { boundedPage } from './bounded-page.js';
import { checkCalendars } from './calendar-service.js';
import { type JobChange, reportChange, withSettings } from './change-job.js';
import { checkChildren } from './check-children.js';
import { checkParams } from './check-params.js';
import { createJobDeclarations } from './declare-jobs.js';
import { checkKey, findJob, lockJob, settingsOf } from './find-job.js';
import { badJob, notSchedulable } from './job-errors.js';
import { createJobTriggers } from './job-triggers.js';
import type { ServiceNode } from './service-node.js';

/** The jobs of a ring. Every change is one transaction with the job locked; events follow it. */
export function createJobService(
  node: ServiceNode,
  owned: Pick<OwnedRuns, 'markUncertain'>,
  intake: Pick<RunIntake, 'accept' | 'withdraw'>,
  registry: Pick<ExecutorRegistry, 'list' | 'members'>,
): Jobs {
  const { store, emitter, time } = node;

  async function add({ start = false, ...input }: JobInput & { start?: boolean }): Promise<Job> {
    if (typeof start !== 'boolean') throw badJob('start', start, 'true or false');
    const settings = parseJob(input);
    checkParams(settings.params, node.options.maxParamsBytes);
    if (start && settings.schedule.kind === 'none') throw notSchedulable(settings.schedule);
    const job = await store.transaction(async (trx) => {
      const at = await time.read(trx);
      await checkKey(trx, settings.key, null);
      if (settings.children.length > 0) await checkChildren(trx, null, settings.children);
      await checkCalendars(trx, settings.except);
      const added = await trx.insertJob(settings, at);
      if (!start) return added;
      const started = await beginJob(node, trx, added, at);
      await trx.putJob(started);
      return started;
    });
    emitter.emit('job-added', { job });
    if (job.state === 'RUNNING') emitter.emit('job-started', { job });
    return job;
  }

  async function update(ref: JobRef, change: Partial<JobInput>): Promise<Job> {
    const changed = await changeJob(ref, async (job, trx, at) => {
      const settings = parseChange(change, settingsOf(job));
      if (settings.key !== job.key) await checkKey(trx, settings.key, job.id);
      if (change.params !== undefined) checkParams(settings.params, node.options.maxParamsBytes);
      return withSettings(node, trx, job, settings, at);
    });
    reportChange(node, intake, changed);
    return changed.after;
  }

  async function start(ref: JobRef): Promise<Job> {
    const { before, after } = await changeJob(ref, async (job, trx, at) => {
      if (job.state === 'RUNNING') return job;
      if (job.schedule.kind === 'none') throw notSchedulable(job.schedule);
      return beginJob(node, trx, { ...job, updatedAt: at }, at);
    });
    if (before.state !== after.state) emitter.emit('job-started', { job: after });
    return after;
  }

  async function stop(ref: JobRef): Promise<Job> {
    const { before, after } = await changeJob(ref, async (job, trx, at) => {
      const withdrawn = await trx.withdrawRuns(job.id);
      const isUndone = job.schedule.kind === 'once' && withdrawn.length > 0;
      if (job.state === 'STOPPED' && !isUndone) return job;
      const stopReason = { code: 'user', message: 'Stopped by a user' } as const;
      // The only occurrence was withdrawn and so has not run.
      const lastAt = isUndone ? null : job.lastAt;
      return { ...job, state: 'STOPPED', stopReason, lastAt, nextAt: null, updatedAt: at };
    });
    intake.withdraw(after.id);
    if (before.state !== after.state) emitter.emit('job-stopped', { job: after });
    return after;
  }

  async function remove(ref: JobRef): Promise<void> {
    const { id } = await store.transaction(async (trx) => {
      const job = await lockJob(trx, ref);
      await trx.withdrawRuns(job.id);
      await trx.deleteJob(job.id);
      return job;
    });
    intake.withdraw(id);
    emitter.emit('job-removed', { jobId: id });
  }

  async function changeJob(
    ref: JobRef,
    change: (job: Job, trx: JobTransaction, at: EpochMs) => Promise<Job>,
  ): Promise<JobChange> {
    return store.transaction(async (trx) => {
      const before = await lockJob(trx, ref);
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
    ...createJobTriggers(node, owned, intake, registry),
    ...createJobDeclarations(node, intake),
    get: (ref) => findJob(store, ref),
    async list({ state, executorGroup, hasAlerts, ...page } = {}) {
      if (state !== undefined && state !== 'RUNNING' && state !== 'STOPPED') {
        throw new TimeRingError('bad-option', `state must be RUNNING or STOPPED; got ${String(state)}`, {
          field: 'state',
          value: state,
        });
      }
      const { limit, cursor } = readPage(page, 1_000);
      const { items, cursor: next } = await boundedPage(limit, (after, count) =>
        store.jobs({ state, executorGroup, hasAlerts, limit: count, afterId: after ?? cursor ?? 0 }),
      );
      return { jobs: items, cursor: next };
    },
  };
}
