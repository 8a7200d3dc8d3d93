import type { Job } from '../job.js';
import { isOver, type RunRow, UNOWNED } from '../run.js';
import type { JobTransaction, NewRun, RunEnd } from '../store/job-store.js';
import { type ActiveRun, newRun, rowOf } from './active-run.js';
import { changeEach } from './change-each.js';
import { insertRuns } from './insert-runs.js';
import type { RingNode } from './ring-node.js';

/** A run that is to be over, as this node knows it. */
export interface EndingRun {
  readonly row: RunRow;
  readonly end: RunEnd;
  /** Null when this node has not had the run: its job is read then. */
  readonly job: Job | null;
  readonly logLines: readonly { readonly line: number; readonly text: string }[];
}

/** What became of runs that were to be over. */
export interface WrittenEnds {
  /** In the order given. */
  readonly outcomes: readonly ('recorded' | 'already-over' | 'stale-owner')[];
  /** Retries and children that were written with it. */
  readonly followUps: readonly ActiveRun[];
  readonly retried: number;
}

/**
 * Ends runs, and writes what follows from it in the same transaction: the retry of a failed run, the children of a fire that succeeded.
 * `isRepeat` says that an earlier try at the same may have been committed although its answer was lost.
 */
export async function writeEnds(
  node: RingNode,
  trx: JobTransaction,
  runs: readonly EndingRun[],
  isRepeat: boolean,
): Promise<WrittenEnds> {
  await holdSharedFires(trx, runs);
  await trx.appendLog(
    runs.flatMap(({ row, logLines }) => logLines.map(({ line, text }) => ({ runId: row.id, line, text }))),
  );
  const isEnded = await changeEach(runs, idOf, (ends) => trx.endRuns(ends.map(({ end }) => end)));
  const refused = runs.filter((run) => !isEnded(run));
  const now = new Map((refused.length === 0 ? [] : await trx.holdRuns(refused.map(idOf))).map((row) => [row.id, row]));
  const outcomes = runs.map((run) => {
    if (isEnded(run)) return 'recorded';
    const stored = now.get(run.row.id);
    if (isRepeat && stored !== undefined && isSameEnd(stored, run.end)) return 'recorded';
    return stored === undefined || isOver(stored.state) ? 'already-over' : 'stale-owner';
  });
  const follow = await followUps(node, trx, runs.filter(isEnded));
  return { outcomes, ...follow };
}

/** Two shards that succeed at the same time must see each other, or neither would trigger the children. */
async function holdSharedFires(trx: JobTransaction, runs: readonly EndingRun[]): Promise<void> {
  const shared = runs.filter(({ row, job }) => row.shardTotal > 1 && (job === null || job.children.length > 0));
  const fireIds = [...new Set(shared.map(({ row }) => row.fireId))].sort((a, b) => a - b);
  for (const fireId of fireIds) await trx.holdFire(fireId);
}

async function followUps(node: RingNode, trx: JobTransaction, runs: readonly EndingRun[]) {
  // While stopping, what follows is for other nodes.
  const owner = node.isStopping ? UNOWNED : node.owner;
  const concerned = runs.filter((run) => run.job === null || mayRetry(run, run.job) || mayHaveChildren(run, run.job));
  if (concerned.length === 0) return { followUps: [], retried: 0 };
  const jobs = await jobsOf(
    trx,
    concerned.map(({ row }) => row.jobId),
  );
  const written: { job: Job; run: NewRun }[] = [];
  for (const run of concerned) {
    const job = jobs.get(run.row.jobId);
    if (job === undefined) continue;
    if (mayRetry(run, job)) written.push({ job, run: retryOf(run.row, job, owner) });
    if (mayHaveChildren(run, job) && (await hasFireSucceeded(trx, run.row))) {
      for (const child of (await jobsOf(trx, job.children)).values()) {
        written.push({ job: child, run: childOf(run.row, child, owner) });
      }
    }
  }
  const ids = await insertRuns(
    node,
    trx,
    written.map(({ run }) => run),
  );
  return {
    followUps: written.flatMap(({ job, run }, i) => (ids[i] === null ? [] : [{ job, row: rowOf(run, ids[i]!) }])),
    retried: written.filter(({ run }) => run.triggerType === 'retry').length,
  };
}

function mayRetry({ row, end }: EndingRun, job: Job): boolean {
  return end.state === 'failed' && row.attempt <= job.retries;
}

function mayHaveChildren({ end }: EndingRun, job: Job): boolean {
  return end.state === 'succeeded' && job.children.length > 0;
}

/** A fire has succeeded when each of its shards has, at whatever attempt. */
async function hasFireSucceeded(trx: JobTransaction, row: RunRow): Promise<boolean> {
  if (row.shardTotal === 1) return true;
  const runs = await trx.holdFire(row.fireId);
  const done = new Set(runs.filter(({ state }) => state === 'succeeded').map(({ shardIndex }) => shardIndex));
  return done.size >= row.shardTotal;
}

function retryOf(row: RunRow, job: Job, owner: string): NewRun {
  return newRun(job, owner, {
    triggerType: 'retry',
    scheduleTime: row.scheduleTime,
    params: row.params,
    fireId: row.fireId,
    attempt: row.attempt + 1,
    shardIndex: row.shardIndex,
    shardTotal: row.shardTotal,
    fixedAddress: row.fixedAddress,
  });
}

function childOf(row: RunRow, child: Job, owner: string): NewRun {
  return newRun(child, owner, {
    triggerType: 'child',
    scheduleTime: row.scheduleTime,
    key: { kind: 'child', childId: child.id, parentFireId: row.fireId },
  });
}

async function jobsOf(trx: JobTransaction, ids: readonly number[]): Promise<Map<number, Job>> {
  return new Map((await trx.jobsByIds([...new Set(ids)])).map((job) => [job.id, job]));
}

function isSameEnd(row: RunRow, end: RunEnd): boolean {
  return row.state === end.state && row.code === end.code && row.endedAt === end.endedAt && row.fence === end.fence;
}

function idOf({ row }: EndingRun): number {
  return row.id;
}
