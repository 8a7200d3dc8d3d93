import { DELAYED, UNOWNED, WAITING } from '../model/run.js';
import type { JobStore, RunHandover, RunParking } from '../store/job-store.js';
import {
  addJob,
  addRuns,
  ask,
  claim,
  end,
  fire,
  newRun,
  type StoreCases,
  same,
  sorted,
  stored,
  T,
} from './conformance-stage.js';

const parking = (id: number, change: Partial<RunParking> = {}): RunParking => ({
  ...claim(id),
  waitingFor: 'slot',
  deadlineAt: T + 50,
  ...change,
});
const handover = (id: number, change: Partial<RunHandover> = {}): RunHandover => ({
  ...claim(id),
  to: 'you',
  address: 'there',
  ...change,
});
const take = async (store: JobStore, jobId: number, limit = 10) =>
  (await ask(store, (trx) => trx.takeWaiting({ owner: 'me', jobId, limit }))).map(({ id }) => id);

/** Runs that wait for an executor, that are due later, and that change owner. */
export const waitingCases: StoreCases = {
  'lets open runs of the claimant wait, and no others': async (store) => {
    const sent = newRun({ state: 'running', address: 'x', firedAt: T, startedAt: T });
    const [id, running, over] = (await addRuns(store, newRun(), sent, newRun())) as [number, number, number];
    await ask(store, (trx) => trx.endRuns([end(over)]));
    const others = [parking(id, { owner: 'other' }), parking(id, { fence: 2 }), parking(over)];
    for (const other of others) same((await ask(store, (trx) => trx.parkRuns([other]))).size, 0);
    same(sorted(await ask(store, (trx) => trx.parkRuns([parking(id, { waitingFor: 'handler' })]))), [id]);
    const waiting = { owner: WAITING, waitingFor: 'handler', deadlineAt: T + 50 } as const;
    same(await store.run(id), { ...stored(newRun(), id), ...waiting });
    same((await ask(store, (trx) => trx.parkRuns([parking(id)]))).size, 0);
    same((await ask(store, (trx) => trx.parkRuns([parking(running)]))).size, 1);
    const again = { state: 'pending', address: null, startedAt: null, waitingFor: 'slot' } as const;
    same(await store.run(running), { ...stored(sent, running), ...waiting, ...again });
  },
  'gives a broadcast its number of shards while it is pending': async (store) => {
    const [id] = (await addRuns(store, newRun())) as [number];
    const spread = () => ask(store, (trx) => trx.spreadRuns([{ ...claim(id), shardTotal: 3, firedAt: T + 1 }]));
    same(sorted(await spread()), [id]);
    same(await store.run(id), { ...stored(newRun(), id), shardTotal: 3, firedAt: T + 1 });
    await ask(store, (trx) => trx.dispatchRuns([fire(id)]));
    same(sorted(await spread()), []);
  },
  'pins the nodes that are there, and knows whose runs a job has': async (store) => {
    await ask(store, (trx) => trx.heartbeat({ owner: 'you', nodeId: 'n', beatAt: T }));
    same([...(await ask(store, (trx) => trx.pinNodes(['you', 'nobody'])))], ['you']);
    await addRuns(store, newRun({ owner: 'you', jobId: 4 }));
    same(
      [await store.ownsRunOf('you', 4), await store.ownsRunOf('you', 5), await store.ownsRunOf('me', 4)],
      [true, false, false],
    );
  },
  'gives waiting runs of a job out by priority, time and id, under a higher fence': async (store) => {
    const waiting = (priority: number, readyAt: number, jobId = 1) =>
      newRun({ jobId, owner: WAITING, waitingFor: 'slot', deadlineAt: T + 50, priority, readyAt });
    const runs = [
      waiting(0, T + 2),
      waiting(0, T + 1),
      waiting(5, T + 9),
      waiting(0, T + 1),
      waiting(-1, T),
      waiting(0, T, 2),
    ];
    const ids = await addRuns(store, ...runs);
    same(await take(store, 1, 2), [ids[2], ids[1]]);
    const given = { owner: 'me', fence: 2, deadlineAt: null };
    same(await store.run(ids[2]!), { ...stored(runs[2]!, ids[2]!), ...given });
    same(await take(store, 1), [ids[3], ids[0], ids[4]]);
    same(await take(store, 1), []);
    same(await take(store, 2), [ids[5]]);
  },
  'counts the runs that wait by job and reason': async (store) => {
    const waiting = (jobId: number, waitingFor: 'slot' | 'executor') => newRun({ jobId, owner: WAITING, waitingFor });
    await addRuns(store, waiting(2, 'slot'), waiting(1, 'slot'), waiting(2, 'executor'), waiting(2, 'slot'), newRun());
    same(await store.waitingRuns(), [
      { jobId: 1, reason: 'slot', count: 1 },
      { jobId: 2, reason: 'executor', count: 1 },
      { jobId: 2, reason: 'slot', count: 2 },
    ]);
  },
  'forgets what a run waited for when it is fired, ended or handed back': async (store) => {
    const waiting = () => newRun({ waitingFor: 'breaker' });
    const [a, b, c] = (await addRuns(store, waiting(), waiting(), waiting())) as [number, number, number];
    await ask(store, (trx) => trx.dispatchRuns([fire(a)]));
    await ask(store, (trx) => trx.endRuns([end(b)]));
    await ask(store, (trx) => trx.handBack([claim(c)]));
    same(await Promise.all([a, b, c].map(async (id) => (await store.run(id))?.waitingFor)), [null, null, null]);
    same((await store.run(c))?.owner, UNOWNED);
  },
  'takes no waiting or delayed run for one that nobody has': async (store) => {
    await addRuns(store, newRun({ owner: WAITING, waitingFor: 'slot' }), newRun({ owner: DELAYED, deadlineAt: T }));
    same(await ask(store, (trx) => trx.takeRuns({ owner: 'me', from: [UNOWNED, 'dead'], limit: 9 })), []);
  },
  'gives delayed runs out that are due, by time and id': async (store) => {
    const delayed = (dueAt: number) => newRun({ owner: DELAYED, dueAt, deadlineAt: dueAt, readyAt: dueAt });
    const ids = await addRuns(store, delayed(T + 3), delayed(T + 1), delayed(T + 9), delayed(T + 1));
    const due = async (until: number, limit = 9) =>
      (await ask(store, (trx) => trx.takeDelayed({ owner: 'me', until, limit }))).map(({ id }) => id);
    same(await due(T), []);
    same(await due(T + 3, 2), [ids[1], ids[3]]);
    same(await due(T + 3), [ids[0]]);
    same(await store.run(ids[0]!), { ...stored(delayed(T + 3), ids[0]!), owner: 'me', fence: 2, deadlineAt: null });
    same(await due(T + 100), [ids[2]]);
  },
  'postpones runs that are not over: the same attempt, due later, with nobody': async (store) => {
    const run = newRun({
      state: 'running',
      address: 'x',
      fixedAddress: 'asked for',
      firedAt: T,
      startedAt: T,
      attempt: 2,
    });
    const [id, over] = (await addRuns(store, run, newRun())) as [number, number];
    await ask(store, (trx) => trx.endRuns([end(over)]));
    const postponed = await ask(store, (trx) =>
      trx.postponeRuns([id, over].map((each) => ({ ...claim(each), dueAt: T + 30 }))),
    );
    same(sorted(postponed), [id]);
    same(await store.run(id), {
      ...stored(run, id),
      ...{ state: 'pending', owner: DELAYED, dueAt: T + 30, deadlineAt: T + 30, readyAt: T + 30 },
      ...{ address: 'asked for', startedAt: null, postponed: 1 },
    });
  },
  'hands pending runs over to another node, which is told once': async (store) => {
    const [a, b, running] = (await addRuns(store, newRun(), newRun(), newRun({ state: 'running' }))) as [
      number,
      number,
      number,
    ];
    const given = [handover(a), handover(b, { owner: 'other' }), handover(running)];
    same(sorted(await ask(store, (trx) => trx.handOver(given))), [a]);
    const moved = { ...stored(newRun(), a), owner: 'you', fence: 2, address: 'there' };
    same(await store.run(a), moved);
    same(await ask(store, (trx) => trx.takeHandovers('me')), []);
    same(await ask(store, (trx) => trx.takeHandovers('you')), [moved]);
    same(await ask(store, (trx) => trx.takeHandovers('you')), []);
  },
  'tells nobody of a run that has changed hands again': async (store) => {
    const [a, b] = (await addRuns(store, newRun(), newRun())) as [number, number];
    await ask(store, (trx) => trx.handOver([handover(a), handover(b)]));
    await ask(store, (trx) => trx.handOver([handover(a, { owner: 'you', fence: 2, to: 'third' })]));
    await ask(store, (trx) => trx.endRuns([end(b, { owner: 'you', fence: 2 })]));
    same(await ask(store, (trx) => trx.takeHandovers('you')), []);
    same(
      (await ask(store, (trx) => trx.takeHandovers('third'))).map(({ id }) => id),
      [a],
    );
  },
  'gives each waiting run to one of many who ask at once': async (store) => {
    const runs = Array.from({ length: 40 }, () => newRun({ owner: WAITING, waitingFor: 'slot' }));
    const ids = await addRuns(store, ...runs);
    const asked = Array.from({ length: 8 }, (_, i) =>
      ask(store, (trx) => trx.takeWaiting({ owner: `node ${i}`, jobId: 1, limit: 10 })),
    );
    const taken = (await Promise.all(asked)).flat().map(({ id }) => id);
    same(new Set(taken).size, taken.length);
    const rest = await take(store, 1, 40);
    same(sorted([...taken, ...rest]), ids);
  },
  'finds a job by its key, and tells who has it': async (store) => {
    const job = await addJob(store, { key: 'nightly "report" ä' });
    same(await store.jobByKey('nightly "report" ä'), job);
    same(await store.jobByKey('NIGHTLY "report" ä'), null);
    same(await ask(store, (trx) => trx.lockKey('nightly "report" ä')), job.id);
    same(await ask(store, (trx) => trx.lockKey('free')), null);
  },
};
