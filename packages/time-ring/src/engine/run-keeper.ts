import type { Ring } from '../decide/ring.js';
import { failure } from '../executor/assignment.js';
import type { RunRow } from '../run.js';
import type { RunClaim } from '../store/job-store.js';
import { type ActiveRun, type RingRun, ringRun, unfold } from './active-run.js';
import type { KnownRuns } from './known-runs.js';
import type { Recorder } from './recorder.js';
import type { RingNode } from './ring-node.js';
import type { TriggerQueue } from './trigger-queue.js';

/** Where the runs of this node wait, and who has not forgotten any of them. */
export interface RunKeeper {
  /** Runs whose time has come go to the pools, the others into the ring; those that come while stopping are handed back. */
  accept(runs: readonly ActiveRun[], at: number): void;
  /** Ends runs that nobody can run. */
  giveUp(orphans: readonly RunRow[]): void;
  /** From now on the rows may know of runs that this node does not. */
  doubt(): void;
  /** Hands back rows that are this node's although it knows nothing of them, as after a commit whose answer was lost. */
  reconcile(): Promise<void>;
  /** Takes what waits for its second out of the ring. */
  withdraw(jobId: number): void;
}

const MOST_RUNS_A_LOOK = 1_000;

export function createRunKeeper(
  node: RingNode,
  parts: { ring: Ring<RingRun>; known: KnownRuns; queue: TriggerQueue; recorder: Recorder },
): RunKeeper {
  const { ring, known, queue, recorder } = parts;
  let isInDoubt = false;

  /** The place of a (job, time) may be taken: by a row that was withdrawn elsewhere and written anew, or by a shard of the same fire. */
  function push(run: RingRun): void {
    if (ring.push(run)) return;
    let shards: readonly RingRun[] = [];
    for (const entry of ring.remove(run.jobId)) {
      if (entry.scheduleTime !== run.scheduleTime) ring.push(entry);
      else if (entry.row.fireId === run.row.fireId) shards = unfold(entry).filter(({ row }) => row.id !== run.row.id);
      else for (const { row } of unfold(entry)) known.delete(row);
    }
    ring.push(shards.length === 0 ? run : { ...run, shards });
  }

  /** A node that stops takes nothing on. If this fails, others find the runs when they find this node gone. */
  function handBack(runs: readonly ActiveRun[]): void {
    const claims = runs.map(({ row: { id, owner, fence } }) => ({ id, owner: owner!, fence }));
    if (claims.length === 0) return;
    node.store
      .transaction((trx) => trx.handBack(claims))
      .catch((error: unknown) => node.log.warn({ error }, 'Runs could not be handed back'));
  }

  async function unknownClaims(): Promise<RunClaim[]> {
    const claims: RunClaim[] = [];
    for (let afterId = 0; ; ) {
      const rows = await node.store.ownedRuns({ owner: node.owner, afterId, limit: MOST_RUNS_A_LOOK });
      for (const row of rows) if (!known.has(row)) claims.push({ id: row.id, owner: row.owner!, fence: row.fence });
      if (rows.length < MOST_RUNS_A_LOOK) return claims;
      afterId = rows.at(-1)!.id;
    }
  }

  return {
    accept(runs, at) {
      if (node.isStopping) {
        handBack(runs);
        return;
      }
      const due: ActiveRun[] = [];
      for (const run of runs) {
        known.set(run);
        const { scheduleTime, triggerType } = run.row;
        if (triggerType === 'schedule' && scheduleTime !== null && scheduleTime > at) push(ringRun(run));
        else due.push(run);
      }
      queue.enqueue(due);
    },
    giveUp(orphans) {
      for (const row of orphans) recorder.end({ row, job: null }, failure('The job is gone'));
    },
    doubt() {
      isInDoubt = true;
    },
    async reconcile() {
      if (!isInDoubt) return;
      isInDoubt = false;
      try {
        const claims = await unknownClaims();
        if (claims.length > 0) await node.store.transaction((trx) => trx.handBack(claims));
      } catch (error) {
        isInDoubt = true;
        throw error;
      }
    },
    withdraw(jobId) {
      for (const entry of ring.remove(jobId).flatMap(unfold)) {
        // What was fired once is not withdrawn any more.
        if (entry.row.firedAt === null) known.delete(entry.row);
        else push(ringRun(entry));
      }
    },
  };
}
