import { WAITING } from '../../model/run.js';
import { failure } from '../../workbench/assignment.js';
import type { PassChore } from '../claim/schedule-pass.js';
import type { WaitingRuns } from '../dispatch/waiting-runs.js';
import type { RingNode } from '../node/ring-node.js';
import type { Recorder } from '../record/recorder.js';

const MAX_RUNS_PER_LOOK = 1_000;

/** Takes waiting runs that can be dispatched now, and fails those that have waited as long as their job allows. */
export function createWaitingWatch(node: RingNode, recorder: Recorder, waiting: WaitingRuns): PassChore {
  async function failOverdue(): Promise<void> {
    const now = node.time.now();
    const rows = await node.store.transaction((trx) =>
      trx.lockOverdueRuns({ owner: WAITING, now, limit: MAX_RUNS_PER_LOOK }),
    );
    if (rows.length === 0) return;
    const jobs = new Map((await node.store.jobsByIds(rows.map(({ jobId }) => jobId))).map((job) => [job.id, job]));
    for (const row of rows) {
      const job = jobs.get(row.jobId) ?? null;
      const waitedMs = job?.waitMs ?? row.deadlineAt! - row.readyAt;
      const message = `No executor of the group "${job?.executorGroup ?? ''}" has taken it within ${waitedMs / 1_000} s`;
      recorder.end({ row, job }, failure(job === null ? 'The job is gone' : message));
    }
    await Promise.all(rows.map(({ id }) => recorder.ended(id)));
  }

  /** Fails the waiting runs of removed jobs, which would wait in vain. */
  async function failOrphans(): Promise<void> {
    const jobIds = [...new Set((await node.store.waitingRuns()).map(({ jobId }) => jobId))];
    const known = new Set((await node.store.jobsByIds(jobIds)).map(({ id }) => id));
    for (const jobId of jobIds.filter((id) => !known.has(id))) {
      const rows = await node.store.transaction(async (trx) => {
        await trx.keepNode({ owner: node.owner, nodeId: node.options.nodeId, beatAt: node.time.now() });
        return trx.takeWaiting({ owner: node.owner, jobId, limit: MAX_RUNS_PER_LOOK });
      });
      for (const row of rows) recorder.end({ row, job: null }, failure('The job is gone'));
    }
  }

  return async (glance) => {
    // After a look that found waiting runs there is one more, so that they are not counted any longer.
    if (glance?.hasWaiting === false && !waiting.isAny && waiting.found.length === 0) return;
    if (waiting.isAny) {
      await failOverdue();
      await failOrphans();
    }
    await waiting.look();
  };
}
