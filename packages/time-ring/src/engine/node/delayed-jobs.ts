import type { EpochMs } from '@horae/clock-store';
import type { Job } from '../../model/job.js';
import type { JobTransaction } from '../../store/job-store.js';

/**
 * Locks those of the jobs that wait for the end of their fire. Done before runs are ended: of two concurrent ends one then sees the other,
 * and the later one resumes the job.
 */
export async function lockBetweenFires(trx: JobTransaction, jobIds: readonly number[]): Promise<readonly Job[]> {
  const ids = await trx.jobsBetweenFires({ ids: [...new Set(jobIds)], limit: Math.max(1, jobIds.length) });
  const held: Job[] = [];
  for (const id of ids) {
    const job = await trx.lockJob(id);
    if (job !== null) held.push(job);
  }
  return held;
}

/** Resumes locked fix-delay jobs whose fire is over, `everyMs` after its end. */
export async function resumeDelays(
  trx: JobTransaction,
  jobs: readonly Job[],
  endedAt: (job: Job) => EpochMs,
): Promise<void> {
  for (const job of jobs) {
    const { schedule, state, nextAt } = job;
    if (schedule.kind !== 'fix-delay' || state !== 'RUNNING' || nextAt !== null) continue;
    if (await trx.hasOpenFires(job.id)) continue;
    const { id, stopReason, lastAt, updatedAt } = job;
    await trx.advanceJobs([{ id, state, stopReason, lastAt, updatedAt, nextAt: endedAt(job) + schedule.everyMs }]);
  }
}
