import { retryUntilAborted } from '@horae/clock-store';
import type { Job } from '../../model/job.js';
import { REMOTE, type RunRow } from '../../model/run.js';
import type { JobTransaction } from '../../store/job-store.js';
import type { Outcome } from '../../workbench/assignment.js';
import type { RemoteResult } from '../../workbench/remote-calls.js';
import type { ActiveRun } from '../node/active-run.js';
import { createBatches } from '../node/batches.js';
import { type JoinedRuns, type JoinRuns, noneJoined } from '../node/joined-runs.js';
import type { OwnedRuns } from '../node/owned-runs.js';
import type { RingNode } from '../node/ring-node.js';
import { reportEnd, reportStart } from '../node/run-events.js';
import { logEnd } from '../node/run-log.js';
import { ownEnd, reportedEnd } from './run-end.js';
import type { RunLogs } from './run-logs.js';
import type { ProgressReports } from './run-progress.js';
import { type EndingRun, type EndOutcome, firesOfReports, type WrittenEnds, writeEnds } from './write-ends.js';

/** Makes results durable. */
export interface Recorder {
  /**
   * Queues a result for writing; waits while the database is lost. `job` null: it is read. `address`: the run was fired there and ended at
   * once.
   */
  end(run: { row: RunRow; job: Job | null }, outcome: Outcome, address?: string | null): void;
  /**
   * Writes a result that a remote executor reported, whichever owner the run has by then, and returns the outcome. Waits while the database
   * is lost; 'not-written': it no longer waits, or too many results wait already.
   */
  report(result: RemoteResult): Promise<EndOutcome | 'not-written'>;
  /** Resolves when the last queued result of a run is written (true) or refused; at once when there is none. */
  ended(runId: number): Promise<boolean>;
  /** Sets the listener that is called when results are written. */
  onRecorded(listener: () => void): void;
  /** Sets the dispatcher that results yield to, since starts are written first, and the dispatch of the runs that follow from results. */
  yieldTo(dispatcher: { afterBatch(): Promise<void> }, join: JoinRuns): void;
  idle(): Promise<void>;
  /** Stops waiting for a lost database: runs whose results cannot be written now keep their owner, for other nodes to take over. */
  abandon(): void;
}

interface Ending extends EndingRun {
  waiting: readonly ((outcome: EndOutcome | 'not-written') => void)[];
}

const nobody: Ending['waiting'] = [];

const MAX_ENDS_PER_WRITE = 2_000;
/** While the database is lost, executors report the same results repeatedly. */
const MAX_REPORTS_WAITING = 20_000;
const PAUSE_MS = 1_000;

export function createRecorder(
  node: RingNode,
  {
    logs,
    progress,
    owned,
    intake,
  }: {
    logs: RunLogs;
    progress: ProgressReports;
    owned: OwnedRuns;
    intake: { accept(runs: readonly ActiveRun[], at: number): void };
  },
): Recorder {
  const abandoned = new AbortController();
  let turn = async () => {};
  let join: JoinRuns = async () => noneJoined;
  let recorded = () => {};
  const endings = new Map<number, Ending>();
  let reportsWaiting = 0;
  const batches = createBatches<Ending>(MAX_ENDS_PER_WRITE, (ends) => writeUntilDone([...ends]));

  async function writeUntilDone(runs: readonly Ending[]): Promise<void> {
    const write = async (attempt: number) => {
      await turn();
      await node.step('record');
      const fireIds = await firesOfReports(node.store, runs);
      const how = { fireIds, isRepeat: attempt > 1 };
      let joined = noneJoined;
      const inside = async (trx: JobTransaction) => {
        // After contention the transaction runs again.
        joined.undo();
        joined = noneJoined;
        const written = await writeEnds(node, trx, runs, how);
        joined = await join(trx, written.followUps);
        return written;
      };
      const written = await node.store.transaction(inside).catch((error: unknown) => {
        joined.undo();
        throw error;
      });
      tell(runs, written, joined);
    };
    const onFailure = (error: unknown, attempt: number) => {
      owned.markUncertain();
      node.log.warn({ err: error, runs: runs.length, attempt }, 'Results could not be written and will be tried again');
    };
    await retryUntilAborted(write, { clock: node.clock, pauseMs: PAUSE_MS, signal: abandoned.signal, onFailure }).catch(
      () => {
        for (const run of runs) answer(run, 'not-written');
      },
    );
  }

  function tell(
    runs: readonly Ending[],
    { ends, jobs, followUps, retriedIds, endedFlows }: WrittenEnds,
    joined: JoinedRuns,
  ): void {
    node.counters.retried += retriedIds.size;
    node.alerts.settle();
    runs.forEach((run, i) => {
      if (endings.get(run.end.id) === run) endings.delete(run.end.id);
      const { row, outcome } = ends[i]!;
      // A report about a run that was never sent is mistaken: the run continues.
      if (row !== null && outcome !== 'never-sent') owned.delete(row);
      if (outcome === 'recorded') {
        // The result arrived before the answer to `/run`, which would have reported the start.
        const job = run.job ?? jobs.get(row!.jobId) ?? null;
        if (run.row === null && row!.owner !== REMOTE) reportStart(node, row!, job);
        reportEnd(node, row!, run.end);
        logEnd(node.log, row!, run.end, job, retriedIds.has(row!.id));
        node.statistics.ended(job, row!, run.end);
      } else if (outcome === 'already-over' || outcome === 'stale-owner') {
        node.counters.refused += 1;
        node.emitter.emit('result-refused', { runId: run.end.id, reason: outcome });
      }
    });
    if (node.isStopping) {
      // The last reconciliation hands them back.
      joined.undo();
    } else {
      joined.begin();
      intake.accept(
        followUps.filter(({ row }) => !joined.has(row.id)),
        node.time.now(),
      );
    }
    runs.forEach((run, i) => void answer(run, ends[i]!.outcome));
    for (const flowId of endedFlows) node.flowEnds.emit('ended', { flowId });
    recorded();
  }

  function answer({ waiting }: Ending, outcome: EndOutcome | 'not-written'): void {
    for (const resolve of waiting) resolve(outcome);
  }

  function put(ending: Ending): void {
    endings.set(ending.end.id, ending);
    batches.put(ending);
  }

  /** Two ends of one run never have the same time: a write repeated after a lost answer can recognise which end was stored. */
  function endTimeOf(runId: number): number {
    return Math.max(node.time.now(), (endings.get(runId)?.end.endedAt ?? 0) + 1);
  }

  return {
    end({ row, job }, outcome, address = null) {
      const end = ownEnd(row, outcome, endTimeOf(row.id));
      end.progress = progress.takeLast(row.id);
      if (address !== null) {
        end.address = address;
        end.firedAt = end.endedAt;
      }
      put({ row, job, end, hints: outcome, logLines: logs.takeLast(row.id), waiting: nobody });
    },
    report(result) {
      if (reportsWaiting >= MAX_REPORTS_WAITING) return Promise.resolve('not-written');
      reportsWaiting += 1;
      const end = reportedEnd(result.runId, result, endTimeOf(result.runId));
      return new Promise((resolve) => {
        const tellReporter = (outcome: EndOutcome | 'not-written') => {
          reportsWaiting -= 1;
          resolve(outcome);
        };
        put({ row: null, job: null, end, hints: result, logLines: [], waiting: [tellReporter] });
      });
    },
    ended(runId) {
      const ending = endings.get(runId);
      if (ending === undefined) return Promise.resolve(false);
      return new Promise((resolve) => {
        ending.waiting = [...ending.waiting, (outcome) => resolve(outcome === 'recorded')];
      });
    },
    onRecorded(listener) {
      recorded = listener;
    },
    yieldTo(dispatcher, joinRuns) {
      turn = () => dispatcher.afterBatch();
      join = joinRuns;
    },
    idle: () => batches.idle(),
    abandon: () => abandoned.abort(),
  };
}
