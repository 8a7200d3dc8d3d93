import type { Job } from '../../model/job.js';
import { DELAYED, REMOTE, type RunRow, UNOWNED, WAITING } from '../../model/run.js';
import type { Glance, GlanceQuery } from '../glance.js';
import type { JobTransaction } from '../job-store.js';

/** The glance of the memory store. */
export async function memoryGlance(
  memory: JobTransaction,
  rows: { jobs(): readonly Job[]; openRuns(): readonly RunRow[]; groupsVersion(): number },
  query: GlanceQuery,
): Promise<Glance | null> {
  const { owner, dueBy, delayedBy, now, aliveSince, heartbeat, leasesUntil } = query;
  const nodes = await memory.nodes();
  if (!nodes.some((node) => node.owner === owner)) return null;
  const open = rows.openRuns();
  const isDue = (by: string, at: number) => open.some((run) => run.owner === by && (run.deadlineAt ?? at + 1) <= at);
  const hasWork =
    rows.jobs().some(({ state, nextAt }) => state === 'RUNNING' && nextAt !== null && nextAt <= dueBy) ||
    open.some((run) => run.owner === UNOWNED) ||
    isDue(DELAYED, delayedBy);
  const found = {
    ...{ now: null, nodes, hasWork, hasLockRow: true },
    leases: (await memory.lockBuckets(owner)).length,
    groupsVersion: rows.groupsVersion(),
    hasHandovers: await memory.hasHandovers(owner),
    hasWaiting: open.some((run) => run.owner === WAITING),
    hasOverdue: isDue(REMOTE, now) || isDue(WAITING, now),
    hasLostExecutors: (await memory.lostExecutors({ beatBefore: aliveSince, limit: 1 })).length > 0,
    hasDueAlerts: (await memory.dueAlerts({ channels: null, until: now, limit: 1 })).length > 0,
  };
  if (heartbeat !== null && !hasWork) await memory.heartbeat(heartbeat);
  if (heartbeat !== null && !hasWork && leasesUntil !== null) await memory.renewBuckets(owner, leasesUntil);
  return found;
}
