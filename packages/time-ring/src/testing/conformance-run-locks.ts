import { REMOTE, type RunRow, UNOWNED, WAITING } from '../model/run.js';
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
    same(await ask(store, (trx) => trx.lockRuns([c, 999, a, c, 1.5])), [stored(newRun(), a), stored(newRun(), c)]);
    same(await ask(store, (trx) => trx.lockRuns([b])), [stored(newRun({ message: 'b' }), b)]);
  },
  'takes open runs over: pending, a fence higher, start forgotten, fired time kept': async (store) => {
    const lost = newRun({ owner: 'dead', state: 'running', address: 'x', firedAt: T, startedAt: T + 1, fence: 4 });
    const [a, b] = (await addRuns(store, lost, newRun({ owner: UNOWNED }))) as [number, number];
    const taken = await ask(store, (trx) => trx.takeRuns({ owner: 'me', from: ['dead', UNOWNED], limit: 10 }));
    const fresh = { owner: 'me', state: 'pending', address: null, startedAt: null } as const;
    same(taken, [
      { ...stored(lost, a), ...fresh, fence: 5 },
      { ...stored(newRun(), b), ...fresh, fence: 2 },
    ]);
    same([await store.run(a), await store.run(b)], taken);
  },
  'takes the lowest ids first, up to the limit, of the asked owners': async (store) => {
    const ids = await addRuns(
      store,
      newRun({ owner: 'dead', bucket: 2, jobId: 9 }),
      newRun({ owner: 'alive', bucket: 1 }),
      newRun({ owner: 'dead', bucket: 1, jobId: 8 }),
      newRun({ owner: 'gone', bucket: 2, jobId: 7 }),
      newRun({ owner: 'dead', bucket: 3 }),
      newRun({ owner: 'dead', bucket: 2, jobId: 1 }),
    );
    const take = async (limit: number) =>
      idsOf(await ask(store, (trx) => trx.takeRuns({ owner: 'me', from: ['dead', 'gone'], limit })));
    same(await take(2), [ids[0], ids[2]]);
    same(await take(10), [ids[3], ids[4], ids[5]]);
    same(await take(10), []);
  },
  'never takes a run that is over': async (store) => {
    const [id] = (await addRuns(store, newRun({ owner: 'dead' }))) as [number];
    await ask(store, (trx) => trx.endRuns([end(id, { owner: 'dead' })]));
    same(await ask(store, (trx) => trx.takeRuns({ owner: 'me', from: ['dead', UNOWNED], limit: 9 })), []);
  },
  'refuses the result of the owner whose run was taken': async (store) => {
    const [id] = (await addRuns(store, newRun())) as [number];
    await ask(store, (trx) => trx.dispatchRuns([fire(id)]));
    await ask(store, (trx) => trx.takeRuns({ owner: 'next', from: ['me'], limit: 9 }));
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
    await ask(store, (trx) => trx.dispatchRuns([fire(ids[4]!, { state: 'queued' })]));
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
    const held = await ask(store, (trx) => trx.lockFire(fireId));
    same(idsOf(held), [fireId, second, third]);
    same(held[1], stored(shard, second));
    same(idsOf(await ask(store, (trx) => trx.lockFire(other))), [other]);
    same(await ask(store, (trx) => trx.lockFire(second)), []);
  },
  'holds remote and waiting runs at their deadline, by id': async (store) => {
    const open = (owner: string, deadlineAt: number | null) => newRun({ owner, state: 'running', deadlineAt });
    const ids = await addRuns(
      store,
      open(REMOTE, T + 1),
      open(REMOTE, T),
      open(REMOTE, null),
      open(WAITING, T - 1),
      open('me', T - 1),
      open(REMOTE, T + 2),
    );
    const overdue = async (owner: string, now: number, limit = 10) =>
      idsOf(await ask(store, (trx) => trx.lockOverdueRuns({ owner, now, limit })));
    same(await overdue(REMOTE, T + 1), [ids[0], ids[1]]);
    same(await overdue(REMOTE, T + 1, 1), [ids[0]]);
    same(await overdue(REMOTE, T - 2), []);
    same(await overdue(WAITING, T - 1), [ids[3]]);
    same(await overdue(WAITING, T - 2), []);
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
    const found = async (addresses: readonly string[], limit = 10) =>
      idsOf(await ask(store, (trx) => trx.lockRunsAt({ addresses, limit })));
    same(await found(['a', 'b']), [ids[0], ids[1], ids[3]]);
    same(await found(['a', 'b'], 1), [ids[0]]);
    same(await found(['"q"\u0000']), [ids[6]]);
    same(await found(['nowhere']), []);
  },
  'deletes runs that ended long ago with their logs, lowest ids first, up to the limit': async (store) => {
    const ids = await addRuns(store, ...Array.from({ length: 5 }, () => newRun()));
    const times = [T + 5, T + 1, T + 2, T + 3];
    await ask(store, (trx) => trx.endRuns(times.map((endedAt, i) => end(ids[i]!, { endedAt }))));
    await ask(store, (trx) => trx.appendLog(ids.map((runId) => ({ runId, line: 0, text: 'said' }))));
    const remove = (afterId: number, limit: number) =>
      ask(store, (trx) => trx.deleteRuns({ endedBefore: T + 3, afterId, limit }));
    const left = async () => (await store.runs({ limit: 10, beforeId: null })).map(({ id }) => id).reverse();
    same(await remove(0, 2), { deleted: 1, lastId: ids[1], isDone: false });
    same(await left(), [ids[0], ids[2], ids[3], ids[4]]);
    same(await remove(ids[1]!, 10), { deleted: 1, lastId: ids[4], isDone: true });
    same(await left(), [ids[0], ids[3], ids[4]]);
    same((await remove(0, 10)).deleted, 0);
    same([await store.logLines(ids[1]!, 0, 9), await store.logLines(ids[0]!, 0, 9)], [[], ['said']]);
  },
  'gives no id of a run twice, not even of the newest that went': async (store) => {
    const [first] = (await addRuns(store, newRun())) as [number];
    await ask(store, (trx) => trx.endRuns([end(first)]));
    await ask(store, (trx) => trx.deleteRuns({ endedBefore: T + 100, afterId: 0, limit: 10 }));
    const [second] = (await addRuns(store, newRun())) as [number];
    same(second > first, true);
    same((await ask(store, (trx) => trx.endRuns([end(first), { ...end(first), ...claim(first) }]))).size, 0);
  },
};
