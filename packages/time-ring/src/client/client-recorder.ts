import type { RunServiceParts } from '../engine/api/run-service.js';
import { claimOf } from '../engine/node/active-run.js';
import { ownEnd, reportedEnd } from '../engine/record/run-end.js';
import {
  type EndingNode,
  type EndingRun,
  type EndOutcome,
  firesOfReports,
  writeEnds,
} from '../engine/record/write-ends.js';
import type { JobStore } from '../store/job-store.js';

/** How often a run may change owner while it is being ended. */
const MAX_TRIES = 10;

/** Ends runs from outside the nodes, whichever node owns them; the nodes take the follow-up runs. */
export function createClientRecorder(node: EndingNode & { readonly store: JobStore }): RunServiceParts['recorder'] {
  const { store, time } = node;
  const ends = new Map<number, Promise<EndOutcome>>();

  async function write(run: EndingRun): Promise<EndOutcome> {
    const fireIds = await firesOfReports(store, [run]);
    const written = await store.transaction((trx) => writeEnds(node, trx, [run], { fireIds, isRepeat: false }));
    return written.ends[0]!.outcome;
  }

  async function endWhoever(run: EndingRun): Promise<EndOutcome> {
    let outcome = await write(run);
    for (let tries = 1; outcome === 'stale-owner' && tries < MAX_TRIES; tries++) {
      const row = await store.run(run.end.id);
      if (row === null) return 'already-over';
      outcome = await write({ ...run, row, end: { ...run.end, ...claimOf(row) } });
    }
    return outcome;
  }

  return {
    end({ row, job }, outcome) {
      const end = ownEnd(row, outcome, time.now());
      ends.set(row.id, endWhoever({ row, job, end, hints: outcome, logLines: [] }));
    },
    async ended(runId) {
      const ending = ends.get(runId);
      ends.delete(runId);
      return (await ending) === 'recorded';
    },
    report(result) {
      const end = reportedEnd(result.runId, result, time.now());
      return write({ row: null, job: null, end, hints: result, logLines: [] });
    },
  };
}
