import type { Job } from '../../model/job.js';
import { bucketOf } from '../../routing/route-hash.js';
import type { JobTransaction } from '../job-store.js';
import { copy, type Journal, JournalledMap } from './journalled-map.js';

type JobVerbs =
  | 'job'
  | 'lockJob'
  | 'jobByKey'
  | 'lockKey'
  | 'jobsByIds'
  | 'jobsByKeys'
  | 'jobsOfNamespace'
  | 'jobsBetweenFires'
  | 'jobsExcept'
  | 'jobs'
  | 'insertJob'
  | 'reserveJobIds'
  | 'insertJobs'
  | 'putJob'
  | 'deleteJob'
  | 'lockFamilies'
  | 'lockDueJobs'
  | 'advanceJobs'
  | 'claimMode';

/** The jobs of the memory store, and its settings. */
export function memoryJobs(journal: Journal, jobRows: JournalledMap<number, Job>): Pick<JobTransaction, JobVerbs> {
  const settings = new JournalledMap<'mode' | 'last-job-id', string | number>(journal);

  /** The first of `count` new ids. */
  function nextIds(count: number): number {
    const last = Number(settings.get('last-job-id') ?? 0);
    settings.set('last-job-id', last + count);
    return last + 1;
  }

  return {
    job: async (id) => copy(jobRows.get(id) ?? null),
    lockJob: async (id) => copy(jobRows.get(id) ?? null),
    jobByKey: async (key) => copy(jobRows.values().find((job) => job.key === key) ?? null),
    lockKey: async (key) => jobRows.values().find((job) => job.key === key)?.id ?? null,
    jobsByIds: async (ids) =>
      [...new Set(ids)]
        .sort((a, b) => a - b)
        .map((id) => jobRows.get(id))
        .filter((job) => job !== undefined)
        .map(copy),
    jobsByKeys: async (keys) =>
      jobRows
        .values()
        .filter(({ key }) => key !== null && keys.includes(key))
        .map(copy),
    jobsOfNamespace: async (namespace) =>
      jobRows
        .values()
        .filter((job) => job.namespace === namespace)
        .sort((a, b) => a.id - b.id)
        .map(copy),
    jobsBetweenFires: async ({ ids, limit }) =>
      jobRows
        .values()
        .filter(({ state, nextAt }) => state === 'RUNNING' && nextAt === null)
        .map(({ id }) => id)
        .filter((id) => ids === null || ids.includes(id))
        .sort((a, b) => a - b)
        .slice(0, limit),
    jobsExcept: async (calendar) =>
      jobRows
        .values()
        .filter(({ except }) => except.includes(calendar))
        .sort((a, b) => a.id - b.id)
        .map(copy),
    jobs: async ({ state, executorGroup, hasAlerts, limit, afterId }) =>
      jobRows
        .values()
        .filter((job) => job.id > afterId)
        .filter((job) => state === undefined || job.state === state)
        .filter((job) => executorGroup === undefined || job.executorGroup === executorGroup)
        .filter((job) => hasAlerts !== true || job.alerts.length > 0)
        .sort((a, b) => a.id - b.id)
        .slice(0, limit)
        .map(copy),
    insertJob: async (input, at) => {
      const job: Job = {
        ...input,
        id: nextIds(1),
        namespace: null,
        state: 'STOPPED',
        stopReason: null,
        lastAt: null,
        nextAt: null,
        createdAt: at,
        updatedAt: at,
      };
      jobRows.set(job.id, copy(job));
      return copy(job);
    },
    reserveJobIds: async (count) => nextIds(count),
    insertJobs: async (jobs) => {
      for (const job of jobs) jobRows.set(job.id, copy(job));
    },
    putJob: async (job) => {
      if (jobRows.has(job.id)) jobRows.set(job.id, copy(job));
    },
    deleteJob: async (id) => jobRows.delete(id),
    lockFamilies: async () =>
      new Map(
        jobRows
          .values()
          .filter(({ children }) => children.length > 0)
          .map(({ id, children }) => [id, children]),
      ),
    lockDueJobs: async ({ until, limit, buckets, exceptGroups = [] }) =>
      jobRows
        .values()
        .filter(({ state, nextAt }) => state === 'RUNNING' && nextAt !== null && nextAt <= until)
        .filter(({ id }) => buckets === null || buckets.includes(bucketOf(id)))
        .filter(({ executorGroup }) => !exceptGroups.includes(executorGroup))
        .sort((a, b) => a.nextAt! - b.nextAt! || a.id - b.id)
        .slice(0, limit)
        .map(copy),
    advanceJobs: async (changes) => {
      for (const change of changes) {
        const job = jobRows.get(change.id);
        if (job !== undefined) jobRows.set(job.id, { ...job, ...change });
      }
    },
    claimMode: async (mode) => {
      if (!settings.has('mode')) settings.set('mode', mode);
      return String(settings.get('mode'));
    },
  };
}
