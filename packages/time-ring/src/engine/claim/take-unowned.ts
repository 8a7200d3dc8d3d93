import { UNOWNED } from '../../model/run.js';
import { failure } from '../../workbench/assignment.js';
import type { RunIntake } from '../dispatch/intake.js';
import type { TriggerQueue } from '../dispatch/queue.js';
import type { OwnedRuns } from '../node/owned-runs.js';
import type { RingNode } from '../node/ring-node.js';
import type { Recorder } from '../record/recorder.js';

/** The first of a long backlog begin while the next are being taken. */
const MAX_RUNS_PER_TAKE = 2_000;

/**
 * Takes runs that nobody has as soon as this node is woken for them: those of clients, and those that a stopping node hands back. One look
 * at a time, with one more after it for all wake-ups that come meanwhile. When there is no room, it goes on as soon as there is, so that a
 * backlog is not held up by the seconds between two passes.
 */
export function createTakeUnowned(
  node: RingNode,
  parts: { owned: OwnedRuns; intake: RunIntake; recorder: Recorder; queue: TriggerQueue },
): () => void {
  const { owned, intake, recorder, queue } = parts;
  let isLooking = false;
  let isOwed = false;

  async function take(): Promise<void> {
    const limit = Math.min(node.options.batchLimit, queue.room, MAX_RUNS_PER_TAKE);
    if (limit <= 0) {
      queue.whenRoomy(wake);
      return;
    }
    if ((await node.store.ownedRuns({ owner: UNOWNED, afterId: 0, limit: 1 })).length === 0) return;
    const rows = await node.store
      .transaction(async (trx) => {
        await trx.keepNode({ owner: node.owner, nodeId: node.options.nodeId, beatAt: node.time.now() });
        return trx.takeRuns({ owner: node.owner, from: [UNOWNED], limit });
      })
      .catch((error: unknown) => {
        owned.markUncertain();
        throw error;
      });
    const jobs = new Map((await node.store.jobsByIds(rows.map(({ jobId }) => jobId))).map((job) => [job.id, job]));
    for (const row of rows) if (!jobs.has(row.jobId)) recorder.end({ row, job: null }, failure('The job is gone'));
    intake.accept(
      rows.flatMap((row) => (jobs.has(row.jobId) ? [{ job: jobs.get(row.jobId)!, row }] : [])),
      node.time.now(),
    );
    isOwed ||= rows.length === limit;
  }

  async function look(): Promise<void> {
    isLooking = true;
    do {
      isOwed = false;
      await take();
    } while (isOwed && !node.isStopping);
  }

  function wake(): void {
    isOwed = true;
    if (isLooking || node.isStopping || node.passWatch.isStuck) return;
    look().then(
      () => {
        isLooking = false;
        // Woken between the last look and here.
        if (isOwed) wake();
      },
      (error: unknown) => {
        isLooking = false;
        // Taken, perhaps, and not known here: the next pass hands them back.
        owned.markUncertain();
        node.log.warn({ err: error }, 'Runs that nobody has could not be taken; the next pass tries again');
      },
    );
  }

  return wake;
}
