import { TimeRingError } from '../../model/errors.js';
import type { RingNode } from '../node/ring-node.js';
import { lockRowMissing } from './lock-row-missing.js';

/** Joins the nodes on the database with a first heartbeat; refuses a claim mode that differs from theirs, and a missing lock row. */
export async function checkClaimMode(node: RingNode): Promise<void> {
  const { claim, nodeId } = node.options;
  await node.store.transaction(async (trx) => {
    const recorded = await trx.claimMode(claim);
    if (recorded !== claim) {
      throw new TimeRingError(
        'claim-mode-mismatch',
        `The nodes on this database claim by '${recorded}', not by '${claim}': start this one with claim: '${recorded}'`,
        { field: 'claim', value: claim, recorded },
      );
    }
    if (claim === 'lock-row' && !(await trx.takeLockRow())) throw lockRowMissing();
    await trx.heartbeat({ owner: node.owner, nodeId, beatAt: await node.time.read(trx) });
  });
}
