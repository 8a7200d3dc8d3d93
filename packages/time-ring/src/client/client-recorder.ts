import type { RunServiceParts } from '../engine/api/run-service.js';
import { claimOf } from '../engine/node/active-run.js';
import {
  type EndingNode,
  type EndingRun,
  type EndOutcome,
  firesOfReports,
  writeEnds,
} from '../engine/record/write-ends.js';
import type { JobStore } from '../store/job-store.js';

/** How often a run may change hands while it is being ended. */
const MAX_TRIES = 10;

/** Ends runs from outside of any node, whoever has them; what follows from it is for the nodes. */
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
    end({ row, job }, { state, code, message, ...hints }) {
      const end = { ...claimOf(row), state, code, message, endedAt: time.now(), firedAt: null, address: null };
      ends.set(row.id, endWhoever({ row, job, end, logLines: [], ...hints }));
    },
    async ended(runId) {
      const ending = ends.get(runId);
      ends.delete(runId);
      return (await ending) === 'recorded';
    },
    report({ runId, state, code, message, ...hints }) {
      const nobody = { id: runId, owner: '', fence: 0 };
      const end = { ...nobody, state, code, message, endedAt: time.now(), firedAt: null, address: null };
      return write({ row: null, job: null, end, logLines: [], ...hints });
    },
  };
}
