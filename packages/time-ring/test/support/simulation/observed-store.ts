import type { EpochMs } from '@horae/clock-store';
import type { RunRow } from '../../../src/model/run.js';
import type { JobStore, JobTransaction, NewRun, RunEnd } from '../../../src/store/job-store.js';

/** A change of the store that was committed. */
export type Change =
  | { readonly kind: 'claimed'; readonly until: EpochMs; readonly jobIds: ReadonlySet<number> }
  | { readonly kind: 'inserted'; readonly id: number; readonly run: NewRun }
  | { readonly kind: 'fired'; readonly id: number; readonly owner: string; readonly fence: number }
  | { readonly kind: 'ended'; readonly end: RunEnd }
  | { readonly kind: 'taken'; readonly row: RunRow; readonly sourceOwners: readonly string[] }
  /** Changed hands by a handover, or out of what waits or is due later. */
  | { readonly kind: 'received'; readonly id: number; readonly owner: string }
  | { readonly kind: 'parked'; readonly id: number }
  | { readonly kind: 'postponed'; readonly id: number }
  | { readonly kind: 'handed-back'; readonly id: number; readonly fence: number }
  | { readonly kind: 'withdrawn'; readonly id: number; readonly jobId: number }
  | { readonly kind: 'heartbeat'; readonly owner: string; readonly beatAt: EpochMs };

/** Tells every committed change, in the order of the commits. */
export function observeStore(store: JobStore, tell: (change: Change) => void): JobStore {
  async function transaction<T>(work: (trx: JobTransaction) => Promise<T>): Promise<T> {
    return store.transaction(async (trx) => {
      const changes: Change[] = [];
      const result = await work(observed(trx, changes));
      // The last step of the transaction: nothing can be committed in between.
      for (const change of changes) tell(change);
      return result;
    });
  }
  /** Writes the heartbeat of a node that has nothing to claim. */
  const glance: JobStore['glance'] = async (query) => {
    const found = await store.glance(query);
    const { heartbeat } = query;
    if (heartbeat !== null && found?.hasWork === false) {
      tell({ kind: 'heartbeat', owner: heartbeat.owner, beatAt: heartbeat.beatAt });
    }
    return found;
  };
  const own = { transaction, glance };
  return new Proxy(store, { get: (target, key) => Reflect.get(key in own ? own : target, key) });
}

function observed(trx: JobTransaction, changes: Change[]): JobTransaction {
  const overrides: Partial<JobTransaction> = {
    async lockDueJobs(query) {
      const jobs = await trx.lockDueJobs(query);
      if (jobs.length > 0) changes.push({ kind: 'claimed', until: query.until, jobIds: new Set(jobs.map(idOf)) });
      return jobs;
    },
    async insertRuns(runs) {
      const ids = await trx.insertRuns(runs);
      ids.forEach((id, i) => void (id !== null && changes.push({ kind: 'inserted', id, run: runs[i]! })));
      return ids;
    },
    async dispatchRuns(fires) {
      const fired = await trx.dispatchRuns(fires);
      for (const { id, owner, fence } of fires) if (fired.has(id)) changes.push({ kind: 'fired', id, owner, fence });
      return fired;
    },
    async endRuns(ends) {
      const ended = await trx.endRuns(ends);
      for (const end of ends) if (ended.has(end.id)) changes.push({ kind: 'ended', end });
      return ended;
    },
    async takeRuns(query) {
      const rows = await trx.takeRuns(query);
      for (const row of rows) changes.push({ kind: 'taken', row, sourceOwners: query.from });
      return rows;
    },
    async handOver(handovers) {
      const moved = await trx.handOver(handovers);
      for (const { id, to } of handovers) if (moved.has(id)) changes.push({ kind: 'received', id, owner: to });
      return moved;
    },
    async takeWaiting(query) {
      const rows = await trx.takeWaiting(query);
      for (const { id, owner } of rows) changes.push({ kind: 'received', id, owner: owner! });
      return rows;
    },
    async takeDelayed(query) {
      const rows = await trx.takeDelayed(query);
      for (const { id, owner } of rows) changes.push({ kind: 'received', id, owner: owner! });
      return rows;
    },
    async parkRuns(parkings) {
      const parked = await trx.parkRuns(parkings);
      for (const id of parked) changes.push({ kind: 'parked', id });
      return parked;
    },
    async postponeRuns(postponements) {
      const postponed = await trx.postponeRuns(postponements);
      for (const id of postponed) changes.push({ kind: 'postponed', id });
      return postponed;
    },
    async handBack(claims) {
      await trx.handBack(claims);
      for (const { id, fence } of claims) changes.push({ kind: 'handed-back', id, fence });
    },
    async withdrawRuns(jobId) {
      const ids = await trx.withdrawRuns(jobId);
      for (const id of ids) changes.push({ kind: 'withdrawn', id, jobId });
      return ids;
    },
    async heartbeat(node) {
      await trx.heartbeat(node);
      changes.push({ kind: 'heartbeat', owner: node.owner, beatAt: node.beatAt });
    },
  };
  return Object.assign(Object.create(trx), overrides);
}

function idOf({ id }: { id: number }): number {
  return id;
}
