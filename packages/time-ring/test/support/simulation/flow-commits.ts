import type { FlowRow } from '../../../src/model/flow-rows.js';
import type { RunRow } from '../../../src/model/run.js';
import type { JobStore, JobTransaction, NewRun, RunEnd } from '../../../src/store/job-store.js';

/** What one transaction has committed of flows and their runs. */
export interface FlowCommit {
  readonly inserted: { readonly id: number; readonly run: NewRun }[];
  readonly ended: RunEnd[];
  readonly flows: FlowRow[];
}

/** Tells what every transaction has committed. `statement` is called before each of its statements, and may throw. */
export function watchCommits(store: JobStore, tell: (commit: FlowCommit) => void, statement: () => void): JobStore {
  async function transaction<T>(work: (trx: JobTransaction) => Promise<T>): Promise<T> {
    let commit: FlowCommit = { inserted: [], ended: [], flows: [] };
    const result = await store.transaction((trx) => {
      commit = { inserted: [], ended: [], flows: [] };
      return work(watched(trx, commit, statement));
    });
    tell(commit);
    return result;
  }
  return new Proxy(store, { get: (target, key) => (key === 'transaction' ? transaction : Reflect.get(target, key)) });
}

function watched(trx: JobTransaction, commit: FlowCommit, statement: () => void): JobTransaction {
  const overrides: Partial<JobTransaction> = {
    async insertRuns(runs) {
      const ids = await trx.insertRuns(runs);
      ids.forEach((id, i) => void (id !== null && commit.inserted.push({ id, run: runs[i]! })));
      return ids;
    },
    async endRuns(ends) {
      const ended = await trx.endRuns(ends);
      commit.ended.push(...ends.filter(({ id }) => ended.has(id)));
      return ended;
    },
    async putFlows(flows) {
      await trx.putFlows(flows);
      commit.flows.push(...flows);
    },
  };
  return new Proxy(trx, {
    get(target, key) {
      const verb = (overrides[key as keyof JobTransaction] ?? Reflect.get(target, key)) as unknown;
      if (typeof verb !== 'function') return verb;
      return async (...args: unknown[]) => {
        statement();
        return verb.apply(target, args);
      };
    },
  });
}

/** All runs of a store. */
export async function allRows(store: JobStore): Promise<readonly RunRow[]> {
  const runs = await store.runs({ limit: 1_000_000, beforeId: null, include: [] });
  return store.transaction((trx) => trx.lockRuns(runs.map(({ id }) => id)));
}
