import { lockBetweenFires, resumeDelays } from '../node/delayed-jobs.js';
import type { RingNode } from '../node/ring-node.js';

const EVERY_MS = 60_000;
const MAX_JOBS_PER_LOOK = 1_000;

/**
 * Resumes fix-delay jobs whose fire has ended unnoticed: a start and the end of an older fire may overlap. Checks once per minute.
 */
export function createDelayWatch(node: RingNode): () => Promise<void> {
  let nextAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = node.clock.monotonicMs();
    if (now < nextAt) return;
    nextAt = now + EVERY_MS;
    const ids = await node.store.jobsBetweenFires({ ids: null, limit: MAX_JOBS_PER_LOOK });
    if (ids.length === 0) return;
    await node.store.transaction(async (trx) => {
      const at = await node.time.read(trx);
      await resumeDelays(trx, await lockBetweenFires(trx, ids), () => at);
    });
  };
}
