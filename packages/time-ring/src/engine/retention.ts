import type { RingNode } from './ring-node.js';

const EVERY_MS = 60_000;
const MOST_A_TIME = 1_000;
const MOST_TIMES = 20;

/** Deletes old history, once a minute and a bounded number of runs. */
export function createRetention(node: RingNode): () => Promise<void> {
  let nextAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = node.time.now();
    if (now < nextAt) return;
    nextAt = now + EVERY_MS;
    const endedBefore = now - node.options.keepRunsMs;
    for (let time = 0; time < MOST_TIMES; time++) {
      const deleted = await node.store.transaction((trx) => trx.deleteRuns({ endedBefore, limit: MOST_A_TIME }));
      if (deleted < MOST_A_TIME) return;
    }
  };
}
