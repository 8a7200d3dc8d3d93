import type { ExecutorRegistry } from './executor-registry.js';
import type { KnownRuns } from './known-runs.js';
import type { RingNode } from './ring-node.js';

/** Aborts runs here that another node has killed: they are over in the database already. */
export function createKillWatch(node: RingNode, known: KnownRuns, registry: ExecutorRegistry): () => Promise<void> {
  return async () => {
    if (known.size === 0) return;
    const runIds = await node.store.transaction((trx) => trx.takeKills(node.owner));
    for (const runId of runIds) {
      for (const { bench } of registry.locals()) bench.kill(runId, 'Killed by a user');
    }
  };
}
