import { assignmentOf, failure } from '../executor/assignment.js';
import type { RemoteCalls } from '../http/remote-calls.js';
import type { RemoteAssignment } from '../store/job-store.js';
import type { ActiveRun } from './active-run.js';
import { createBatchWriter } from './batch-writer.js';
import type { KnownRuns } from './known-runs.js';
import type { Recorder } from './recorder.js';
import type { RingNode } from './ring-node.js';
import { tellStart } from './tell-run.js';

/** A run between its place in the pool and a remote executor. */
export interface RunOnTheWay {
  /** It has been taken or refused, or is not sent after all. */
  arrive(): void;
}

/** Sends fired runs to remote executors, to whom they belong once they are accepted. */
export interface RemoteSender {
  /** A run is about to be sent; `arrived` is called once. */
  announce(runId: number, arrived: () => void): RunOnTheWay;
  send(run: ActiveRun): Promise<void>;
  /** Resolves when a run that was announced has arrived; undefined when none was. */
  sending(runId: number): Promise<void> | undefined;
}

const MOST_ANSWERS_A_WRITE = 2_000;

export function createRemoteSender(
  node: RingNode,
  parts: {
    readonly known: KnownRuns;
    readonly recorder: Recorder;
    readonly calls: RemoteCalls;
    /** How long after its time limit a remote run's result is waited for. */
    readonly resultGraceMs: number;
  },
): RemoteSender {
  const { known, recorder, calls, resultGraceMs } = parts;
  // One commit for all answers that came meanwhile: a commit each would let the disk set the pace.
  const assignments = createBatchWriter<RemoteAssignment, boolean>(MOST_ANSWERS_A_WRITE, async (batch) => {
    const assigned = await node.store.transaction((trx) => trx.assignRemote(batch));
    return batch.map(({ id }) => assigned.has(id));
  });

  const arrivals = new Map<number, Promise<void>>();

  async function send(run: ActiveRun): Promise<void> {
    const { row, job } = run;
    const answer = await calls.run(row.address!, assignmentOf(job, row, row.shardTotal), row.firedAt!);
    if (!answer.ok) {
      recorder.end(run, failure(answer.message));
      return;
    }
    const startedAt = node.time.now();
    const deadlineAt = job.timeoutMs === null ? null : startedAt + job.timeoutMs + resultGraceMs;
    const { id, owner, fence } = row;
    const isAssigned = await assignments.add({ id, owner: owner!, fence, startedAt, deadlineAt });
    known.delete(row);
    if (isAssigned) tellStart(node, { ...row, startedAt });
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
