import { DELAYED, WAITING } from '../model/run.js';
import type { JobStore } from '../store/job-store.js';
import { addJob, addRuns, ask, newRun, registration, type StoreCases, same, T } from './conformance-stage.js';

const nothing = { jobAt: null, delayedAt: null, alertAt: null, isBusy: false };

const isBusy = async (store: JobStore) => (await store.upcoming()).isBusy;

/** The future work in a store. */
export const upcomingCases: StoreCases = {
  async 'knows when the first job, delayed run and alert are due'(store) {
    same(await store.upcoming(), nothing);
    const job = await addJob(store, {}, T + 9);
    await addJob(store, {}, T + 7);
    await addRuns(store, ...[8, 5].map((ms) => newRun({ owner: DELAYED, deadlineAt: T + ms, dueAt: T + ms })));
    const body = { on: 'misfire', text: '', nodeId: 'n', job: null, run: null } as const;
    const alert = { channel: 'c', dueAt: T + 3, count: 1, at: T, body, heldKey: null };
    await ask(store, (trx) => trx.insertAlerts([{ ...alert, dueAt: T + 4 }, alert]));
    same(await store.upcoming(), { jobAt: T + 7, delayedAt: T + 5, alertAt: T + 3, isBusy: false });
    await ask(store, (trx) => trx.putJob({ ...job, state: 'STOPPED', nextAt: T + 1 }));
    same((await store.upcoming()).jobAt, T + 7);
  },

  async 'is busy with runs under way'(store) {
    await addRuns(store, newRun({ owner: null, state: 'succeeded', endedAt: T }));
    same(await isBusy(store), false);
    await addRuns(store, newRun({ owner: WAITING, waitingFor: 'slot' }));
    same(await isBusy(store), true);
  },

  async 'is busy with remote executors, not with those of nodes'(store) {
    await ask(store, (trx) => trx.heartbeat({ owner: 'me', nodeId: 'mine', beatAt: T }));
    await ask(store, (trx) => trx.putExecutor(registration('g', 'local', { nodeOwner: 'me', nodeId: 'mine' })));
    same(await isBusy(store), false);
    await ask(store, (trx) => trx.putExecutor(registration('g', 'remote')));
    same(await isBusy(store), true);
  },

  async 'is busy with jobs that wait for the end of a fire'(store) {
    const job = await addJob(store, {}, T + 9);
    same(await isBusy(store), false);
    await ask(store, (trx) => trx.putJob({ ...job, nextAt: null }));
    same(await isBusy(store), true);
  },

  async 'knows when the first of the runs that are over ended'(store) {
    same(await store.oldestEnd(), null);
    await addRuns(store, newRun());
    same(await store.oldestEnd(), null);
    await addRuns(store, ...[6, 4, 5].map((ms) => newRun({ owner: null, state: 'succeeded', endedAt: T + ms })));
    same(await store.oldestEnd(), T + 4);
  },
};
