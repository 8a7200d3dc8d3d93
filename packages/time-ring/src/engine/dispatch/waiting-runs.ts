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

/** The runs that wait in the database for somebody who can do them, as far as this node knows. */
export interface WaitingRuns {
  /** Why a run must not go to an executor now: others of its job wait before it. */
  reasonFor(run: ActiveRun): WaitingReason | undefined;
  /** It is decided that a run waits, and is about to be written. */
  announce(parking: Parking): void;
  /** That is written of those for which `isParked` holds, and will not be of the others. */
  settle(parkings: readonly Parking[], isParked: (parking: Parking) => boolean): void;
  /** A slot for the job has become free, or somebody has joined: what waits may be taken. */
  relieve(jobId?: number): void;
  /** A run of the job waits because of a limit of the job or its group. */
  limited(jobId: number): void;
  /** Runs are over: what waited because of limits may be taken. */
  relieveLimited(): void;
  /** Looks what waits in the whole ring, and takes what can be done here now. */
  look(): Promise<void>;
  /** Names the queue that must have room for what is taken, and the dispatcher that gives it to executors. */
  connect(queue: { readonly room: number }, dispatcher: { afterBatch(): Promise<void> }): void;
  /** What waits in the whole ring, as of the last look. */
  readonly found: readonly WaitingCount[];
  /** Whether any run waits, as far as this node knows. */
  readonly isAny: boolean;
  /** Of the whole ring, as of the last look. */
  readonly counts: Readonly<Record<WaitingReason, number>>;
}

/** A run that has to wait. */
export interface Parking {
  readonly run: ActiveRun;
  readonly reason: WaitingReason;
}

/** What the waiting runs of a node are taken for. */
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
  /** Jobs for which there was room before their runs were written down as waiting. */
  const missed = new Set<number>();
  /** Jobs of which runs wait because of a limit, and not for an executor. */
  const limited = new Set<number>();
  let taking: Promise<void> | null = null;

  /** How many runs of a job can be done by executors that this node serves; what waits for another reason by now is judged anew. */
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

  /** Runs that wait for a job which was removed meanwhile: nobody will ever do them. */
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
        // What was let wait meanwhile may have missed the slot that was free for it. Of what was taken and has to wait again (nobody is
        // idle, say) there is one more look for each change, since it would else be taken for ever.
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
      // What was taken has its slots before the next take counts those that are free.
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
        // They may be this node's all the same.
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
    // What was taken out of the database has waited for its turn.
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
      // One at a time: two takes of one job at once could bring its runs out of order.
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
