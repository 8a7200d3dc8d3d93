import type { WaitingReason } from '../../model/run.js';
import type { RemoteAssignment } from '../../store/job-store.js';
import { assignmentOf, discarded, failure } from '../../workbench/assignment.js';
import type { RemoteCalls } from '../../workbench/remote-calls.js';
import { recordLate } from '../alerts/run-alerts.js';
import { type ActiveRun, claimOf } from '../node/active-run.js';
import { createBatchWriter } from '../node/batch-writer.js';
import { oneTurn } from '../node/batches.js';
import type { OwnedRuns } from '../node/owned-runs.js';
import type { RingNode } from '../node/ring-node.js';
import { reportStart } from '../node/run-events.js';
import type { Recorder } from '../record/recorder.js';
import type { WaitingRuns } from './waiting-runs.js';

/** A run being sent from the pool to a remote executor. */
export interface RunOnTheWay {
  /** Called when it was accepted or refused, or is not sent after all. */
  arrive(): void;
}

/** Sends fired runs to remote executors, which own them once they are accepted. */
export interface RemoteSender {
  /** Announces a run that is about to be sent; `arrived` is called once. */
  announce(runId: number, arrived: () => void): RunOnTheWay;
  send(run: ActiveRun): Promise<void>;
  /** Resolves when an announced run has arrived; undefined when it was not announced. */
  sending(runId: number): Promise<void> | undefined;
}

/** A run that a remote executor has accepted. */
interface Assigned {
  readonly run: ActiveRun;
  readonly assignment: RemoteAssignment;
}

const MAX_ANSWERS_PER_WRITE = 2_000;

export function createRemoteSender(
  node: RingNode,
  parts: {
    readonly owned: OwnedRuns;
    readonly recorder: Recorder;
    readonly waiting: Pick<WaitingRuns, 'announce' | 'settle'>;
    readonly calls: RemoteCalls;
    /** How long the ring waits for a remote run's result after the run's time limit. */
    readonly resultGraceMs: number;
  },
): RemoteSender {
  const { owned, recorder, waiting, calls, resultGraceMs } = parts;
  /** Several answers share one commit, and so do the runs sent next: with one commit per run, the disk would limit the rate. */
  async function assign(batch: readonly Assigned[]): Promise<readonly boolean[]> {
    const assigned = await node.store.transaction(async (trx) => {
      const ids = await trx.assignRemote(batch.map(({ assignment }) => assignment));
      await recordLate(
        node.alerts,
        trx,
        batch
          .filter(({ assignment }) => ids.has(assignment.id))
          .map(({ run: { job, row }, assignment }) => ({ job, row, startedAt: assignment.startedAt })),
      );
      return ids;
    });
    return batch.map(({ assignment }) => assigned.has(assignment.id));
  }

  const assignments = createBatchWriter(MAX_ANSWERS_PER_WRITE, assign, { gather: oneTurn });

  const arrivals = new Map<number, Promise<void>>();

  async function park(run: ActiveRun, reason: WaitingReason): Promise<void> {
    const { row, job } = run;
    const deadlineAt = job.waitMs === null ? null : row.readyAt + job.waitMs;
    waiting.announce({ run, reason });
    let isParked = false;
    try {
      const parked = await node.store.transaction((trx) =>
        trx.parkRuns([{ ...claimOf(row), waitingFor: reason, deadlineAt }]),
      );
      owned.delete(row);
      isParked = parked.has(row.id);
    } finally {
      waiting.settle([{ run, reason }], () => isParked);
    }
  }

  async function send(run: ActiveRun): Promise<void> {
    const { row, job } = run;
    const answer = await calls.run(row.address!, assignmentOf(job, row), row.firedAt!);
    if (!answer.ok) {
      if (answer.waitFor !== undefined) await park(run, answer.waitFor);
      else recorder.end(run, answer.isDiscarded ? discarded() : failure(answer.message));
      return;
    }
    const startedAt = node.time.now();
    const deadlineAt = job.timeoutMs === null ? null : startedAt + job.timeoutMs + resultGraceMs;
    const isAssigned = await assignments.add({ run, assignment: { ...claimOf(row), startedAt, deadlineAt } });
    owned.delete(row);
    if (isAssigned) reportStart(node, { ...row, startedAt }, job);
  }

  return {
    announce(runId, arrived) {
      let resolve!: () => void;
      const arrival = new Promise<void>((settle) => {
        resolve = settle;
      });
      arrivals.set(runId, arrival);
      return {
        arrive() {
          if (arrivals.get(runId) === arrival) arrivals.delete(runId);
          resolve();
          arrived();
        },
      };
    },
    send,
    sending: (runId) => arrivals.get(runId),
  };
}
