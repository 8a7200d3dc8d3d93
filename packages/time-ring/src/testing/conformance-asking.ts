import type { RunProgress } from '../model/run.js';
import type { JobStore, RunQuery } from '../store/job-store.js';
import {
  addJob,
  addRuns,
  ask,
  claim,
  end,
  fire,
  hostileParams,
  hostileTexts,
  newRun,
  type StoreCases,
  same,
  sorted,
  stored,
  T,
} from './conformance-stage.js';

const keyed = (uniqueKey: string, change: Parameters<typeof newRun>[0] = {}) => newRun({ uniqueKey, ...change });
const listed = async (store: JobStore, query: Partial<RunQuery>) =>
  (await store.runs({ limit: 100, beforeId: null, ...query })).map(({ id }) => id);

/** Triggered runs: unique keys, labels, results, and lists that find them. */
export const askingCases: StoreCases = {
  'gives a unique key of a job to one fire alone': async (store) => {
    const runs = [keyed('a'), newRun(), keyed('a'), keyed('b'), keyed('a', { jobId: 2 })];
    const ids = await ask(store, (trx) => trx.insertRuns(runs));
    same(
      ids.map((id) => id !== null),
      [true, true, false, true, true],
    );
    // Further runs of the fire that holds the key do not claim it.
    const [taken, shard] = await ask(store, (trx) => trx.insertRuns([keyed('b'), keyed('b', { fireId: ids[3]! })]));
    same([taken, shard !== null], [null, true]);
    const holders = await ask(store, (trx) => trx.lockUnique(1, ['a', 'c', 'b']));
    same(holders, [
      { uniqueKey: 'a', fireId: ids[0]!, until: null },
      { uniqueKey: 'b', fireId: ids[3]!, until: null },
    ]);
  },
  'tells unique keys apart that a database might fold': async (store) => {
    const keys = [...hostileTexts, 'a', 'A', 'a ', 'ä', 'a\u0308', 'x'.repeat(255), 'x'.repeat(254)];
    const ids = await addRuns(store, ...keys.map((key) => keyed(key)));
    for (const [i, key] of keys.entries()) {
      same(await ask(store, (trx) => trx.lockUnique(1, [key])), [{ uniqueKey: key, fireId: ids[i]!, until: null }]);
    }
  },
  'frees a unique key, at once or by a time, and gives it back to a fire that goes on': async (store) => {
    const [a, b] = (await addRuns(store, keyed('a', { uniqueForMs: 5 }), keyed('b'))) as [number, number];
    const release = (fireId: number, until: number | null) =>
      ask(store, (trx) => trx.releaseUnique([{ fireId, until }]));
    await release(a, T + 5);
    same(await ask(store, (trx) => trx.insertRuns([keyed('a')])), [null]);
    same(await ask(store, (trx) => trx.lockUnique(1, ['a'])), [{ uniqueKey: 'a', fireId: a, until: T + 5 }]);
    same(await ask(store, (trx) => trx.retakeUnique(a)), true);
    same(await ask(store, (trx) => trx.lockUnique(1, ['a'])), [{ uniqueKey: 'a', fireId: a, until: null }]);
    await release(b, null);
    same(await ask(store, (trx) => trx.retakeUnique(b)), true);
    await release(b, null);
    const [other] = (await addRuns(store, keyed('b'))) as [number];
    same(await ask(store, (trx) => trx.retakeUnique(b)), false);
    await release(b, null);
    same(await ask(store, (trx) => trx.lockUnique(1, ['b'])), [{ uniqueKey: 'b', fireId: other, until: null }]);
  },
  'keeps an old run while its unique key is taken': async (store) => {
    const over = { state: 'succeeded', endedAt: T, firedAt: T, owner: null } as const;
    const [a, b] = (await addRuns(store, keyed('a', over), keyed('b', over))) as [number, number];
    await ask(store, (trx) => trx.releaseUnique([{ fireId: b, until: T + 10 }]));
    const sweep = (endedBefore: number) =>
      ask(store, (trx) => trx.deleteRuns({ endedBefore, afterId: 0, limit: 10 })).then(({ deleted }) => deleted);
    same(await sweep(T + 10), 0);
    same(await sweep(T + 11), 1);
    same([(await store.run(a)) === null, await store.run(b)], [false, null]);
  },
  'writes a retry that a user asks for once': async (store) => {
    const retry = newRun({ triggerType: 'retry', attempt: 2, fireId: 1, key: { kind: 'retry', runId: 1 } });
    await addRuns(store, newRun(), retry);
    same(await ask(store, (trx) => trx.insertRuns([retry])), [null]);
    same((await addRuns(store, { ...retry, key: { kind: 'retry', runId: 2 } })).length, 1);
  },
  'gives the latest attempt at every shard of fires': async (store) => {
    const [first] = (await addRuns(store, newRun({ shardTotal: 2 }))) as [number];
    const [shard, retry, other] = await addRuns(
      store,
      newRun({ fireId: first, shardIndex: 1, shardTotal: 2 }),
      newRun({ fireId: first, attempt: 2, shardTotal: 2 }),
      newRun(),
    );
    same(
      (await store.latestOfFires([first, other!])).map(({ id }) => id),
      [shard, retry, other],
    );
    same(await store.latestOfFires([]), []);
  },
  'keeps labels, results, errors and progress as they are': async (store) => {
    const labels = Object.fromEntries(hostileTexts.map((text, i) => [text, hostileTexts[i - 1] ?? '']));
    const run = newRun({ labels, isLastAttempt: true, priority: -3, uniqueForMs: 7 });
    const ids = await addRuns(store, ...hostileParams.map(() => run));
    await ask(store, (trx) => trx.dispatchRuns(ids.map((id) => fire(id))));
    const error = { name: 'Error', message: hostileTexts.join(), stack: 'at a\n at b' };
    const progress = { fraction: 0.25, note: hostileTexts[3]! };
    await ask(store, (trx) =>
      trx.endRuns(
        ids.map((id, i) => end(id, { result: hostileParams[i], error, progress: i === 0 ? null : progress })),
      ),
    );
    for (const [i, id] of ids.entries()) {
      const row = await store.run(id);
      same([row?.result, row?.error, row?.progress], [hostileParams[i], error, i === 0 ? null : progress]);
      same([row?.labels, row?.isLastAttempt, row?.priority, row?.uniqueForMs], [labels, true, -3, 7]);
    }
  },
  'writes the progress of running runs of the claimant, which their end keeps': async (store) => {
    const progress = (fraction: number): RunProgress => ({ fraction, note: 'half' });
    const [id, pending] = (await addRuns(store, newRun(), newRun())) as [number, number];
    await ask(store, (trx) => trx.dispatchRuns([fire(id)]));
    const write = (change: object) =>
      ask(store, (trx) => trx.writeProgress([{ ...claim(id), progress: progress(0.5), ...change }]));
    same(sorted(await write({})), [id]);
    for (const change of [{ owner: 'other' }, { fence: 2 }, { id: pending }]) same((await write(change)).size, 0);
    same(await store.run(pending), stored(newRun(), pending));
    await ask(store, (trx) => trx.endRuns([end(id)]));
    same((await store.run(id))?.progress, progress(0.5));
    same((await write({ progress: progress(1) })).size, 0);
  },
  'lists runs by text, labels, group and executor': async (store) => {
    await addJob(store, { name: 'Nightly Report', key: 'report', executorGroup: 'night' });
    await addJob(store, { name: '50%_off', key: null });
    const [a, b, c] = (await addRuns(
      store,
      newRun({ labels: { team: 'a"b', 'x"team': 'b' }, address: 'here' }),
      newRun({ jobId: 2, labels: { team: 'b', other: ',"team":"a' } }),
      newRun({ jobId: 3, message: 'Die NACHT ist lang' }),
    )) as [number, number, number];
    same(await listed(store, { text: 'REPORT' }), [a]);
    same(await listed(store, { text: 'nacht' }), [c]);
    same(await listed(store, { text: '%_O' }), [b]);
    same(await listed(store, { text: '%nig' }), []);
    same(await listed(store, { labels: { team: 'b' } }), [b]);
    same(await listed(store, { labels: { team: 'a"b', 'x"team': 'b' } }), [a]);
    same(await listed(store, { labels: { team: 'a' } }), []);
    same(await listed(store, { group: 'night' }), [a]);
    same(await listed(store, { group: 'default' }), [b]);
    same(await listed(store, { executor: 'here' }), [a]);
  },
  'lists what has failed for good, from either end': async (store) => {
    const failed = { state: 'failed', owner: null, endedAt: T } as const;
    const [first, dead] = (await addRuns(store, newRun(failed), newRun(failed))) as [number, number];
    const [retry] = (await addRuns(store, newRun({ ...failed, fireId: first, attempt: 2 }))) as [number];
    const [open] = (await addRuns(store, newRun())) as [number];
    same(await listed(store, { dead: true }), [retry, dead]);
    same(await listed(store, { dead: false }), [open, first]);
    same(await listed(store, { order: 'oldest' }), [first, dead, retry, open]);
    same(await listed(store, { order: 'oldest', beforeId: dead, limit: 1 }), [retry]);
  },
  'lists what is large only when it is asked for': async (store) => {
    const [id] = (await addRuns(store, newRun({ params: { a: 1 } }))) as [number];
    await ask(store, (trx) => trx.endRuns([end(id, { result: [2] })]));
    const [bare] = await store.runs({ limit: 1, beforeId: null, include: [] });
    same([bare!.params, bare!.result, bare!.message], [undefined, undefined, null]);
    const [whole] = await store.runs({ limit: 1, beforeId: null, include: ['params', 'result'] });
    same([whole!.params, whole!.result], [{ a: 1 }, [2]]);
    const [one] = await store.runs({ limit: 1, beforeId: null, include: ['result'] });
    same([one!.params, one!.result], [undefined, [2]]);
  },
};
