import { REMOTE, UNOWNED } from '../model/run.js';
import type { RunClaim } from '../store/job-store.js';
import {
  addRuns,
  ask,
  claim,
  end,
  fire,
  hostileTexts,
  newRun,
  type StoreCases,
  same,
  sorted,
  stored,
  T,
} from './conformance-stage.js';

/** Invalid claims: another owner, an older or newer fence, a run that does not exist. */
function wrong(id: number): RunClaim[] {
  return [
    claim(id, { owner: 'other' }),
    claim(id, { owner: UNOWNED }),
    claim(id, { fence: 0 }),
    claim(id, { fence: 2 }),
    claim(id + 1_000),
  ];
}

export const runChangeCases: StoreCases = {
  'fires pending runs of the claimant': async (store) => {
    const [a, b, c] = (await addRuns(store, newRun(), newRun(), newRun())) as [number, number, number];
    const fires = [fire(b, { state: 'queued', startedAt: null, address: 'x', shardTotal: 3, firedAt: T + 5 }), fire(a)];
    same(sorted(await ask(store, (trx) => trx.dispatchRuns(fires))), [a, b]);
    const shown = { state: 'running', address: 'somewhere', firedAt: T + 1, startedAt: T + 2 };
    same(await store.run(a), { ...stored(newRun(), a), ...shown });
    const queued = { state: 'queued', address: 'x', shardTotal: 3, firedAt: T + 5 };
    same(await store.run(b), { ...stored(newRun(), b), ...queued });
    same(await store.run(c), stored(newRun(), c));
  },
  'fires nothing that is not pending, or not the claimant’s': async (store) => {
    const [id, running, over] = (await addRuns(store, newRun(), newRun({ state: 'running' }), newRun())) as [
      number,
      number,
      number,
    ];
    await ask(store, (trx) => trx.endRuns([end(over)]));
    const before = await Promise.all([id, running, over].map((each) => store.run(each)));
    for (const other of wrong(id))
      same(sorted(await ask(store, (trx) => trx.dispatchRuns([{ ...fire(id), ...other }]))), []);
    same(sorted(await ask(store, (trx) => trx.dispatchRuns([fire(running), fire(over)]))), []);
    same(await Promise.all([id, running, over].map((each) => store.run(each))), before);
  },
  'fires a run once': async (store) => {
    const [id] = (await addRuns(store, newRun())) as [number];
    same(sorted(await ask(store, (trx) => trx.dispatchRuns([fire(id)]))), [id]);
    same(sorted(await ask(store, (trx) => trx.dispatchRuns([fire(id, { address: 'else' })]))), []);
    same((await store.run(id))?.address, 'somewhere');
  },
  'starts queued runs of the claimant, and no others': async (store) => {
    const [queued, pending, running] = (await addRuns(
      store,
      newRun({ state: 'queued' }),
      newRun(),
      newRun({ state: 'running', startedAt: T }),
    )) as [number, number, number];
    for (const other of wrong(queued)) {
      same(sorted(await ask(store, (trx) => trx.startRuns([{ ...other, startedAt: T + 3 }]))), []);
    }
    const starts = [running, queued, pending].map((id) => ({ ...claim(id), startedAt: T + 3 }));
    same(sorted(await ask(store, (trx) => trx.startRuns(starts))), [queued]);
    same(await store.run(queued), { ...stored(newRun(), queued), state: 'running', startedAt: T + 3 });
    same((await store.run(running))?.startedAt, T);
  },
  'ends runs in every state that is not over, and takes their owner': async (store) => {
    const ids = await addRuns(
      store,
      newRun(),
      newRun({ state: 'queued' }),
      newRun({ state: 'running', deadlineAt: T }),
    );
    same(sorted(await ask(store, (trx) => trx.endRuns(ids.map((id) => end(id))))), ids);
    for (const id of ids) {
      const over = { state: 'succeeded', code: 200, endedAt: T + 9, owner: null };
      same(await store.run(id), { ...stored(newRun(), id), ...over });
    }
  },
  'ends runs each in its own way': async (store) => {
    const [a, b, c] = (await addRuns(store, newRun(), newRun({ firedAt: T, address: 'kept' }), newRun())) as [
      number,
      number,
      number,
    ];
    const ends = [
      end(c, { state: 'skipped', code: null, endedAt: T + 1 }),
      end(a, { state: 'failed', code: 502, message: 'late', firedAt: T + 2, address: 'given' }),
      end(b, { state: 'killed', code: 500, message: '' }),
    ];
    same(sorted(await ask(store, (trx) => trx.endRuns(ends))), [a, b, c]);
    const seen = async (id: number) => {
      const { state, code, message, endedAt, firedAt, address } = (await store.run(id))!;
      return [state, code, message, endedAt, firedAt, address];
    };
    same(await seen(a), ['failed', 502, 'late', T + 9, T + 2, 'given']);
    same(await seen(b), ['killed', 500, '', T + 9, T, 'kept']);
    same(await seen(c), ['skipped', null, null, T + 1, null, null]);
  },
  'records a result once: the first wins': async (store) => {
    const [id] = (await addRuns(store, newRun({ state: 'running' }))) as [number];
    same(sorted(await ask(store, (trx) => trx.endRuns([end(id)]))), [id]);
    same(sorted(await ask(store, (trx) => trx.endRuns([end(id, { state: 'failed', code: 500 })]))), []);
    same((await store.run(id))?.state, 'succeeded');
  },
  'records the first of two results in one call': async (store) => {
    const [id] = (await addRuns(store, newRun({ state: 'running' }))) as [number];
    same(sorted(await ask(store, (trx) => trx.endRuns([end(id), end(id, { state: 'failed' })]))), [id]);
    same((await store.run(id))?.state, 'succeeded');
  },
  'refuses results under another owner or fence': async (store) => {
    const [id] = (await addRuns(store, newRun({ state: 'running' }))) as [number];
    for (const other of wrong(id)) same(sorted(await ask(store, (trx) => trx.endRuns([{ ...end(id), ...other }]))), []);
    same(await store.run(id), stored(newRun({ state: 'running' }), id));
  },
  'keeps any text as the message of a result': async (store) => {
    const ids = await addRuns(store, ...hostileTexts.map(() => newRun()));
    await ask(store, (trx) =>
      trx.endRuns(ids.map((id, i) => end(id, { message: hostileTexts[i]!, address: hostileTexts[i]! }))),
    );
    for (const [i, id] of ids.entries()) {
      const { message, address } = (await store.run(id))!;
      same([message, address], [hostileTexts[i], hostileTexts[i]]);
    }
  },
  'assigns a run to its remote executor while it is the claimant’s': async (store) => {
    const [id, over] = (await addRuns(store, newRun(), newRun())) as [number, number];
    await ask(store, (trx) => trx.endRuns([end(over)]));
    const assign = (run: RunClaim) =>
      ask(store, async (trx) =>
        (await trx.assignRemote([{ ...run, startedAt: T + 2, deadlineAt: T + 3 }])).has(run.id),
      );
    for (const other of wrong(id)) same(await assign(other), false);
    same(await assign(claim(over)), false);
    same(await store.run(id), stored(newRun(), id));
    same(await assign(claim(id)), true);
    const assigned = { state: 'running', owner: REMOTE, startedAt: T + 2, deadlineAt: T + 3 };
    same(await store.run(id), { ...stored(newRun(), id), ...assigned });
    same(await assign(claim(id)), false);
  },
  'keeps the result of a running run, which goes on': async (store) => {
    const running = newRun({ owner: REMOTE, state: 'running', address: 'x', firedAt: T, startedAt: T });
    const [id, over] = (await addRuns(store, running, running)) as [number, number];
    await ask(store, (trx) => trx.endRuns([end(over, { owner: REMOTE })]));
    const kept = { code: 200, message: 'done', deadlineAt: T + 9 };
    const keep = (run: RunClaim) => ask(store, async (trx) => (await trx.keepResults([{ ...run, ...kept }])).size);
    for (const other of [claim(id), claim(id, { owner: REMOTE, fence: 7 }), claim(over, { owner: REMOTE })]) {
      same(await keep(other), 0);
    }
    same(await keep(claim(id, { owner: REMOTE })), 1);
    same(await store.run(id), { ...stored(running, id), ...kept });
  },
  'ends a remote run under the owner REMOTE': async (store) => {
    const [id] = (await addRuns(store, newRun({ owner: REMOTE, state: 'running', deadlineAt: T }))) as [number];
    same(sorted(await ask(store, (trx) => trx.endRuns([end(id)]))), []);
    same(sorted(await ask(store, (trx) => trx.endRuns([end(id, { owner: REMOTE })]))), [id]);
  },
  'hands runs back that are not over and the claimant’s': async (store) => {
    const queued = newRun({ state: 'queued', address: 'x', fixedAddress: null, firedAt: T, startedAt: T });
    const [a, b, over, other] = (await addRuns(store, newRun(), queued, newRun(), newRun({ owner: 'other' }))) as [
      number,
      number,
      number,
      number,
    ];
    await ask(store, (trx) => trx.endRuns([end(over)]));
    const before = await store.run(over);
    await ask(store, (trx) => trx.handBack([claim(b), claim(over), claim(other), claim(a), claim(a, { fence: 7 })]));
    same(await store.run(a), { ...stored(newRun(), a), owner: UNOWNED });
    const back = await store.run(b);
    same([back?.owner, back?.state, back?.startedAt, back?.firedAt], [UNOWNED, 'pending', null, T]);
    same(await store.run(over), before);
    same((await store.run(other))?.owner, 'other');
  },
  'does nothing, without complaint, when given nothing': async (store) => {
    await ask(store, async (trx) => {
      same(await trx.insertRuns([]), []);
      same(await trx.lockRuns([]), []);
      same((await trx.dispatchRuns([])).size, 0);
      same((await trx.startRuns([])).size, 0);
      same((await trx.endRuns([])).size, 0);
      await trx.handBack([]);
      await trx.appendLog([]);
      await trx.advanceJobs([]);
      await trx.releaseBuckets('me', []);
      same(await trx.takeRuns({ owner: 'me', from: [], limit: 10 }), []);
      same(await trx.takeRuns({ owner: 'me', from: [UNOWNED], limit: 10 }), []);
      same(await trx.takeWaiting({ owner: 'me', jobId: 1, limit: 10 }), []);
      same(await trx.takeDelayed({ owner: 'me', until: T, limit: 10 }), []);
      same(await trx.takeHandovers('me'), []);
      same((await trx.parkRuns([])).size, 0);
      same((await trx.postponeRuns([])).size, 0);
      same((await trx.handOver([])).size, 0);
      same(await trx.waitingRuns(), []);
      same(await trx.lockRunsAt({ addresses: [], limit: 10 }), []);
      same(await trx.lockFire(1), []);
      same(await trx.withdrawRuns(1), []);
      same(await trx.takeKills('me'), []);
      same(await trx.lockBuckets('me'), []);
      same(await trx.deleteRuns({ endedBefore: T, afterId: 0, limit: 10 }), { deleted: 0, lastId: 0, isDone: true });
      same([...(await trx.lockFamilies())], []);
    });
  },
};
