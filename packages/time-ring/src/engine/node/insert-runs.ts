import { UNOWNED } from '../../model/run.js';
import type { JobTransaction, NewRun } from '../../store/job-store.js';
import type { RingNode } from './ring-node.js';

/**
 * Writes runs. Where they become this node's, its row is there and stays until the transaction is over: others may have taken it for dead
 * and removed it, and runs of a node that nobody knows would never be taken over. Where they become nobody's, a node is woken.
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
