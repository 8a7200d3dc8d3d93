import type { Job, JobSettings } from '../../model/job.js';
import type { RingNode } from '../node/ring-node.js';
import { beginJob } from './begun-job.js';
import { stopped } from './stopped-guard.js';

/** A job to be added under an id from `reserveJobIds`. */
export interface ReservedJob {
  readonly id: number;
  readonly settings: JobSettings;
  readonly isStarted: boolean;
}

/** Per transaction: few enough that a pass on the same SQLite file waits only milliseconds. */
export const MAX_JOBS_PER_BATCH = 200;

/** The first of `count` consecutive ids that no other job receives. */
export async function reserveJobIds(node: RingNode, count: number): Promise<number> {
  if (node.isStopping) throw stopped();
  return node.store.transaction((trx) => trx.reserveJobIds(count));
}

/**
 * Adds jobs that are already checked, in batches with a turn of the event loop after each. A job comes after its children, so that no job
 * ever refers to a missing one; no existing job can refer to a new one, so no cycle can arise.
 */
export async function addJobs(node: RingNode, childrenFirst: readonly ReservedJob[]): Promise<void> {
  for (let from = 0; from < childrenFirst.length; from += MAX_JOBS_PER_BATCH) {
    await addBatch(node, childrenFirst.slice(from, from + MAX_JOBS_PER_BATCH));
    await node.clock.sleepFor(0);
  }
}

async function addBatch(node: RingNode, batch: readonly ReservedJob[]): Promise<void> {
  if (node.isStopping) throw stopped();
  const jobs = await node.store.transaction(async (trx) => {
    const at = await node.time.read(trx);
    const standing = { state: 'STOPPED', stopReason: null, lastAt: null, nextAt: null, namespace: null } as const;
    const added: Job[] = [];
    for (const { id, settings, isStarted } of batch) {
      const job: Job = { ...settings, ...standing, id, createdAt: at, updatedAt: at };
      added.push(isStarted ? await beginJob(node, trx, job, at) : job);
    }
    await trx.insertJobs(added);
    return added;
  });
  for (const job of jobs) {
    node.emitter.emit('job-added', { job });
    if (job.state === 'RUNNING') node.emitter.emit('job-started', { job });
  }
}
