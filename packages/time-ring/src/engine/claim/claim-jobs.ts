import type { EpochMs } from '@horae/clock-store';
import type { RingEvents } from '../../model/events.js';
import type { Job } from '../../model/job.js';
import { type RunRow, UNOWNED } from '../../model/run.js';
import { type JobPlan, planJob } from '../../schedule/plan-job.js';
import { MAX_COUNT } from '../../schedule/timetable.js';
import type { BucketLease, JobAdvance, JobTransaction, NewRun, NodeHeartbeat } from '../../store/job-store.js';
import { recordMisfires } from '../alerts/run-alerts.js';
import { noteNodes } from '../events/shared-events.js';
import { type ActiveRun, newRun, rowOf } from '../node/active-run.js';
import { calendarsFor } from '../node/calendar-book.js';
import { insertRuns } from '../node/insert-runs.js';
import { heartbeatOf, nearMs, type RingNode } from '../node/ring-node.js';
import type { BucketLeases } from './bucket-leases.js';
import { lockRowMissing } from './lock-row-missing.js';

/** The result of one claiming transaction of a pass. */
export interface Claim {
  readonly at: EpochMs;
  /** New runs: of schedules, and of misfires that fire once. */
  readonly runs: readonly ActiveRun[];
  /** Runs of nodes that stopped or died, now owned by this node. */
  readonly taken: readonly ActiveRun[];
  /** Taken runs whose job was removed. */
  readonly orphans: readonly RunRow[];
  readonly misfires: readonly { readonly job: Job; readonly misfire: RingEvents['job-misfired'] }[];
  /** The nodes that were found dead. */
  readonly lost: readonly NodeHeartbeat[];
  /** Jobs that the engine has stopped. */
  readonly stopped: readonly Job[];
  readonly leases: readonly BucketLease[];
  readonly dueJobs: number;
  /** How many runs of type 'schedule' were written for execution. */
  readonly claimed: number;
}

/** Claims due jobs and abandoned runs in one transaction, under the lock row or this node's bucket leases. */
export async function claimJobs(
  node: RingNode,
  leases: BucketLeases,
  { limit, takesOver }: { limit: number; takesOver: boolean },
): Promise<Claim> {
  return node.store.transaction(async (trx) => {
    const held = await lockScope(node, leases, trx);
    const at = await node.time.read(trx);
    const buckets = node.options.claim === 'buckets' ? held.map(({ bucket }) => bucket) : null;
    // The heartbeat is in the transaction that makes this node an owner, so that every owner of runs can be found dead.
    if (takesOver) await trx.heartbeat(heartbeatOf(node, at));
    if (limit === 0) return { ...nothing(at), leases: held };
    const taken = takesOver ? await takeOver(node, trx, at, limit) : noTakeOver;
    if (buckets?.length === 0) return { ...nothing(at), ...takenOf(taken), leases: held };
    // Nothing new is claimed for a paused group; the occurrences it misses are handled when it resumes.
    const groups = await trx.groups(null);
    node.groupAlerts = new Map(groups.map(({ name, alerts }) => [name, alerts]));
    const exceptGroups = groups.filter(({ pausedAt }) => pausedAt !== null).map(({ name }) => name);
    const jobs = await trx.lockDueJobs({ until: at + node.options.preReadMs, limit, buckets, exceptGroups });
    const written = await writePlans(node, trx, jobs, at);
    return { at, ...written, ...takenOf(taken), leases: held, dueJobs: jobs.length };
  });
}

async function lockScope(node: RingNode, leases: BucketLeases, trx: JobTransaction): Promise<readonly BucketLease[]> {
  if (node.options.claim === 'buckets') return leases.hold(trx, await node.time.read(trx));
  if (!(await trx.takeLockRow())) throw lockRowMissing();
  return [];
}

async function writePlans(node: RingNode, trx: JobTransaction, jobs: readonly Job[], at: EpochMs) {
  const calendars = await calendarsFor(trx, jobs, node.options.zone);
  const plans = jobs.map((job) => ({ job, plan: planJob(job, at, node.options, calendars) }));
  const planned = plans.flatMap(({ job, plan }) => runsOf(node, job, plan, at).map((run) => ({ job, run })));
  const ids = await insertRuns(
    node,
    trx,
    planned.map(({ run }) => run),
  );
  await trx.advanceJobs(plans.map(({ job, plan }) => advanceOf(job, plan, at)));
  const misfired = plans.flatMap(({ job, plan: { missed } }) =>
    missed === null ? [] : [{ job, at, misfire: misfireOf(job, missed) }],
  );
  await recordMisfires(node.alerts, trx, misfired);
  return {
    // A run due after the window is unowned until shortly before its time; a skipped run is over.
    runs: planned.flatMap(({ job, run }, i) =>
      ids[i] === null || run.owner !== node.owner ? [] : [{ job, row: rowOf(run, ids[i]!) }],
    ),
    claimed: planned.filter(({ run }, i) => ids[i] !== null && isClaimed(run)).length,
    misfires: misfired,
    stopped: plans.flatMap(({ job, plan }) => (plan.stop === null ? [] : [{ ...job, ...advanceOf(job, plan, at) }])),
  };
}

function misfireOf(job: Job, { first, last }: NonNullable<JobPlan['missed']>): RingEvents['job-misfired'] {
  return { jobId: job.id, strategy: job.misfire, firstMissed: first, lastMissed: last };
}

function isClaimed({ triggerType, state }: NewRun): boolean {
  return triggerType === 'schedule' && state === 'pending';
}

function runsOf(node: RingNode, job: Job, { occurrences, missed }: JobPlan, now: EpochMs): NewRun[] {
  const runs = occurrences.map(({ at, dueAt }) => {
    const planned = scheduledRun(job, node.owner, at, { dueAt: job.jitterMs === 0 ? null : dueAt });
    // However late it is found, a run of a 'once' schedule may wait its full time for an executor.
    const run = job.schedule.kind === 'once' ? { ...planned, readyAt: Math.max(planned.readyAt, now) } : planned;
    return dueAt <= now + node.options.preReadMs ? { ...run, owner: node.owner, deadlineAt: null } : run;
  });
  if (missed !== null && job.misfire === 'FIRE_ONCE_NOW') {
    runs.unshift(newRun(job, node.owner, { triggerType: 'misfire', scheduleTime: null, at: now }));
  } else if (missed !== null) runs.unshift(skippedRun(job, missed, now));
  return runs;
}

function scheduledRun(job: Job, owner: string, at: EpochMs, { dueAt }: { dueAt: EpochMs | null }): NewRun {
  const key = { kind: 'schedule', jobId: job.id, scheduleTime: at } as const;
  return newRun(job, owner, { triggerType: 'schedule', scheduleTime: at, at, dueAt, key });
}

/** One row in the history represents all occurrences that were missed together. */
function skippedRun(job: Job, missed: NonNullable<JobPlan['missed']>, now: EpochMs): NewRun {
  const run = scheduledRun(job, UNOWNED, missed.last, { dueAt: null });
  return { ...run, state: 'skipped', owner: null, endedAt: now, message: missedMessage(missed) };
}

function missedMessage({ first, last, count }: NonNullable<JobPlan['missed']>): string {
  const iso = (at: EpochMs) => new Date(at).toISOString();
  if (count === 1) return `Missed 1 occurrence: ${iso(last)}`;
  return `Missed ${count > MAX_COUNT ? `more than ${MAX_COUNT}` : count} occurrences: first ${iso(first)}, last ${iso(last)}`;
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

interface TakeOver {
  readonly runs: readonly ActiveRun[];
  readonly orphans: readonly RunRow[];
  readonly lost: readonly NodeHeartbeat[];
}

const noTakeOver: TakeOver = { runs: [], orphans: [], lost: [] };

function takenOf({ runs, orphans, lost }: TakeOver): Pick<Claim, 'taken' | 'orphans' | 'lost'> {
  return { taken: runs, orphans, lost };
}

/**
 * Takes runs that are due soon, unowned runs, and runs of nodes without a heartbeat for longer than a lease: of all buckets, because the
 * owner of a lost run's bucket may be lost as well while its lease has not expired yet.
 */
async function takeOver(node: RingNode, trx: JobTransaction, at: EpochMs, limit: number): Promise<TakeOver> {
  const isDead = (beat: NodeHeartbeat) => beat.owner !== node.owner && node.liveness.isDead(beat, at);
  const nodes = await trx.nodes();
  node.watchHeartbeats(nodes, at);
  noteNodes(node, nodes, at);
  const silent = nodes.filter(isDead).map(({ owner }) => owner);
  node.peers = nodes.filter(({ owner }) => owner !== node.owner).length - silent.length;
  // Locked from here on: a node that was only slow acquires nothing until it finds itself removed.
  const lost = (await trx.lockNodes(silent)).filter(isDead);
  const dead = lost.map(({ owner }) => owner);
  const abandoned = await trx.takeRuns({ owner: node.owner, from: [UNOWNED, ...dead], limit });
  const until = at + nearMs(node.options);
  const delayed = await trx.takeDelayed({ owner: node.owner, until, limit: Math.max(1, limit - abandoned.length) });
  const rows = [...abandoned, ...delayed];
  for (const { owner, nodeId } of lost) {
    if (abandoned.length >= limit || (await trx.ownsRuns(owner))) continue;
    await trx.removeNode(owner);
    await node.alerts.record(trx, [
      { on: 'node-lost', at, job: null, run: null, what: `Node "${nodeId}" is lost: no heartbeat for a lease` },
    ]);
  }
  if (rows.length === 0) return { runs: [], orphans: [], lost };
  const jobs = new Map((await trx.jobsByIds(rows.map(({ jobId }) => jobId))).map((job) => [job.id, job]));
  return {
    runs: rows.flatMap((row) => (jobs.has(row.jobId) ? [{ job: jobs.get(row.jobId)!, row }] : [])),
    orphans: rows.filter(({ jobId }) => !jobs.has(jobId)),
    lost,
  };
}

function nothing(at: EpochMs): Claim {
  return {
    at,
    runs: [],
    taken: [],
    orphans: [],
    misfires: [],
    lost: [],
    stopped: [],
    leases: [],
    dueJobs: 0,
    claimed: 0,
  };
}
