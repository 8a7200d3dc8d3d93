import type { RemoteResult } from '../http/remote-calls.js';
import { isOver, type RunRow } from '../run.js';
import type { Recorder } from './recorder.js';
import type { RingNode } from './ring-node.js';

/** What remote executors call back. */
export interface RemoteResults {
  /** Records results, the first of each run. Unknown runs are ignored, finished ones are told as refused. */
  accept(results: readonly RemoteResult[]): Promise<void>;
  /** Puts the results of a run aside until the returned function is called: a kill is under way, and its answer counts. */
  holdBack(runId: number): () => Promise<void>;
}

export function createRemoteResults(node: RingNode, recorder: Recorder): RemoteResults {
  /** What was put aside for each run that is being killed, by however many. */
  const aside = new Map<number, { holders: number; results: RemoteResult[] }>();

  async function accept(results: readonly RemoteResult[]): Promise<void> {
    const now = results.filter((result) => {
      const held = aside.get(result.runId);
      held?.results.push(result);
      return held === undefined;
    });
    if (now.length === 0) return;
    const rows = await node.store.transaction((trx) => trx.holdRuns(now.map(({ runId }) => runId)));
    const byId = new Map(rows.map((row) => [row.id, row]));
    await Promise.all(now.map((result) => record(result, byId.get(result.runId))));
  }

  async function record({ runId, state, code, message }: RemoteResult, row: RunRow | undefined): Promise<void> {
    // Whoever reports a run that was never sent to an executor is mistaken.
    if (row === undefined || row.firedAt === null || !isRemoteAddress(row.address)) return;
    if (isOver(row.state)) {
      node.counters.refused += 1;
      node.emitter.emit('result-refused', { runId, reason: 'already-over' });
      return;
    }
    recorder.end({ row, job: null }, { state, code, message });
    await recorder.ended(runId);
  }

  return {
    accept,
    holdBack(runId) {
      const held = aside.get(runId) ?? { holders: 0, results: [] };
      held.holders += 1;
      aside.set(runId, held);
      return async () => {
        held.holders -= 1;
        if (held.holders > 0) return;
        aside.delete(runId);
        await accept(held.results);
      };
    },
  };
}

export function isRemoteAddress(address: string | null): boolean {
  return address !== null && /^https?:\/\//i.test(address);
}
