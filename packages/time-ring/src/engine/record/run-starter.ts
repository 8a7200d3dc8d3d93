import { retryUntilAborted } from '@horae/clock-store';
import { recordLate } from '../alerts/run-alerts.js';
import { type ActiveRun, claimOf } from '../node/active-run.js';
import { createBatchWriter } from '../node/batch-writer.js';
import type { OwnedRuns } from '../node/owned-runs.js';
import type { RingNode } from '../node/ring-node.js';

/** Writes the starts of runs that were queued on their executor. */
export interface RunStarter {
  /** Returns the started run; null when this node no longer owns it. Waits while the database is lost. */
  start(run: ActiveRun): Promise<ActiveRun | null>;
  abandon(): void;
}

const MAX_STARTS_PER_WRITE = 2_000;
const PAUSE_MS = 1_000;

export function createRunStarter(node: RingNode, owned: OwnedRuns): RunStarter {
  const abandoned = new AbortController();
  const writer = createBatchWriter<ActiveRun, ActiveRun | null>(MAX_STARTS_PER_WRITE, async (runs) => {
    const startedAt = node.time.now();
    const starts = runs.map(({ row }) => ({ ...claimOf(row), startedAt }));
    const write = async (attempt: number) => {
      const started = await node.store.transaction(async (trx) => {
        const ids = await trx.startRuns(starts);
        await recordLate(
          node.alerts,
          trx,
          runs.filter(({ row }) => ids.has(row.id)).map(({ job, row }) => ({ job, row, startedAt })),
        );
        return ids;
      });
      // A start that was written, but whose answer was lost, has left a run that no executor works on.
      if (attempt > 1 && started.size < runs.length) owned.markUncertain();
      return runs.map((run) => (started.has(run.row.id) ? begin(run, startedAt) : forget(run)));
    };
    const onFailure = (error: unknown) =>
      node.log.warn({ err: error, runs: runs.length }, 'Starts could not be written and will be tried again');
    const options = { clock: node.clock, pauseMs: PAUSE_MS, signal: abandoned.signal, onFailure };
    return retryUntilAborted(write, options).catch(() => {
      owned.markUncertain();
      return runs.map(forget);
    });
  });

  function begin(run: ActiveRun, startedAt: number): ActiveRun | null {
    run.row.state = 'running';
    run.row.startedAt = startedAt;
    return owned.set(run) ? run : null;
  }

  function forget({ row }: ActiveRun): null {
    owned.delete(row);
    return null;
  }

  return { start: (run) => writer.add(run), abandon: () => abandoned.abort() };
}
