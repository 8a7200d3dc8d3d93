import type { EpochMs } from '@horae/clock-store';
import { type JobPlan, planJob } from '../decide/plan-job.js';
import type { Job } from '../job.js';
import type { RingEvents } from '../ring-events.js';
import { type RunRow, UNOWNED } from '../run.js';
import type { BucketLease, JobAdvance, JobTransaction, NewRun, NodeBeat } from '../store/job-store.js';
import { type ActiveRun, newRun, rowOf } from './active-run.js';
import type { BucketLeases } from './bucket-leases.js';
import { insertRuns } from './insert-runs.js';
import { lockRowMissing } from './lock-row-missing.js';
import type { RingNode } from './ring-node.js';

/** What one transaction of a pass has claimed. */
export interface Claim {
  readonly at: EpochMs;
  /** New runs: of schedules, and of misfires that fire once. */
  readonly runs: readonly ActiveRun[];
  /** Runs of nodes that stopped or died, now this node's. */
  readonly taken: readonly ActiveRun[];
  /** Taken runs whose job is gone. */
  readonly orphans: readonly RunRow[];
  readonly misfires: readonly RingEvents['job-misfired'][];
  /** Jobs that the engine has stopped. */
  readonly stopped: readonly Job[];
  readonly leases: readonly BucketLease[];
  readonly dueJobs: number;
}

/** Claims due jobs and abandoned runs in one transaction, under the lock row or this node's bucket leases. */
export async function claimJobs(
  node: RingNode,
  leases: BucketLeases,
  { limit, takesOver }: { limit: number; takesOver: boolean },
): Promise<Claim> {
  return node.store.transaction(async (trx) => {
    const held = await holdScope(node, leases, trx);
    const at = await node.time.read(trx);
    const buckets = node.options.claim === 'buckets' ? held.map(({ bucket }) => bucket) : null;
    // The sign of life is in the transaction that makes runs this node's: whoever owns runs can be found dead.
    if (takesOver) await trx.beat({ owner: node.owner, nodeId: node.options.nodeId, beatAt: at });
    if (limit === 0) return { ...nothing(at), leases: held };
    const taken = takesOver ? await takeOver(node, trx, at, limit) : { runs: [], orphans: [] };
    if (buckets?.length === 0) return { ...nothing(at), taken: taken.runs, orphans: taken.orphans, leases: held };
    const jobs = await trx.holdDueJobs({ until: at + node.options.preReadMs, limit, buckets });
    const written = await writePlans(node, trx, jobs, at);
    return { at, ...written, taken: taken.runs, orphans: taken.orphans, leases: held, dueJobs: jobs.length };
  });
}

async function holdScope(node: RingNode, leases: BucketLeases, trx: JobTransaction): Promise<readonly BucketLease[]> {
  if (node.options.claim === 'buckets') return leases.hold(trx, await node.time.read(trx));
  if (!(await trx.holdLockRow())) throw lockRowMissing();
  return [];
}

async function writePlans(node: RingNode, trx: JobTransaction, jobs: readonly Job[], at: EpochMs) {
  const plans = jobs.map((job) => ({ job, plan: planJob(job, at, node.options) }));
  const planned = plans.flatMap(({ job, plan }) => runsOf(node, job, plan).map((run) => ({ job, run })));
  const ids = await insertRuns(
    node,
    trx,
    planned.map(({ run }) => run),
  );
  await trx.advanceJobs(plans.map(({ job, plan }) => advanceOf(job, plan, at)));
  return {
    runs: planned.flatMap(({ job, run }, i) => (ids[i] === null ? [] : [{ job, row: rowOf(run, ids[i]!) }])),
    misfires: plans.flatMap(({ job, plan: { missed } }) =>
      missed === null
        ? []
        : [{ jobId: job.id, strategy: job.misfire, firstMissed: missed.first, lastMissed: missed.last }],
    ),
    stopped: plans.flatMap(({ job, plan }) => (plan.stop === null ? [] : [{ ...job, ...advanceOf(job, plan, at) }])),
  };
}

function runsOf(node: RingNode, job: Job, { occurrences, missed }: JobPlan): NewRun[] {
  const runs = occurrences.map(({ at }) =>
    newRun(job, node.owner, {
      triggerType: 'schedule',
      scheduleTime: at,
      key: { kind: 'schedule', jobId: job.id, scheduleTime: at },
    }),
  );
  if (missed !== null && job.misfire === 'FIRE_ONCE_NOW') {
    runs.unshift(newRun(job, node.owner, { triggerType: 'misfire', scheduleTime: null }));
  }
  return runs;
}

function advanceOf(job: Job, plan: JobPlan, at: EpochMs): JobAdvance {
  return {
    id: job.id,
    state: plan.stop === null ? 'RUNNING' : 'STOPPED',
    stopReason: plan.stop,
    lastAt: plan.lastAt,
    nextAt: plan.stop === null ? plan.nextAt : null,
    updatedAt: plan.stop === null ? job.updatedAt : at,
  };
}

/**
 * Takes what nobody has, and what belongs to nodes that have been silent for longer than a lease: of all buckets, because whoever has
 * the bucket of a lost run may be lost as well, and only its lease does not tell it yet.
 */
async function takeOver(
  node: RingNode,
  trx: JobTransaction,
  at: EpochMs,
  limit: number,
): Promise<{ runs: ActiveRun[]; orphans: RunRow[] }> {
  const isDead = (beat: NodeBeat) => beat.owner !== node.owner && node.silence.isDead(beat, at);
  const silent = (await trx.nodes()).filter(isDead).map(({ owner }) => owner);
  // Held from here on, a node that was only slow makes nothing its own until it is found to be gone.
  const dead = (await trx.holdNodes(silent)).filter(isDead).map(({ owner }) => owner);
  const rows = await trx.takeRuns({ owner: node.owner, from: [UNOWNED, ...dead], buckets: null, limit });
  for (const owner of dead) {
    if (rows.length < limit && !(await trx.ownsRuns(owner))) await trx.removeNode(owner);
  }
  if (rows.length === 0) return { runs: [], orphans: [] };
  const jobs = new Map((await trx.jobsByIds(rows.map(({ jobId }) => jobId))).map((job) => [job.id, job]));
  return {
    runs: rows.flatMap((row) => (jobs.has(row.jobId) ? [{ job: jobs.get(row.jobId)!, row }] : [])),
    orphans: rows.filter(({ jobId }) => !jobs.has(jobId)),
  };
}

function nothing(at: EpochMs): Claim {
  return { at, runs: [], taken: [], orphans: [], misfires: [], stopped: [], leases: [], dueJobs: 0 };
}
