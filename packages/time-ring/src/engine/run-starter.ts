import type { ActiveRun } from './active-run.js';
import { createBatchWriter } from './batch-writer.js';
import type { KnownRuns } from './known-runs.js';
import type { RingNode } from './ring-node.js';

/** Writes that runs which waited on their executor begin. */
export interface RunStarter {
  /** The run as it is now; null when it is not this node's any more. A lost database is waited for. */
  start(run: ActiveRun): Promise<ActiveRun | null>;
  abandon(): void;
}

const MOST_STARTS_A_WRITE = 2_000;
const PAUSE_MS = 1_000;

/** `doubt`: a start that was written, but whose answer was lost, has left a run that nobody works on. */
export function createRunStarter(node: RingNode, known: KnownRuns, doubt: () => void): RunStarter {
  const abandoned = new AbortController();
  const writer = createBatchWriter<ActiveRun, ActiveRun | null>(MOST_STARTS_A_WRITE, async (runs) => {
    const startedAt = node.time.now();
    const starts = runs.map(({ row: { id, owner, fence } }) => ({ id, owner: owner!, fence, startedAt }));
    for (let attempt = 1; ; attempt++) {
      try {
        const started = await node.store.transaction((trx) => trx.startRuns(starts));
        if (attempt > 1 && started.size < runs.length) doubt();
        return runs.map((run) => (started.has(run.row.id) ? begin(run, startedAt) : forget(run)));
      } catch (error) {
        node.log.warn({ error, runs: runs.length }, 'The start of runs could not be written and will be tried again');
        if (abandoned.signal.aborted) {
          doubt();
          return runs.map(forget);
        }
        await node.clock.sleepFor(PAUSE_MS, { signal: abandoned.signal }).catch(() => {});
      }
    }
  });

  function begin({ job, row }: ActiveRun, startedAt: number): ActiveRun | null {
    const started: ActiveRun = { job, row: { ...row, state: 'running', startedAt } };
    return known.set(started) ? started : null;
  }

  function forget({ row }: ActiveRun): null {
    known.delete(row);
    return null;
  }

  return { start: (run) => writer.add(run), abandon: () => abandoned.abort() };
}
