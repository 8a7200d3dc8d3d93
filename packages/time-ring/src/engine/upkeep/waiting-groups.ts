import type { WaitingReason } from '../../model/run.js';
import type { WaitingCount } from '../../store/job-store.js';
import { recordWaiting } from '../alerts/run-alerts.js';
import type { RingNode } from '../node/ring-node.js';

/** Counts the waiting runs of each group, and records alerts for those that have waited too long. */
export function createWaitingGroups(
  node: RingNode,
  waiting: { readonly found: readonly WaitingCount[] },
): () => Promise<void> {
  return async () => {
    const { found } = waiting;
    if (found.length === 0) {
      node.statistics.setWaiting([]);
      return;
    }
    const jobs = await node.store.jobsByIds([...new Set(found.map(({ jobId }) => jobId))]);
    const groups = new Map(jobs.map(({ id, executorGroup }) => [id, executorGroup]));
    const sums = new Map<string, { group: string; reason: WaitingReason; count: number }>();
    for (const { jobId, reason, count } of found) {
      const group = groups.get(jobId) ?? '';
      const key = `${reason} ${group}`;
      sums.set(key, { group, reason, count: (sums.get(key)?.count ?? 0) + count });
    }
    node.statistics.setWaiting([...sums.values()]);
    await recordWaiting(node, jobs);
  };
}
