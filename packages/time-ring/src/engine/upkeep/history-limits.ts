import type { Job } from '../../model/job.js';
import type { RingNode } from '../node/ring-node.js';

const EVERY_MS = 60_000;
const DAY_MS = 86_400_000;
const MAX_JOBS_PER_LOOK = 1_000;
/** SQLite executes nothing else during a slice. */
const MAX_RUNS_PER_SLICE = 200;
const MAX_SLICES_PER_LOOK = 10;

/** Deletes runs beyond the `keepRuns` of their jobs, once per minute; after a few slices it continues at the next second. */
export function createHistoryLimits(node: RingNode): () => Promise<void> {
  let nextAt = Number.NEGATIVE_INFINITY;
  let afterId = 0;

  /** Whether all of the job's surplus runs are deleted. */
  async function prune({ id, keepRuns: { days, count } }: Job, slices: { left: number }): Promise<boolean> {
    const endedBefore = days === undefined ? null : node.time.now() - days * DAY_MS;
    while (slices.left > 0) {
      slices.left -= 1;
      const query = { jobId: id, keep: count ?? null, endedBefore, limit: MAX_RUNS_PER_SLICE };
      if ((await node.store.transaction((trx) => trx.pruneRuns(query))) < MAX_RUNS_PER_SLICE) return true;
    }
    return false;
  }

  return async () => {
    const now = node.clock.monotonicMs();
    if (now < nextAt) return;
    const slices = { left: MAX_SLICES_PER_LOOK };
    const jobs = await node.store.jobsWithHistoryLimit({ afterId, limit: MAX_JOBS_PER_LOOK });
    for (const job of jobs) {
      if (node.isStopping || !(await prune(job, slices))) return;
      afterId = job.id;
    }
    if (jobs.length === MAX_JOBS_PER_LOOK) return;
    afterId = 0;
    nextAt = now + EVERY_MS;
  };
}
