import { REMOTE } from '../../model/run.js';
import type { RemoteResult } from '../../workbench/remote-calls.js';
import { claimOf } from '../node/active-run.js';
import type { RingNode } from '../node/ring-node.js';
import type { Recorder } from '../record/recorder.js';
import { refusalOfReport } from '../record/reported-ends.js';
import { storableOrNull } from '../record/run-end.js';

/** Accepts the results that remote executors report. */
export interface RemoteResults {
  /**
   * Records results, the first of each run. Null when every one of them is durable, repeats the result of an ended run, or belongs to no
   * known run; otherwise the reason why the executor must report again.
   */
  accept(results: readonly RemoteResult[]): Promise<string | null>;
  /**
   * Requests an executor to kill a run, then concludes from its answer, which takes precedence over any result that arrives meanwhile. Such
   * a result is kept in the run's row, so that its report is answered at once: an executor that waits for this before it answers the kill
   * would otherwise wait for ever.
   */
  duringKill<Answer, Result>(
    runId: number,
    ask: () => Promise<Answer>,
    conclude: (answer: Answer) => Promise<Result>,
  ): Promise<Result>;
}

interface RunBeingKilled {
  unanswered: number;
  readonly kills: Set<Promise<unknown>>;
  readonly results: RemoteResult[];
}

/** Executors that do not wait for answers could fill the memory with results of one run. */
const MAX_RESULTS_KEPT_PER_RUN = 100;
/** A kept result applies after this time if the killing node is gone: longer than any call takes. */
const KEPT_MS = 60_000;

export function createRemoteResults(node: RingNode, recorder: Recorder): RemoteResults {
  const beingKilled = new Map<number, RunBeingKilled>();

  async function accept(results: readonly RemoteResult[]): Promise<string | null> {
    const problems = await Promise.all(results.map(acceptOne));
    return problems.find((problem) => problem !== null) ?? null;
  }

  async function acceptOne(result: RemoteResult): Promise<string | null> {
    const killed = beingKilled.get(result.runId);
    if (killed === undefined) return record(result);
    if (killed.unanswered === 0) {
      await Promise.allSettled(killed.kills);
      return record(result);
    }
    if (killed.results.length < MAX_RESULTS_KEPT_PER_RUN) killed.results.push(result);
    return keep(result);
  }

  async function keep({ runId, code, message }: RemoteResult): Promise<string | null> {
    try {
      return await node.store.transaction(async (trx) => {
        const [row] = await trx.lockRuns([runId]);
        const refusal = refusalOfReport(row);
        if (refusal !== null) return refusal === 'never-sent' ? neverSent(runId) : null;
        if (row!.code !== null) return null;
        const kept = {
          ...claimOf(row!),
          code,
          message: storableOrNull(message),
          deadlineAt: node.time.now() + KEPT_MS,
        };
        // A run that its node still owns would be dispatched again if that node died now.
        const isKept = row!.owner === REMOTE && (await trx.keepResults([kept])).has(runId);
        return isKept ? null : notWritten(runId);
      });
    } catch (error) {
      node.log.warn({ err: error, runId }, 'The result of a run that is being killed could not be kept');
      return notWritten(runId);
    }
  }

  async function record(result: RemoteResult): Promise<string | null> {
    const { runId } = result;
    switch (await recorder.report(result)) {
      case 'never-sent':
        return neverSent(runId);
      case 'not-written':
        return notWritten(runId);
      default:
        return null;
    }
  }

  return {
    accept,
    async duringKill(runId, ask, conclude) {
      const killed = beingKilled.get(runId) ?? { unanswered: 0, kills: new Set(), results: [] };
      beingKilled.set(runId, killed);
      killed.unanswered += 1;
      const answering = ask().finally(() => {
        killed.unanswered -= 1;
      });
      const concluding = answering.then(conclude);
      killed.kills.add(concluding);
      try {
        return await concluding;
      } finally {
        killed.kills.delete(concluding);
        if (killed.kills.size === 0) {
          beingKilled.delete(runId);
          await accept(killed.results);
        }
      }
    },
  };
}

function neverSent(runId: number): string {
  return `Run ${runId} was not sent to a remote executor`;
}

function notWritten(runId: number): string {
  return `The result of run ${runId} could not be written: report it again`;
}
