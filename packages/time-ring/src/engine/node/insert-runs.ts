import { UNOWNED } from '../../model/run.js';
import type { JobTransaction, NewRun } from '../../store/job-store.js';
import type { RingNode } from './ring-node.js';

/**
 * Writes runs. When this node becomes their owner, its row is kept until the transaction is over: other nodes may have considered it dead
 * and removed it, and runs of an unknown node would never be taken over. When the runs are unowned, a node is woken.
 */
export async function insertRuns(
  { owner, options, time }: Pick<RingNode, 'owner' | 'time'> & { readonly options: { readonly nodeId: string } },
  trx: JobTransaction,
  runs: readonly NewRun[],
): Promise<readonly (number | null)[]> {
  if (runs.length === 0) return [];
  if (owner !== UNOWNED && runs.some((run) => run.owner === owner)) {
    await trx.keepNode({ owner, nodeId: options.nodeId, beatAt: time.now() });
  }
  const ids = await trx.insertRuns(runs);
  if (runs.some((run) => run.owner === UNOWNED)) await trx.wake([UNOWNED]);
  return ids;
}
