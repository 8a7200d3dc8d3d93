import type { Glance } from '../../store/glance.js';
import { failure } from '../../workbench/assignment.js';
import type { PassAlerts } from '../alerts/pass-alerts.js';
import type { RunIntake } from '../dispatch/intake.js';
import type { TriggerQueue } from '../dispatch/queue.js';
import type { OwnedRuns } from '../node/owned-runs.js';
import type { RingNode } from '../node/ring-node.js';
import type { Recorder } from '../record/recorder.js';
import type { BucketLeases } from './bucket-leases.js';
import { type Claim, claimJobs } from './claim-jobs.js';
import type { QuietWatch } from './quiet-watch.js';

/** The engine's pass over the jobs. */
export interface SchedulePass {
  /** Claims everything due within the window. Never rejects: a failure is reported, and the next pass continues. */
  run(): Promise<void>;
  /** Sets the listener that is called when a pass that left due jobs, because the pools were full, can continue. */
  onRoom(listener: () => void): void;
  readonly lastPassAt: number | null;
  /** Why the last pass failed; null when it did not. */
  readonly problem: string | null;
}

/** A further task of each pass, once per second. `glance`: the work known to exist; null: there may be any. */
export type PassChore = (glance: Glance | null) => Promise<void>;

/** A pass ends after this many transactions even if due jobs are left, so that the next second is not held up. */
const MAX_ROUNDS = 1_000;

export function createSchedulePass(
  node: RingNode,
  parts: {
    leases: BucketLeases;
    owned: OwnedRuns;
    recorder: Recorder;
    intake: RunIntake;
    queue: TriggerQueue;
    chores: readonly PassChore[];
    passAlerts: PassAlerts;
    /** Takes more of the unowned runs, when a pass had to leave some. */
    takeUnowned(): void;
    quiet: QuietWatch;
  },
): SchedulePass {
  const { leases, owned, recorder, intake, queue, chores, quiet } = parts;
  const { options, counters, emitter } = node;
  let tellRoom: () => void = () => {};
  const again = () => tellRoom();
  let lastPassAt: number | null = null;
  let problem: string | null = null;

  async function pass(): Promise<{ at: number; claimed: number; misfired: number }> {
    await node.step('claim');
    const found = await quiet.look();
    if (found !== null) await node.step('claimed');
    const sums = found === null ? await claimAll() : { at: found.at, claimed: 0, misfired: 0 };
    node.passWatch.gotOn();
    for (const chore of chores) {
      await chore(found?.glance ?? null);
      node.passWatch.gotOn();
    }
    return sums;
  }

  async function claimAll(): Promise<{ at: number; claimed: number; misfired: number }> {
    if (options.claim === 'buckets') await leases.balance();
    await owned.reconcile();
    const sums = { at: node.time.now(), claimed: 0, misfired: 0 };
    let isQuiet = true;
    for (let round = 0; round < MAX_ROUNDS && !node.isStopping; round++) {
      const room = Math.min(options.batchLimit, queue.room);
      // Even a node without room must write a heartbeat, or its runs would be considered lost.
      const claim = await claimJobs(node, leases, { limit: Math.max(0, room), takesOver: round === 0 });
      sums.at = claim.at;
      sums.claimed += count(claim);
      sums.misfired += claim.misfires.length;
      isQuiet &&= room > 0 && claim.dueJobs + claim.taken.length + claim.orphans.length + claim.lost.length === 0;
      await keep(claim);
      node.passWatch.gotOn();
      if (room <= 0) queue.whenRoomy(again);
      if (round === 0 && room > 0 && claim.taken.length + claim.orphans.length >= room) parts.takeUnowned();
      if (claim.dueJobs < room || room <= 0) break;
    }
    quiet.passed(isQuiet);
    return sums;
  }

  async function keep(claim: Claim): Promise<void> {
    leases.saw(claim.leases);
    await node.step('claimed');
    for (const row of claim.orphans) recorder.end({ row, job: null }, failure('The job is gone'));
    if (claim.lost.length > 0) {
      const lost = claim.lost.map(({ nodeId }) => nodeId);
      node.log.info({ lost, runs: claim.taken.length }, 'Nodes were lost; what they had is taken over');
    }
    for (const { job, misfire } of claim.misfires) {
      counters.misfired += 1;
      emitter.emit('job-misfired', misfire);
      node.log.warn({ jobKey: job.key, ...misfire }, 'Occurrences of a job were missed');
    }
    for (const job of claim.stopped) {
      emitter.emit('job-stopped', { job });
      if (job.stopReason?.code !== 'no-next-time')
        node.log.warn({ jobId: job.id, reason: job.stopReason?.message }, 'A job cannot be scheduled and was stopped');
    }
    intake.accept([...claim.taken, ...claim.runs], claim.at);
  }

  function count(claim: Claim): number {
    counters.claimed += claim.claimed;
    return claim.claimed;
  }

  return {
    onRoom(listener) {
      tellRoom = listener;
    },
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
        // A commit whose answer was lost may have made this node the owner of runs.
        owned.markUncertain();
        counters.passesFailed += 1;
        problem = error instanceof Error ? error.message : String(error);
        node.log.error({ err: error }, 'A pass failed; the next one is tried at the next second');
        emitter.emit('pass-failed', { at: node.time.now(), error });
        void parts.passAlerts.failed(node.time.now(), error);
      }
    },
  };
}
