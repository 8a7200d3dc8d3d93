import { REMOTE, type RunRow, UNOWNED } from '../run.js';
import {
  addRuns,
  ask,
  claim,
  end,
  fire,
  newRun,
  type StoreCases,
  same,
  scheduled,
  stored,
  T,
} from './conformance-stage.js';

const idsOf = (rows: readonly RunRow[]) => rows.map(({ id }) => id);

export const runHoldCases: StoreCases = {
  'holds runs by id, ascending, each once, without the unknown': async (store) => {
    const [a, b, c] = (await addRuns(store, newRun(), newRun({ message: 'b' }), newRun())) as [number, number, number];
    same(await ask(store, (trx) => trx.holdRuns([c, 999, a, c, 1.5])), [stored(newRun(), a), stored(newRun(), c)]);
    same(await ask(store, (trx) => trx.holdRuns([b])), [stored(newRun({ message: 'b' }), b)]);
  },
  'takes open runs over: pending, a fence higher, start forgotten, fired time kept': async (store) => {
    const lost = newRun({ owner: 'dead', state: 'running', address: 'x', firedAt: T, startedAt: T + 1, fence: 4 });
    const [a, b] = (await addRuns(store, lost, newRun({ owner: UNOWNED }))) as [number, number];
    const taken = await ask(store, (trx) =>
      trx.takeRuns({ owner: 'me', from: ['dead', UNOWNED], buckets: null, limit: 10 }),
    );
    const fresh = { owner: 'me', state: 'pending', address: null, startedAt: null } as const;
    same(taken, [
      { ...stored(lost, a), ...fresh, fence: 5 },
      { ...stored(newRun(), b), ...fresh, fence: 2 },
    ]);
    same([await store.run(a), await store.run(b)], taken);
  },
  'takes the lowest ids first, up to the limit, of the asked owners and buckets': async (store) => {
    const ids = await addRuns(
      store,
      newRun({ owner: 'dead', bucket: 2, jobId: 9 }),
      newRun({ owner: 'alive', bucket: 1 }),
      newRun({ owner: 'dead', bucket: 1, jobId: 8 }),
      newRun({ owner: 'gone', bucket: 2, jobId: 7 }),
      newRun({ owner: 'dead', bucket: 3 }),
      newRun({ owner: 'dead', bucket: 2, jobId: 1 }),
    );
    const take = async (limit: number, buckets: readonly number[] | null) =>
      idsOf(await ask(store, (trx) => trx.takeRuns({ owner: 'me', from: ['dead', 'gone'], buckets, limit })));
    same(await take(2, [1, 2]), [ids[0], ids[2]]);
    same(await take(10, [63]), []);
    same(await take(10, [1, 2]), [ids[3], ids[5]]);
    same(await take(10, null), [ids[4]]);
    same(await take(10, null), []);
  },
  'never takes a run that is over': async (store) => {
    const [id] = (await addRuns(store, newRun({ owner: 'dead' }))) as [number];
    await ask(store, (trx) => trx.endRuns([end(id, { owner: 'dead' })]));
    same(
      await ask(store, (trx) => trx.takeRuns({ owner: 'me', from: ['dead', UNOWNED], buckets: null, limit: 9 })),
      [],
    );
  },
  'refuses the result of the owner whose run was taken': async (store) => {
    const [id] = (await addRuns(store, newRun())) as [number];
    await ask(store, (trx) => trx.fireRuns([fire(id)]));
    await ask(store, (trx) => trx.takeRuns({ owner: 'next', from: ['me'], buckets: null, limit: 9 }));
    same((await ask(store, (trx) => trx.endRuns([end(id)]))).size, 0);
    same((await ask(store, (trx) => trx.endRuns([end(id, { owner: 'next', fence: 1 })]))).size, 0);
    same((await ask(store, (trx) => trx.endRuns([end(id, { owner: 'next', fence: 2 })]))).size, 1);
  },
  'knows whether an owner has open runs': async (store) => {
    const [id] = (await addRuns(store, newRun())) as [number];
    const owns = (owner: string) => ask(store, (trx) => trx.ownsRuns(owner));
    same([await owns('me'), await owns('other'), await owns(UNOWNED)], [true, false, false]);
    await ask(store, (trx) => trx.endRuns([end(id)]));
    same(await owns('me'), false);
  },
  'withdraws a job’s scheduled runs that were never fired, whoever has them': async (store) => {
    const ids = await addRuns(
      store,
      scheduled(1, T),
      scheduled(1, T + 1, { owner: 'other' }),
      scheduled(1, T + 2, { owner: UNOWNED }),
      scheduled(1, T + 3, { firedAt: T }),
      scheduled(1, T + 4),
      scheduled(2, T),
      newRun({ jobId: 1 }),
      scheduled(1, T + 5),
    );
    await ask(store, (trx) => trx.fireRuns([fire(ids[4]!, { state: 'queued' })]));
    await ask(store, (trx) => trx.endRuns([end(ids[7]!, { state: 'skipped' })]));
    const gone = await ask(store, (trx) => trx.withdrawRuns(1));
    same(
      [...gone].sort((a, b) => a - b),
      ids.slice(0, 3),
    );
    const left = await store.runs({ limit: 20, beforeId: null });
    same(left.map(({ id }) => id).reverse(), ids.slice(3));
    same(await ask(store, (trx) => trx.withdrawRuns(1)), []);
  },
  'lets a withdrawn occurrence be written again, under a new id': async (store) => {
    const [before] = (await addRuns(store, scheduled(1, T))) as [number];
    await ask(store, (trx) => trx.withdrawRuns(1));
    const [after] = (await addRuns(store, scheduled(1, T))) as [number];
    same(after > before, true);
  },
  'holds all runs of a fire, ascending': async (store) => {
    const [fireId, other] = (await addRuns(store, newRun(), newRun())) as [number, number];
    const shard = newRun({ fireId, shardIndex: 1, shardTotal: 2 });
    const [second, third] = (await addRuns(store, shard, newRun({ fireId, triggerType: 'retry', attempt: 2 }))) as [
      number,
      number,
    ];
    await ask(store, (trx) => trx.endRuns([end(fireId)]));
    const held = await ask(store, (trx) => trx.holdFire(fireId));
    same(idsOf(held), [fireId, second, third]);
    same(held[1], stored(shard, second));
    same(idsOf(await ask(store, (trx) => trx.holdFire(other))), [other]);
    same(await ask(store, (trx) => trx.holdFire(second)), []);
  },
  'holds remote runs at their deadline, by id': async (store) => {
    const remote = (deadlineAt: number | null, bucket: number) =>
      newRun({ owner: REMOTE, state: 'running', deadlineAt, bucket });
    const ids = await addRuns(
      store,
      remote(T + 1, 5),
      remote(T, 6),
      remote(null, 5),
      remote(T - 1, 5),
      newRun({ state: 'running', deadlineAt: T - 1 }),
      remote(T + 2, 5),
    );
    const overdue = async (now: number, buckets: readonly number[] | null, limit = 10) =>
      idsOf(await ask(store, (trx) => trx.holdOverdueRuns({ now, buckets, limit })));
    same(await overdue(T + 1, null), [ids[0], ids[1], ids[3]]);
    same(await overdue(T + 1, null, 2), [ids[0], ids[1]]);
    same(await overdue(T + 1, [5]), [ids[0], ids[3]]);
    same(await overdue(T + 1, []), []);
    same(await overdue(T - 2, null), []);
  },
  'holds remote runs at an address, by id': async (store) => {
    const at = (address: string, bucket = 1, owner = REMOTE) => newRun({ owner, state: 'running', address, bucket });
    const ids = await addRuns(
      store,
      at('a'),
      at('b', 2),
      at('c'),
      at('a', 2),
      at('a', 1, 'me'),
      at('A'),
      at('"q"\u0000'),
    );
    const found = async (addresses: readonly string[], buckets: readonly number[] | null = null, limit = 10) =>
      idsOf(await ask(store, (trx) => trx.holdRunsAt({ addresses, buckets, limit })));
    same(await found(['a', 'b']), [ids[0], ids[1], ids[3]]);
    same(await found(['b', 'a'], [2]), [ids[1], ids[3]]);
    same(await found(['a', 'b'], null, 1), [ids[0]]);
    same(await found(['"q"\u0000']), [ids[6]]);
    same(await found(['nowhere']), []);
  },
  'deletes runs that ended long ago with their logs, lowest ids first, up to the limit': async (store) => {
    const ids = await addRuns(store, ...Array.from({ length: 5 }, () => newRun()));
    const times = [T + 5, T + 1, T + 2, T + 3];
    await ask(store, (trx) => trx.endRuns(times.map((endedAt, i) => end(ids[i]!, { endedAt }))));
    await ask(store, (trx) => trx.appendLog(ids.map((runId) => ({ runId, line: 0, text: 'said' }))));
    const remove = (limit: number) => ask(store, (trx) => trx.deleteRuns({ endedBefore: T + 3, limit }));
    const left = async () => (await store.runs({ limit: 10, beforeId: null })).map(({ id }) => id).reverse();
    same(await remove(1), 1);
    same(await left(), [ids[0], ids[2], ids[3], ids[4]]);
    same(await remove(10), 1);
    same(await left(), [ids[0], ids[3], ids[4]]);
    same(await remove(10), 0);
    same([await store.logLines(ids[1]!, 0, 9), await store.logLines(ids[0]!, 0, 9)], [[], ['said']]);
  },
  'gives no id of a run twice, not even of the newest that went': async (store) => {
    const [first] = (await addRuns(store, newRun())) as [number];
    await ask(store, (trx) => trx.endRuns([end(first)]));
    await ask(store, (trx) => trx.deleteRuns({ endedBefore: T + 100, limit: 10 }));
    const [second] = (await addRuns(store, newRun())) as [number];
    same(second > first, true);
    same((await ask(store, (trx) => trx.endRuns([end(first), { ...end(first), ...claim(first) }]))).size, 0);
  },
};
