import { TimeRingError } from '../../model/errors.js';
import type { Job, JobRef, JobSettings } from '../../model/job.js';
import type { JobReads, JobTransaction } from '../../store/job-store.js';
import { isId, unknownJob } from './job-errors.js';

/** The job that an id or a key names; null when there is none. */
export async function findJob(reads: Pick<JobReads, 'job' | 'jobByKey'>, ref: JobRef): Promise<Job | null> {
  if (typeof ref !== 'string') return isId(ref) ? reads.job(ref) : null;
  const job = await reads.jobByKey(ref);
  // Databases may treat keys that differ only in trailing spaces as equal.
  return job?.key === ref ? job : null;
}

/** The same, locked until the transaction is over. Rejects with 'unknown-job'. */
export async function lockJob(trx: JobTransaction, ref: JobRef): Promise<Job> {
  const id = typeof ref === 'string' ? (await findJob(trx, ref))?.id : ref;
  const job = isId(id) ? await trx.lockJob(id) : null;
  // Its key may have moved to another job before it was locked.
  if (job === null || (typeof ref === 'string' && job.key !== ref)) throw unknownJob(ref);
  return job;
}

/** Refuses a key that a job other than `id` has. */
export async function checkKey(trx: JobTransaction, key: string | null, id: number | null): Promise<void> {
  const holder = key === null ? null : await trx.lockKey(key);
  if (holder === null || holder === id) return;
  throw keyTaken(key!, holder, 'choose another, or update that job');
}

export function keyTaken(key: string, jobId: number, remedy: string): TimeRingError {
  return new TimeRingError('key-taken', `Job ${jobId} has the key "${key}": ${remedy}`, {
    field: 'key',
    value: key,
    jobId,
  });
}

/** The part of a job that callers set. */
export function settingsOf(job: Job): JobSettings {
  const { id, namespace, state, stopReason, lastAt, nextAt, createdAt, updatedAt, ...settings } = job;
  return settings;
}
