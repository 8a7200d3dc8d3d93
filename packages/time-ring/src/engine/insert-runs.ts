import type { JobTransaction, NewRun } from '../store/job-store.js';
import type { RingNode } from './ring-node.js';

/**
 * Writes runs. Where they become this node's, its row is there and stays until the transaction is over: others may have taken it for dead
 * and removed it, and runs of a node that nobody knows would never be taken over.
 */
export async function insertRuns(
  { owner, options, time }: Pick<RingNode, 'owner' | 'options' | 'time'>,
  trx: JobTransaction,
  runs: readonly NewRun[],
): Promise<readonly (number | null)[]> {
  if (runs.length === 0) return [];
  if (runs.some((run) => run.owner === owner)) {
    await trx.keepNode({ owner, nodeId: options.nodeId, beatAt: time.now() });
  }
  return trx.insertRuns(runs);
}
