import { bucketOf } from '../decide/route-hash.js';
import type { Job } from '../job.js';
import type { JobTransaction } from './job-store.js';
import { copy, type Journal, JournalledMap } from './journalled-map.js';

type JobVerbs =
  | 'job'
  | 'holdJob'
  | 'jobsByIds'
  | 'jobs'
  | 'insertJob'
  | 'putJob'
  | 'deleteJob'
  | 'holdFamilies'
  | 'holdDueJobs'
  | 'advanceJobs'
  | 'claimMode';

/** The jobs of the memory store, and what is set once. */
export function memoryJobs(journal: Journal): Pick<JobTransaction, JobVerbs> {
  const jobRows = new JournalledMap<number, Job>(journal);
  const settings = new JournalledMap<'mode' | 'last-job-id', string | number>(journal);

  return {
    job: async (id) => copy(jobRows.get(id) ?? null),
    holdJob: async (id) => copy(jobRows.get(id) ?? null),
    jobsByIds: async (ids) =>
      [...new Set(ids)]
        .sort((a, b) => a - b)
        .map((id) => jobRows.get(id))
        .filter((job) => job !== undefined)
        .map(copy),
    jobs: async ({ state, executorGroup, limit, afterId }) =>
      jobRows
        .values()
        .filter((job) => job.id > afterId)
        .filter((job) => state === undefined || job.state === state)
        .filter((job) => executorGroup === undefined || job.executorGroup === executorGroup)
        .sort((a, b) => a.id - b.id)
        .slice(0, limit)
        .map(copy),
    insertJob: async (input, at) => {
      const id = Number(settings.get('last-job-id') ?? 0) + 1;
      settings.set('last-job-id', id);
      const job: Job = {
        ...input,
        id,
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
    putJob: async (job) => {
      if (jobRows.has(job.id)) jobRows.set(job.id, copy(job));
    },
    deleteJob: async (id) => jobRows.delete(id),
    holdFamilies: async () =>
      new Map(
        jobRows
          .values()
          .filter(({ children }) => children.length > 0)
          .map(({ id, children }) => [id, children]),
      ),
    holdDueJobs: async ({ until, limit, buckets }) =>
      jobRows
        .values()
        .filter(({ state, nextAt }) => state === 'RUNNING' && nextAt !== null && nextAt <= until)
        .filter(({ id }) => buckets === null || buckets.includes(bucketOf(id)))
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
