import type { Job } from '../../model/job.js';
import { isOver, type RunRow, UNOWNED } from '../../model/run.js';
import { retryDelayMs } from '../../schedule/retry-delay.js';
import type { JobStore, JobTransaction, NewRun, RunEnd } from '../../store/job-store.js';
import type { Outcome } from '../../workbench/assignment.js';
import { readTrace, traceText } from '../../workbench/run-tracing.js';
import type { AlertRecords } from '../alerts/alert-records.js';
import { recordEnds, type WatchedEnd, watchesEnds } from '../alerts/end-alerts.js';
import { endedSteps, isOfCancelled } from '../flows/ended-steps.js';
import { lockFlowsOf, settleFlows } from '../flows/settle-flows.js';
import { type ActiveRun, claimOf, keptByAll, newRun, rowOf } from '../node/active-run.js';
import { changeEach } from '../node/change-each.js';
import { lockBetweenFires, resumeDelays } from '../node/delayed-jobs.js';
import { insertRuns } from '../node/insert-runs.js';
import { nearMs, type RingNode } from '../node/ring-node.js';
import { type ReportRefusal, refusalOfReport } from './reported-ends.js';

/** The part of a node or a client that ending runs needs. */
export interface EndingNode extends Pick<RingNode, 'owner' | 'time' | 'random' | 'isStopping'> {
  readonly options: Pick<RingNode['options'], 'nodeId' | 'preReadMs'>;
  /** A client has none: it only ends runs by kills. */
  readonly alerts?: RingNode['alerts'];
}

/** A run to end. */
export interface EndingRun {
  /**
   * The row that this node has. Null for the result of a remote executor, which is checked against the row stored when the end is written.
   */
  readonly row: RunRow | null;
  readonly end: RunEnd;
  /** Null when this node did not own the run: its job is read then. */
  readonly job: Job | null;
  /** Further facts that its executor reported. */
  readonly hints: EndHints;
  readonly logLines: readonly { readonly line: number; readonly text: string }[];
}

export type EndHints = Pick<Outcome, 'retryAfterMs' | 'trace' | 'isFinal'>;

/** The outcome of ending a run. */
export type EndOutcome = 'recorded' | 'postponed' | 'stale-owner' | ReportRefusal;

/** The outcomes of ending runs. */
export interface WrittenEnds {
  /** In the order given. `row` is null for a run that does not exist. */
  readonly ends: readonly { readonly outcome: EndOutcome; readonly row: RunRow | null }[];
  /** The jobs that were read for the ends, by id. */
  readonly jobs: ReadonlyMap<number, Job>;
  /** Retries, children and steps of flows that were written with the ends. */
  readonly followUps: readonly ActiveRun[];
  /** The flows that have ended as a consequence. */
  readonly endedFlows: readonly number[];
  /** The runs that another attempt follows. */
  readonly retriedIds: ReadonlySet<number>;
}

/** A run whose row is known, whether this node or a remote executor reported its end. */
type KnownEnd = EndingRun & { readonly row: RunRow };

/**
 * Ends runs, and writes the consequences in the same transaction: the retry of a failed run, the children of a fire that succeeded,
 * the next steps of a flow.
 * `fireIds` are the shared fires of reported runs; `isRepeat` says that an earlier try may have been committed although its answer was lost.
 */
export async function writeEnds(
  node: EndingNode,
  trx: JobTransaction,
  runs: readonly EndingRun[],
  { fireIds, isRepeat }: { fireIds: readonly number[]; isRepeat: boolean },
): Promise<WrittenEnds> {
  await lockSharedFires(node, trx, runs, fireIds);
  await trx.appendLog(
    runs.flatMap(({ end, logLines }) => logLines.map(({ line, text }) => ({ runId: end.id, line, text }))),
  );
  const { known, refusals } = await judgeReports(trx, runs);
  const waiting = await lockBetweenFires(
    trx,
    [...known.values()].map(({ row }) => row.jobId),
  );
  const postponed = await postpone(trx, [...known.values()]);
  const ending = [...known.values()].filter((run) => !postponed.has(run));
  const isEnded = await changeEach(ending, idOf, (ends) => trx.endRuns(ends.map(({ end }) => end)));
  const isDone = (run: KnownEnd) => postponed.has(run) || isEnded(run);
  const refused = runs.filter((run) => !known.has(run) || !isDone(known.get(run)!));
  const now = new Map((refused.length === 0 ? [] : await trx.lockRuns(refused.map(idOf))).map((row) => [row.id, row]));
  const ends = runs.map((run): WrittenEnds['ends'][number] => {
    const judged = known.get(run);
    const stored = now.get(run.end.id) ?? null;
    if (judged !== undefined && postponed.has(judged)) return { outcome: 'postponed', row: judged.row };
    if (judged !== undefined && isEnded(judged)) return { outcome: 'recorded', row: judged.row };
    const row = judged?.row ?? stored;
    if (isRepeat && stored !== null && isSameEnd(stored, run)) return { outcome: 'recorded', row };
    const isOverNow = stored === null || isOver(stored.state);
    return { outcome: refusals.get(run) ?? (isOverNow ? 'already-over' : 'stale-owner'), row };
  });
  const over = ending.filter(isEnded);
  const flows = await lockFlowsOf(
    trx,
    over.map(({ row }) => row),
  );
  const ended = over.map((run) =>
    isOfCancelled(flows, run.row) ? { ...run, hints: { ...run.hints, isFinal: true as const } } : run,
  );
  const { retriedIds, jobs, followUps: written } = await followUps(node, trx, ended);
  const last = ended.filter(({ row }) => !retriedIds.has(row.id));
  const settled = await settleFlows(node, trx, flows, await endedSteps(trx, last), followOwner(node));
  await releaseKeys(trx, last);
  await resumeDelays(trx, waiting, ({ id }) => lastEnd(ending, id));
  if (node.alerts !== undefined)
    await recordEnds(node.alerts, trx, watchedEnds(node.alerts, ended, { jobs, retriedIds }));
  return { ends, jobs, retriedIds, followUps: [...written, ...settled.started], endedFlows: settled.ended };
}

/** The ends that alert rules cover: usually none. */
function watchedEnds(
  alerts: AlertRecords,
  ended: readonly KnownEnd[],
  { jobs, retriedIds }: Pick<WrittenEnds, 'jobs' | 'retriedIds'>,
): readonly WatchedEnd[] {
  const watched: WatchedEnd[] = [];
  for (const { row, end, job: known } of ended) {
    const job = known ?? jobs.get(row.jobId);
    if (job === undefined || !watchesEnds(alerts, job)) continue;
    watched.push({ row, end, job, isRetried: retriedIds.has(row.id) });
  }
  return watched;
}

/** When the last of these runs of a job ended. */
function lastEnd(runs: readonly KnownEnd[], jobId: number): number {
  return Math.max(...runs.filter(({ row }) => row.jobId === jobId).map(({ end }) => end.endedAt));
}

/** Locks the runs that remote executors have reported, and determines which results are accepted and who owns the runs now. */
async function judgeReports(trx: JobTransaction, runs: readonly EndingRun[]) {
  const reports = runs.filter(({ row }) => row === null);
  const rows = new Map((reports.length === 0 ? [] : await trx.lockRuns(reports.map(idOf))).map((row) => [row.id, row]));
  const known = new Map<EndingRun, KnownEnd>();
  const refusals = new Map<EndingRun, ReportRefusal>();
  for (const run of runs) {
    if (run.row !== null) {
      known.set(run, run as KnownEnd);
      continue;
    }
    const row = rows.get(run.end.id);
    const refusal = refusalOfReport(row);
    if (refusal !== null) refusals.set(run, refusal);
    else known.set(run, { ...run, row: row!, end: { ...run.end, owner: row!.owner!, fence: row!.fence } });
  }
  return { known, refusals };
}

/** The fires of reported runs that have several shards. Fires are locked before runs, so they are read beforehand. */
export async function firesOfReports(store: JobStore, runs: readonly EndingRun[]): Promise<readonly number[]> {
  const ids = runs.filter(({ row }) => row === null).map(idOf);
  if (ids.length === 0) return [];
  const rows = await store.transaction((trx) => trx.lockRuns(ids));
  return rows.filter(({ shardTotal }) => shardTotal > 1).map(({ fireId }) => fireId);
}

/** Postpones attempts without counting them: as often in a row as the job has retries. */
async function postpone(trx: JobTransaction, runs: readonly KnownEnd[]): Promise<ReadonlySet<KnownEnd>> {
  const asking = runs.filter(({ hints }) => hints.retryAfterMs !== undefined);
  if (asking.length === 0) return new Set();
  const jobs = await jobsOf(
    trx,
    asking.map(({ row }) => row.jobId),
  );
  const granted = asking.filter(({ row }) => row.postponed < (jobs.get(row.jobId)?.retries ?? 0));
  const isPostponed = await changeEach(granted, idOf, (each) =>
    trx.postponeRuns(
      each.map(({ row, end, hints }) => ({ ...claimOf(row), dueAt: end.endedAt + hints.retryAfterMs! })),
    ),
  );
  return new Set(granted.filter(isPostponed));
}

/** Two shards that end concurrently must see each other, or neither would trigger the children or free the key. */
async function lockSharedFires(
  node: EndingNode,
  trx: JobTransaction,
  runs: readonly EndingRun[],
  reported: readonly number[],
): Promise<void> {
  const own = runs.flatMap(({ row, job }) =>
    row !== null && row.shardTotal > 1 && (job === null || isShared(node, row, job)) ? [row.fireId] : [],
  );
  const fireIds = [...new Set([...own, ...reported])].sort((a, b) => a - b);
  for (const fireId of fireIds) await trx.lockFire(fireId);
}

function isShared({ alerts }: EndingNode, row: RunRow, job: Job): boolean {
  return job.children.length > 0 || row.uniqueKey !== null || row.flowStep !== null || watchesEnds(alerts, job);
}

/** While stopping, follow-up runs are for other nodes. */
function followOwner({ isStopping, owner }: EndingNode): string {
  return isStopping ? UNOWNED : owner;
}

async function followUps(node: EndingNode, trx: JobTransaction, runs: readonly KnownEnd[]) {
  const owner = followOwner(node);
  const concerned = runs.filter((run) => run.job === null || mayRetry(run, run.job) || mayHaveChildren(run, run.job));
  if (concerned.length === 0) {
    return { followUps: [], retriedIds: new Set<number>(), jobs: new Map<number, Job>() };
  }
  const jobs = await jobsOf(
    trx,
    concerned.map(({ row }) => row.jobId),
  );
  const written: { job: Job; run: NewRun }[] = [];
  const retriedIds = new Set<number>();
  for (const run of concerned) {
    const job = jobs.get(run.row.jobId);
    if (job === undefined) continue;
    if (mayRetry(run, job)) {
      written.push({ job, run: retryOf(node, run, job, owner) });
      retriedIds.add(run.row.id);
    }
    if (mayHaveChildren(run, job) && (await hasFireSucceeded(trx, run.row))) {
      for (const child of (await jobsOf(trx, job.children)).values()) {
        written.push({ job: child, run: childOf(run, child, owner) });
      }
    }
  }
  const ids = await insertRuns(
    node,
    trx,
    written.map(({ run }) => run),
  );
  return {
    // A retry that is due much later is taken by any node at that time.
    followUps: written.flatMap(({ job, run }, i) =>
      ids[i] === null || run.owner !== owner ? [] : [{ job, row: rowOf(run, ids[i]!) }],
    ),
    retriedIds,
    jobs,
  };
}

/** Frees the unique keys of ended fires, at once or after the requested time. */
async function releaseKeys(trx: JobTransaction, ended: readonly KnownEnd[]): Promise<void> {
  const releases: { fireId: number; until: number | null }[] = [];
  for (const { row, end } of ended) {
    if (row.uniqueKey === null || !(await isFireOver(trx, row))) continue;
    releases.push({ fireId: row.fireId, until: row.uniqueForMs === null ? null : end.endedAt + row.uniqueForMs });
  }
  if (releases.length > 0) await trx.releaseUnique(releases);
}

async function isFireOver(trx: JobTransaction, { shardTotal, fireId }: RunRow): Promise<boolean> {
  return shardTotal === 1 || (await trx.lockFire(fireId)).every(({ state }) => isOver(state));
}

function mayRetry({ row, end, hints }: KnownEnd, job: Job): boolean {
  return end.state === 'failed' && hints.isFinal !== true && row.attempt <= job.retries;
}

function mayHaveChildren({ end }: EndingRun, job: Job): boolean {
  return end.state === 'succeeded' && job.children.length > 0;
}

/** A fire has succeeded when each of its shards has, at any attempt. */
async function hasFireSucceeded(trx: JobTransaction, row: RunRow): Promise<boolean> {
  if (row.shardTotal === 1) return true;
  const runs = await trx.lockFire(row.fireId);
  const done = new Set(runs.filter(({ state }) => state === 'succeeded').map(({ shardIndex }) => shardIndex));
  return done.size >= row.shardTotal;
}

function retryOf({ random, options }: EndingNode, { row, end, hints }: KnownEnd, job: Job, owner: string): NewRun {
  return newRun(job, owner, {
    ...keptByAll(row),
    trace: traceText(readTrace(row.trace).parent, hints.trace ?? null),
    triggerType: 'retry',
    at: end.endedAt,
    dueAt: end.endedAt + retryDelayMs(job.retry, row.attempt, random),
    nearMs: nearMs(options),
    fireId: row.fireId,
    attempt: row.attempt + 1,
    shardIndex: row.shardIndex,
    fixedAddress: row.fixedAddress,
  });
}

function childOf({ row, end, hints }: KnownEnd, child: Job, owner: string): NewRun {
  return newRun(child, owner, {
    triggerType: 'child',
    at: end.endedAt,
    scheduleTime: row.scheduleTime,
    trace: traceText(null, hints.trace ?? null),
    key: { kind: 'child', childId: child.id, parentFireId: row.fireId },
  });
}

async function jobsOf(trx: JobTransaction, ids: readonly number[]): Promise<Map<number, Job>> {
  return new Map((await trx.jobsByIds([...new Set(ids)])).map((job) => [job.id, job]));
}

/** A remote executor's report has no fence. */
function isSameEnd(stored: RunRow, { row, end }: EndingRun): boolean {
  const isSame = stored.state === end.state && stored.code === end.code && stored.endedAt === end.endedAt;
  return isSame && (row === null || stored.fence === end.fence);
}

function idOf({ end }: EndingRun): number {
  return end.id;
}
