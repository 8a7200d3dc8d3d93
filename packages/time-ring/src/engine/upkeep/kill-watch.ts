import type { ExecutorRegistry } from '../dispatch/registry.js';
import type { OwnedRuns } from '../node/owned-runs.js';
import type { RingNode } from '../node/ring-node.js';

/** Aborts runs here that another node has killed: they are over in the database already. */
export function createKillWatch(node: RingNode, owned: OwnedRuns, registry: ExecutorRegistry): () => Promise<void> {
  return async () => {
    if (owned.size === 0) return;
    const runIds = await node.store.transaction((trx) => trx.takeKills(node.owner));
    for (const runId of runIds) {
      for (const { slots } of registry.locals()) slots.kill(runId, 'Killed by a user');
    }
  };
}
