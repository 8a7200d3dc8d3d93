import { DELAYED, REMOTE, UNOWNED, WAITING } from '../model/run.js';
import type { Glance, GlanceQuery } from '../store/glance.js';
import type { JobStore } from '../store/job-store.js';
import { addJob, addRuns, ask, newRun, registration, type StoreCases, same, T } from './conformance-stage.js';

const beat = { owner: 'me', nodeId: 'mine', beatAt: T };

const glance = (store: JobStore, change: Partial<GlanceQuery> = {}) =>
  store.glance({
    ...{ owner: 'me', heartbeat: null, leasesUntil: null },
    ...{ now: T, dueBy: T + 5, delayedBy: T + 5, aliveSince: T - 90 },
    ...change,
  });

const flags = ['hasWork', 'hasHandovers', 'hasWaiting', 'hasOverdue', 'hasLostExecutors', 'hasDueAlerts'] as const;

/** The work that exists at `T`, by name. */
async function seen(store: JobStore, change: Partial<GlanceQuery> = {}): Promise<string[]> {
  const found: Glance = (await glance(store, change))!;
  return flags.filter((flag) => found[flag]);
}

/** The checks that a pass makes before it locks anything. */
export const glanceCases: StoreCases = {
  async 'gives a glance of what there is to do, nothing at first'(store) {
    same(await glance(store), null);
    await ask(store, (trx) => trx.heartbeat(beat));
    await ask(store, (trx) => trx.heartbeat({ owner: 'you', nodeId: 'yours', beatAt: T - 1, listens: true }));
    const { now: _, groupsVersion, ...found } = (await glance(store))!;
    same(found, {
      nodes: [beat, { owner: 'you', nodeId: 'yours', beatAt: T - 1, listens: true }],
      ...{ hasWork: false, hasLockRow: true, leases: 0, hasHandovers: false, hasWaiting: false },
      ...{ hasOverdue: false, hasLostExecutors: false, hasDueAlerts: false },
    });
    same((await glance(store))!.groupsVersion, groupsVersion);
  },

  async 'sees jobs and runs to claim in a glance, at their time'(store) {
    await ask(store, (trx) => trx.heartbeat(beat));
    const job = await addJob(store, {}, T + 6);
    same(await seen(store), []);
    same(await seen(store, { dueBy: T + 6 }), ['hasWork']);
    await ask(store, (trx) => trx.putJob({ ...job, state: 'STOPPED' }));
    await addRuns(store, newRun({ owner: DELAYED, deadlineAt: T + 6, dueAt: T + 6 }), newRun());
    same(await seen(store, { dueBy: T + 6 }), []);
    same(await seen(store, { delayedBy: T + 6 }), ['hasWork']);
    await addRuns(store, newRun({ owner: UNOWNED }));
    same(await seen(store), ['hasWork']);
  },

  async 'sees what else is to be looked after in a glance'(store) {
    await ask(store, (trx) => trx.heartbeat(beat));
    const [remote, mine] = await addRuns(
      store,
      newRun({ owner: REMOTE, state: 'running', deadlineAt: T + 1 }),
      newRun({ owner: 'you' }),
    );
    same([typeof remote, await seen(store)], ['number', []]);
    same(await seen(store, { now: T + 1 }), ['hasOverdue']);
    await ask(store, (trx) => trx.handOver([{ id: mine!, owner: 'you', fence: 1, to: 'me', address: 'a' }]));
    same(await seen(store), ['hasHandovers']);
    same(await seen(store, { owner: 'me', now: T + 1 }), ['hasHandovers', 'hasOverdue']);
    await addRuns(store, newRun({ owner: WAITING, waitingFor: 'slot' }));
    await ask(store, (trx) => trx.putExecutor(registration('g', 'remote')));
    await ask(store, (trx) => trx.putExecutor(registration('g', 'local', { nodeOwner: 'me', nodeId: 'mine' })));
    same(await seen(store), ['hasHandovers', 'hasWaiting']);
    same(await seen(store, { aliveSince: T + 1 }), ['hasHandovers', 'hasWaiting', 'hasLostExecutors']);
    const body = { on: 'misfire', text: '', nodeId: 'n', job: null, run: null } as const;
    const alert = { channel: 'c', dueAt: T + 1, count: 1, at: T, body, heldKey: null };
    await ask(store, (trx) => trx.insertAlerts([alert]));
    same(await seen(store), ['hasHandovers', 'hasWaiting']);
    same(await seen(store, { now: T + 1 }), ['hasHandovers', 'hasWaiting', 'hasOverdue', 'hasDueAlerts']);
  },

  async 'notices in a glance that a group was changed or removed'(store) {
    await ask(store, (trx) => trx.heartbeat(beat));
    const versions: number[] = [];
    const look = async () => void versions.push((await glance(store))!.groupsVersion);
    const group = { name: 'g', title: '', addresses: [], maxRunning: null, rate: null, alerts: [], pausedAt: null };
    await look();
    await ask(store, (trx) => trx.putGroup({ ...group, createdAt: T }));
    await look();
    await ask(store, (trx) => trx.putGroup({ ...group, createdAt: T, pausedAt: T }));
    await look();
    await ask(store, (trx) => trx.deleteGroup('g'));
    await look();
    same(new Set(versions).size, 4);
  },

  async 'writes the heartbeat with a glance, and renews the leases, but for who has something to claim'(store) {
    await ask(store, (trx) => trx.heartbeat(beat));
    for (const bucket of [3, 9]) await ask(store, (trx) => trx.takeBucket(bucket, 'me', T, T + 100));
    await ask(store, (trx) => trx.takeBucket(4, 'you', T, T + 100));
    const later = { ...beat, beatAt: T + 7, listens: true };
    same((await glance(store, { heartbeat: later, leasesUntil: T + 500 }))!.leases, 2);
    same(await store.nodes(), [later]);
    const expiry = async () => (await store.buckets()).filter(({ owner }) => owner !== null).map((b) => b.expiresAt);
    same(await expiry(), [T + 500, T + 100, T + 500]);
    await glance(store, { heartbeat: { ...beat, beatAt: T + 8 } });
    same([await store.nodes(), await expiry()], [[{ ...beat, beatAt: T + 8 }], [T + 500, T + 100, T + 500]]);
  },
};
