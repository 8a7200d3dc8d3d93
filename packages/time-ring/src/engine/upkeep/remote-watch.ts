import { REMOTE, type RunRow } from '../../model/run.js';
import type { RegisteredExecutor } from '../../store/job-store.js';
import { failure, type Outcome, SUCCESS, TIMEOUT } from '../../workbench/assignment.js';
import type { PassChore } from '../claim/schedule-pass.js';
import type { ExecutorRegistry } from '../dispatch/registry.js';
import { ALIVE_MS } from '../node/living-executors.js';
import type { RingNode } from '../node/ring-node.js';
import type { Recorder } from '../record/recorder.js';

const MAX_RUNS_PER_LOOK = 1_000;
const MAX_EXECUTORS_PER_LOOK = 100;

/** Fails remote runs whose time limit is over, or whose executor has sent no heartbeat for 90 s. */
export function createRemoteWatch(node: RingNode, recorder: Recorder, registry: ExecutorRegistry): PassChore {
  async function failOverdue(): Promise<void> {
    const now = node.time.now();
    const rows = await node.store.transaction((trx) =>
      trx.lockOverdueRuns({ owner: REMOTE, now, limit: MAX_RUNS_PER_LOOK }),
    );
    await endAll(rows, 'No result came within the time limit', TIMEOUT);
  }

  async function dropLost(): Promise<void> {
    const beatBefore = node.time.now() - ALIVE_MS;
    const lost = await node.store.lostExecutors({ beatBefore, limit: MAX_EXECUTORS_PER_LOOK });
    if (lost.length === 0) return;
    const isComplete = await failRunsAt(lost, beatBefore);
    // The registration stays as long as runs are left there, so that the next look finds them.
    if (isComplete) for (const executor of lost) await drop(executor);
  }

  async function failRunsAt(lost: readonly RegisteredExecutor[], beatBefore: number): Promise<boolean> {
    const alive = (await node.store.executors()).filter(({ beatAt }) => beatAt >= beatBefore);
    const living = new Set(alive.map(({ address }) => address));
    const addresses = lost.map(({ address }) => address).filter((address) => !living.has(address));
    if (addresses.length === 0) return true;
    const rows = await node.store.transaction((trx) => trx.lockRunsAt({ addresses, limit: MAX_RUNS_PER_LOOK }));
    await endAll(rows, 'The executor was lost: it has not been heard of for 90 s');
    return rows.length < MAX_RUNS_PER_LOOK;
  }

  async function drop(executor: RegisteredExecutor): Promise<void> {
    const removed = await node.store.transaction(async (trx) => {
      const gone = await trx.removeExecutor(executor);
      const what = `Executor ${executor.address} of the group "${executor.group}" is lost: not heard of for 90 s`;
      const trouble = { on: 'executor-lost', at: node.time.now(), job: null, run: null, what } as const;
      if (gone !== null) await node.alerts.record(trx, [trouble]);
      return gone;
    });
    registry.forget(executor.group);
    if (removed !== null) node.emitter.emit('executor-lost', registry.infoOf(removed));
  }

  async function endAll(rows: readonly RunRow[], message: string, code?: number): Promise<void> {
    for (const row of rows) recorder.end({ row, job: null }, keptResult(row) ?? failure(message, code));
    await Promise.all(rows.map(({ id }) => recorder.ended(id)));
  }

  return async (glance) => {
    if (glance?.hasOverdue ?? true) await failOverdue();
    if (glance?.hasLostExecutors ?? true) await dropLost();
  };
}

/** The result reported during a kill by a node that never recorded whether the kill succeeded. */
function keptResult({ code, message }: RunRow): Outcome | null {
  if (code === null) return null;
  return { state: code === SUCCESS ? 'succeeded' : 'failed', code, message };
}
