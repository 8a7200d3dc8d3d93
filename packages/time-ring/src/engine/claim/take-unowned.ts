import { UNOWNED } from '../../model/run.js';
import { failure } from '../../workbench/assignment.js';
import type { RunIntake } from '../dispatch/intake.js';
import type { TriggerQueue } from '../dispatch/queue.js';
import type { OwnedRuns } from '../node/owned-runs.js';
import type { RingNode } from '../node/ring-node.js';
import type { Recorder } from '../record/recorder.js';

/** The first runs of a long backlog start while the next are being taken. */
const MAX_RUNS_PER_TAKE = 2_000;

/**
 * Takes unowned runs as soon as this node is woken for them: those of clients, and those that a stopping node hands back. One query at a
 * time, with one more after it for all wake-ups that arrive meanwhile. Without room, it continues as soon as there is some, so that a
 * backlog does not wait for the next pass.
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
        // Woken between the last query and here.
        if (isOwed) wake();
      },
      (error: unknown) => {
        isLooking = false;
        // The runs may have been taken without this node knowing: the next pass hands them back.
        owned.markUncertain();
        node.log.warn({ err: error }, 'Runs that nobody has could not be taken; the next pass tries again');
      },
    );
  }

  return wake;
}
