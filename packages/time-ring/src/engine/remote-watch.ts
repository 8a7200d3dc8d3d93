import { failure, TIMEOUT } from '../executor/assignment.js';
import type { RunRow } from '../run.js';
import type { RegisteredExecutor } from '../store/job-store.js';
import { ALIVE_MS, type ExecutorRegistry } from './executor-registry.js';
import type { Recorder } from './recorder.js';
import type { RingNode } from './ring-node.js';

const MOST_RUNS_A_LOOK = 1_000;
const MOST_EXECUTORS_A_LOOK = 100;

/** Gives up remote runs whose time limit is over, or whose executor has not been heard of for 90 s. */
export function createRemoteWatch(node: RingNode, recorder: Recorder, registry: ExecutorRegistry): () => Promise<void> {
  async function failOverdue(): Promise<void> {
    const now = node.time.now();
    const rows = await node.store.transaction((trx) =>
      trx.holdOverdueRuns({ now, buckets: null, limit: MOST_RUNS_A_LOOK }),
    );
    await endAll(rows, 'No result came within the time limit', TIMEOUT);
  }

  async function dropLost(): Promise<void> {
    const beatBefore = node.time.now() - ALIVE_MS;
    const lost = await node.store.lostExecutors({ beatBefore, limit: MOST_EXECUTORS_A_LOOK });
    if (lost.length === 0) return;
    const isComplete = await failRunsAt(lost, beatBefore);
    // As long as runs are left there, the registration stays, so that another look finds them.
    if (isComplete) for (const executor of lost) await drop(executor);
  }

  async function failRunsAt(lost: readonly RegisteredExecutor[], beatBefore: number): Promise<boolean> {
    const alive = (await node.store.executors()).filter(({ beatAt }) => beatAt >= beatBefore);
    const living = new Set(alive.map(({ address }) => address));
    const addresses = lost.map(({ address }) => address).filter((address) => !living.has(address));
    if (addresses.length === 0) return true;
    const rows = await node.store.transaction((trx) =>
      trx.holdRunsAt({ addresses, buckets: null, limit: MOST_RUNS_A_LOOK }),
    );
    await endAll(rows, 'The executor was lost: it has not been heard of for 90 s');
    return rows.length < MOST_RUNS_A_LOOK;
  }

  async function drop(executor: RegisteredExecutor): Promise<void> {
    const removed = await node.store.transaction((trx) => trx.removeExecutor(executor.group, executor.address));
    registry.forget(executor.group);
    if (removed !== null) node.emitter.emit('executor-lost', registry.infoOf(removed));
  }

  async function endAll(rows: readonly RunRow[], message: string, code?: number): Promise<void> {
    for (const row of rows) recorder.end({ row, job: null }, failure(message, code));
    await Promise.all(rows.map(({ id }) => recorder.ended(id)));
  }

  return async () => {
    await failOverdue();
    await dropLost();
  };
}
