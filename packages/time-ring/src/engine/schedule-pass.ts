import type { BucketLeases } from './bucket-leases.js';
import { type Claim, claimJobs } from './claim-jobs.js';
import type { RingNode } from './ring-node.js';
import type { RunKeeper } from './run-keeper.js';
import type { TriggerQueue } from './trigger-queue.js';

/** The engine's pass over the jobs. */
export interface SchedulePass {
  /** Claims all that is due within the window. Never rejects: a failure is told, and the next pass goes on. */
  run(): Promise<void>;
  readonly lastPassAt: number | null;
  /** Why the last pass failed; null when it did not. */
  readonly problem: string | null;
}

/** What else a pass looks after, once a second. */
export type PassChore = () => Promise<void>;

/** A pass ends after this many transactions, due jobs left or not: the next second has to come. */
const MOST_ROUNDS = 1_000;

export function createSchedulePass(
  node: RingNode,
  parts: {
    leases: BucketLeases;
    keeper: RunKeeper;
    queue: TriggerQueue;
    chores: readonly PassChore[];
    /** Asks for another pass before the next second: this one had to leave due jobs because the pools were full. */
    again(): void;
  },
): SchedulePass {
  const { leases, keeper, queue, chores, again } = parts;
  const { options, counters, emitter } = node;
  let lastPassAt: number | null = null;
  let problem: string | null = null;

  async function pass(): Promise<{ at: number; claimed: number; misfired: number }> {
    await node.step('claim');
    if (options.claim === 'buckets') await leases.balance();
    await keeper.reconcile();
    const sums = { at: node.time.now(), claimed: 0, misfired: 0 };
    for (let round = 0; round < MOST_ROUNDS && !node.isStopping; round++) {
      const room = Math.min(options.batchLimit, queue.room);
      // Even a node that has no room must give a sign of life, or its runs would be taken for lost.
      const claim = await claimJobs(node, leases, { limit: Math.max(0, room), takesOver: round === 0 });
      sums.at = claim.at;
      sums.claimed += count(claim);
      sums.misfired += claim.misfires.length;
      await keep(claim);
      if (room <= 0) queue.whenRoomy(again);
      if (claim.dueJobs < room || room <= 0) break;
    }
    for (const chore of chores) await chore();
    return sums;
  }

  async function keep(claim: Claim): Promise<void> {
    leases.saw(claim.leases);
    await node.step('claimed');
    keeper.giveUp(claim.orphans);
    for (const misfire of claim.misfires) {
      counters.misfired += 1;
      emitter.emit('job-misfired', misfire);
      node.log.warn(misfire, 'Occurrences of a job were missed');
    }
    for (const job of claim.stopped) emitter.emit('job-stopped', { job });
    keeper.accept([...claim.taken, ...claim.runs], claim.at);
  }

  function count(claim: Claim): number {
    const claimed = claim.runs.filter(({ row }) => row.triggerType === 'schedule').length;
    counters.claimed += claimed;
    return claimed;
  }

  return {
    get lastPassAt() {
      return lastPassAt;
    },
    get problem() {
      return problem;
    },
    async run() {
      const began = node.clock.monotonicMs();
      try {
        const sums = await pass();
        lastPassAt = sums.at;
        problem = null;
        counters.passes += 1;
        emitter.emit('pass-completed', { ...sums, tookMs: node.clock.monotonicMs() - began });
      } catch (error) {
        // A commit whose answer was lost may have made runs this node's.
        keeper.doubt();
        counters.passesFailed += 1;
        problem = error instanceof Error ? error.message : String(error);
        node.log.error({ error }, 'A pass failed; the next one is tried at the next second');
        emitter.emit('pass-failed', { at: node.time.now(), error });
      }
    },
  };
}
