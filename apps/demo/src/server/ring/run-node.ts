import { createExecutor, type Executor, startTimeRing, type TimeRing } from 'horae/ring';
import { systemClock, systemRandom } from 'horae/time';
import { ringHandlers } from './ring-handlers.js';

export interface RunningNode {
  readonly ring: TimeRing;
  addExecutor(): Promise<void>;
  removeExecutor(address: string): Promise<void>;
  stop(): Promise<void>;
}

const MAX_EXECUTORS = 6;
const KEEP_RUNS_MS = 2 * 3_600_000;
const STOP_DEADLINE_MS = 2_000;

/** A node of the ring with executors of its own, named after it. Used by the page's process and by helper processes alike. */
export async function runNode(databaseUrl: string, nodeId: string, executors: number): Promise<RunningNode> {
  const ring = await startTimeRing({ database: databaseUrl, nodeId, keepRunsMs: KEEP_RUNS_MS });
  const handlers = ringHandlers(systemClock(), systemRandom());
  const own = new Map<string, Executor>();
  let number = 0;

  async function addExecutor(): Promise<void> {
    if (own.size >= MAX_EXECUTORS) return;
    number += 1;
    const executor = await createExecutor({ ring, handlers, address: `${nodeId}/quay-${number}` });
    own.set(executor.address, executor);
  }

  try {
    for (let i = 0; i < executors; i++) await addExecutor();
  } catch (error) {
    await ring.stop({ deadlineMs: 0 });
    throw error;
  }
  return {
    ring,
    addExecutor,
    async removeExecutor(address) {
      const executor = own.get(address);
      own.delete(address);
      await executor?.stop();
    },
    stop: () => ring.stop({ deadlineMs: STOP_DEADLINE_MS }),
  };
}
