import type { Job } from '../../model/job.js';
import { publicRun, type RunRow, type WaitingReason, waitingReasons } from '../../model/run.js';
import type { WaitingCount } from '../../store/job-store.js';
import { failure } from '../../workbench/assignment.js';
import type { RemoteCalls } from '../../workbench/remote-calls.js';
import type { ActiveRun } from '../node/active-run.js';
import type { OwnedRuns } from '../node/owned-runs.js';
import type { RingNode } from '../node/ring-node.js';
import { logWaiting } from '../node/run-log.js';
import type { Recorder } from '../record/recorder.js';
import type { RunIntake } from './intake.js';
import type { ExecutorRegistry } from './registry.js';
import { judgeMembers } from './router.js';
import { limitedRoom } from './run-limits.js';
import { WaitingJobs } from './waiting-jobs.js';

/** The runs that wait in the database for an executor, as far as this node knows. */
export interface WaitingRuns {
  /** Why a run must not be dispatched now: other runs of its job wait before it. */
  reasonFor(run: ActiveRun): WaitingReason | undefined;
  /** Records the decision that a run waits, which is about to be written. */
  announce(parking: Parking): void;
  /** The runs for which `isParked` returns true are written as waiting; the others will not be. */
  settle(parkings: readonly Parking[], isParked: (parking: Parking) => boolean): void;
  /** Called when a slot for the job has become free or an executor has joined: waiting runs may be taken. */
  relieve(jobId?: number): void;
  /** Called when a run of the job waits because of a limit of the job or its group. */
  limited(jobId: number): void;
  /** Called when runs have ended: runs that wait because of limits may be taken. */
  relieveLimited(): void;
  /** Reads the waiting runs of the whole ring, and takes those that can be dispatched here now. */
  look(): Promise<void>;
  /** Sets the queue that must have room for taken runs, and the dispatcher that hands them to executors. */
  connect(queue: { readonly room: number }, dispatcher: { afterBatch(): Promise<void> }): void;
  /** The waiting runs of the whole ring, as of the last look. */
  readonly found: readonly WaitingCount[];
  /** Whether any run waits, as far as this node knows. */
  readonly isAny: boolean;
  /** The counts of the whole ring, as of the last look. */
  readonly counts: Readonly<Record<WaitingReason, number>>;
}

/** A run that has to wait. */
export interface Parking {
  readonly run: ActiveRun;
  readonly reason: WaitingReason;
}

/** The parts of a node that take waiting runs. */
export interface WaitingParts {
  readonly registry: ExecutorRegistry;
  readonly calls: Pick<RemoteCalls, 'breaker' | 'hasBreakers'>;
  readonly intake: RunIntake;
  readonly owned: OwnedRuns;
  readonly recorder: Pick<Recorder, 'end'>;
}

const MAX_RUNS_PER_TAKE = 1_000;
const MAX_JOBS_PER_LOOK = 1_000;

export function createWaitingRuns(node: RingNode, parts: WaitingParts): WaitingRuns {
  const { registry, calls, intake, owned, recorder } = parts;
  let queue: { readonly room: number } = { room: 0 };
  let dispatched = async () => {};
  const jobs = new WaitingJobs();
  let counts = noCounts();
  let lastFound: readonly WaitingCount[] = [];
  /** Jobs whose waiting runs may be taken; true: because something has changed, not because a take came too early. */
  const relieved = new Map<number, boolean>();
  /** Jobs for which there was room before their runs were written as waiting. */
  const missed = new Set<number>();
  /** Jobs with runs that wait because of a limit, and not for an executor. */
  const limited = new Set<number>();
  let taking: Promise<void> | null = null;

  /** How many runs of a job the executors that this node serves can take; runs that now wait for another reason are judged again. */
  async function capacity(job: Job): Promise<number> {
    const members = await registry.members(job.executorGroup);
    const verdict = judgeMembers(members, { handler: job.handler, fixedAddress: null }, calls);
    if ('reason' in verdict) return jobs.isOnlyFor(job.id, verdict.reason) ? 0 : MAX_RUNS_PER_TAKE;
    let slots = 0;
    for (const { place, address } of verdict.able.all) {
      if (place === 'remote') return MAX_RUNS_PER_TAKE;
      if (place === 'own') slots += registry.local(address)?.slots.room(job) ?? 0;
    }
    return slots === 0 && !jobs.isOnlyFor(job.id, 'slot') && hasOwn(job) ? 1 : slots;
  }

  function hasOwn(job: Job): boolean {
    return registry
      .locals()
      .some(({ group, handlers }) => group === job.executorGroup && handlers.includes(job.handler));
  }

  async function take(due: ReadonlyMap<number, boolean>): Promise<void> {
    const jobIds = [...due.keys()].slice(0, MAX_JOBS_PER_LOOK);
    const there = new Map((await node.store.jobsByIds(jobIds)).map((job) => [job.id, job]));
    for (const jobId of jobIds) {
      if (node.isStopping) return;
      const job = there.get(jobId);
      if (job === undefined) await failOrphans(jobId);
      else {
        const able = Math.min(await capacity(job), queue.room, MAX_RUNS_PER_TAKE);
        const limit = able > 0 ? Math.min(able, await limitedRoom(node.store, job, node.time.now())) : 0;
        if (limit > 0 && !node.isStopping) await takeOf(job, limit, due.get(jobId)!);
      }
    }
  }

  /** Fails waiting runs of a job that was removed meanwhile: they can never be executed. */
  async function failOrphans(jobId: number): Promise<void> {
    const rows = await takeRows(jobId, MAX_RUNS_PER_TAKE);
    for (const row of rows) recorder.end({ row, job: null }, failure('The job is gone'));
    if (rows.length < MAX_RUNS_PER_TAKE) jobs.forget(jobId);
  }

  function takeRows(jobId: number, limit: number): Promise<readonly RunRow[]> {
    return node.store.transaction(async (trx) => {
      await trx.keepNode({ owner: node.owner, nodeId: node.options.nodeId, beatAt: node.time.now() });
      return trx.takeWaiting({ owner: node.owner, jobId, limit });
    });
  }

  async function takeOf(job: Job, limit: number, isChange: boolean): Promise<void> {
    const watch = jobs.watch();
    try {
      const rows = await takeRows(job.id, limit);
      if (rows.length < limit) {
        // Runs that began to wait meanwhile may have missed a free slot. Runs that were taken and must wait again (no executor is
        // idle, say) get one more look per change, since they would otherwise be taken for ever.
        const isTouched = watch.touched.has(job.id);
        if (watch.fresh.has(job.id) || (isTouched && isChange)) missed.add(job.id);
        else if (!isTouched) jobs.forget(job.id);
      }
      intake.accept(
        rows.map((row) => ({ job, row })),
        node.time.now(),
      );
    } finally {
      watch.end();
    }
  }

  async function takeRelieved(): Promise<void> {
    while (relieved.size > 0) {
      const due = new Map(relieved);
      relieved.clear();
      await take(due);
      // The taken runs occupy their slots before the next take counts the free ones.
      await dispatched();
    }
  }

  function relieve(jobId?: number): void {
    if (jobId === undefined) for (const each of jobs.ids()) relieved.set(each, true);
    else if (jobs.has(jobId)) relieved.set(jobId, true);
    takeNext();
  }

  function takeNext(): void {
    if (relieved.size === 0 || taking !== null || node.isStopping) return;
    taking = takeRelieved()
      .catch((error: unknown) => {
        // This node may own them all the same.
        owned.markUncertain();
        node.log.warn({ err: error }, 'Waiting runs could not be taken; the next pass tries again');
      })
      .finally(() => {
        taking = null;
        takeMissed();
      });
  }

  function takeMissed(): void {
    for (const jobId of missed) {
      if (jobs.hasUnwritten(jobId)) continue;
      missed.delete(jobId);
      if (jobs.has(jobId) && !relieved.has(jobId)) relieved.set(jobId, false);
    }
    takeNext();
  }

  return {
    // A run taken out of the database has already waited its turn.
    reasonFor: ({ job, row }) => (row.waitingFor === null ? jobs.reasonOf(job.id) : undefined),
    announce: ({ run, reason }) => jobs.announce(run.job.id, reason, { isBack: run.row.waitingFor !== null }),
    settle(parkings, isParked) {
      const news: (ActiveRun & { reason: WaitingReason })[] = [];
      for (const parking of parkings) {
        const { run, reason } = parking;
        jobs.settle(run.job.id);
        const isNews = isParked(parking) && run.row.waitingFor !== reason;
        if (isNews) news.push({ ...run, reason });
        if (!isNews || node.emitter.listenerCount('run-waiting') === 0) continue;
        node.emitter.emit('run-waiting', { run: { ...publicRun(run.row), waitingFor: reason }, reason });
      }
      logWaiting(node.log, news);
      takeMissed();
    },
    relieve,
    limited: (jobId) => void limited.add(jobId),
    relieveLimited() {
      const jobIds = [...limited];
      limited.clear();
      for (const jobId of jobIds) relieve(jobId);
    },
    async look() {
      const watch = jobs.watch();
      try {
        const found = await node.store.waitingRuns();
        counts = countsOf(found);
        lastFound = found;
        jobs.replace(found, watch.touched);
      } finally {
        watch.end();
      }
      // One at a time: two concurrent takes of one job could put its runs out of order.
      relieve();
      await taking;
    },
    connect(to, dispatcher) {
      queue = to;
      dispatched = () => dispatcher.afterBatch();
    },
    get found() {
      return lastFound;
    },
    get isAny() {
      return jobs.size > 0;
    },
    get counts() {
      return counts;
    },
  };
}

function noCounts(): Record<WaitingReason, number> {
  return Object.fromEntries(waitingReasons.map((reason) => [reason, 0])) as Record<WaitingReason, number>;
}

function countsOf(found: readonly WaitingCount[]): Record<WaitingReason, number> {
  const counts = noCounts();
  for (const { reason, count } of found) counts[reason] += count;
  return counts;
}
