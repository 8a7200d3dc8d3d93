import { publicRun } from '../model/run.js';
import type { NewRun, RunQuery } from '../store/job-store.js';
import {
  addRuns,
  ask,
  end,
  hostileParams,
  hostileTexts,
  newRun,
  type StoreCases,
  same,
  scheduled,
  stored,
  T,
} from './conformance-stage.js';

const full: NewRun = newRun({
  fireId: 77,
  jobId: 12,
  scheduleTime: T + 0.5,
  triggerType: 'retry',
  state: 'queued',
  attempt: 3,
  address: 'http://a/',
  shardIndex: 2,
  shardTotal: 5,
  params: { a: [1] },
  firedAt: T + 1,
  startedAt: T + 2,
  endedAt: T + 3,
  code: -7,
  message: 'said',
  owner: 'somebody',
  fence: 9,
  bucket: 63,
  fixedAddress: 'http://b/',
  deadlineAt: T + 4,
});

export const runReadCases: StoreCases = {
  'gives back every field of a run as it was inserted': async (store) => {
    const [first, second] = await addRuns(store, full, newRun());
    same(await store.run(first!), stored(full, first!));
    same(await store.run(second!), stored(newRun(), second!));
  },
  'makes a run without a fire its own fire': async (store) => {
    const [id] = await addRuns(store, newRun());
    same((await store.run(id!))?.fireId, id);
  },
  'gives ids in the order of the runs, also where some are there already': async (store) => {
    const [before] = await addRuns(store, scheduled(1, T + 2));
    const ids = await ask(store, (trx) =>
      trx.insertRuns([
        newRun({ message: 'first' }),
        scheduled(1, T + 1),
        scheduled(1, T + 2),
        newRun({ message: 'fourth' }),
        scheduled(1, T + 1),
        scheduled(2, T + 2),
        newRun({ message: 'last' }),
      ]),
    );
    same(
      ids.map((id) => id === null),
      [false, false, true, false, true, false, false],
    );
    const given = ids.filter((id) => id !== null);
    same(
      given,
      [...given].sort((a, b) => a - b),
    );
    same(given[0]! > before!, true);
    same((await store.run(ids[3]!))?.message, 'fourth');
    same((await store.run(ids[5]!))?.jobId, 2);
    same((await store.run(ids[6]!))?.message, 'last');
  },
  'writes a scheduled fire once, however often and in whatever state': async (store) => {
    const [id] = await addRuns(store, scheduled(1, T));
    same(await ask(store, (trx) => trx.insertRuns([scheduled(1, T)])), [null]);
    await ask(store, (trx) => trx.endRuns([end(id!)]));
    same(await ask(store, (trx) => trx.insertRuns([scheduled(1, T, { owner: 'other' })])), [null]);
  },
  'writes a child once for a fire of its parent, apart from scheduled fires': async (store) => {
    const child = (childId: number, parentFireId: number) =>
      newRun({ jobId: childId, triggerType: 'child', key: { kind: 'child', childId, parentFireId } });
    await addRuns(store, child(1, 5), child(2, 5), child(1, 6), scheduled(1, 5), scheduled(2, 6));
    same(await ask(store, (trx) => trx.insertRuns([child(1, 5), child(2, 6), child(2, 5)])).then(isNull), [
      true,
      false,
      true,
    ]);
  },
  'lets runs without a key repeat': async (store) => {
    const again = { scheduleTime: T } as const;
    const ids = await addRuns(store, newRun(again), newRun(again), scheduled(1, T), newRun(again));
    same(new Set(ids).size, 4);
  },
  'forgets the runs of a transaction that failed, keys included': async (store) => {
    const failing = store.transaction(async (trx) => {
      await trx.insertRuns([scheduled(1, T)]);
      throw new Error('no');
    });
    same(await failing.catch((error: Error) => error.message), 'no');
    same(await store.runs({ limit: 10, beforeId: null }), []);
    await addRuns(store, scheduled(1, T));
  },
  'keeps any text in addresses and messages': async (store) => {
    const runs = hostileTexts.map((text) => newRun({ address: text, fixedAddress: text, message: text }));
    const ids = await addRuns(store, ...runs);
    for (const [i, id] of ids.entries()) same(await store.run(id), stored(runs[i]!, id));
  },
  'keeps any JSON in the parameters of runs': async (store) => {
    const runs = hostileParams.map((params) => newRun({ params }));
    const ids = await addRuns(store, ...runs);
    for (const [i, id] of ids.entries()) same(await store.run(id), stored(runs[i]!, id));
  },
  'keeps a megabyte of parameters': async (store) => {
    const params = { text: 'ä"\\'.repeat(350_000) };
    const [id, other] = await addRuns(store, newRun({ params }), newRun({ params: 1 }));
    same((await store.run(id!))?.params, params);
    same((await store.run(other!))?.params, 1);
  },
  'lists runs by id, the newest first, a page at a time': async (store) => {
    const ids = await addRuns(store, ...Array.from({ length: 5 }, () => newRun()));
    const page = async (limit: number, beforeId: number | null) =>
      (await store.runs({ limit, beforeId })).map(({ id }) => id);
    const newest = [...ids].reverse();
    same(await page(2, null), newest.slice(0, 2));
    same(await page(2, newest[1]!), newest.slice(2, 4));
    same(await page(2, newest[3]!), newest.slice(4));
    same(await page(2, newest[4]!), []);
  },
  'lists what people see of a run, and no more': async (store) => {
    const [id] = await addRuns(store, full);
    same(await store.runs({ limit: 1, beforeId: null }), [publicRun(stored(full, id!))]);
  },
  'lists runs of a job, a fire, a state, a type and a range of schedule times': async (store) => {
    const [a, b, c, d] = (await addRuns(
      store,
      scheduled(1, T),
      scheduled(2, T + 1, { state: 'running' }),
      newRun({ jobId: 2, scheduleTime: T + 2 }),
      newRun({ jobId: 2 }),
    )) as [number, number, number, number];
    const [retry] = (await addRuns(store, newRun({ jobId: 2, fireId: b, triggerType: 'retry', state: 'queued' }))) as [
      number,
    ];
    const list = async (query: Partial<RunQuery>) =>
      (await store.runs({ limit: 10, beforeId: null, ...query })).map(({ id }) => id);
    same(await list({ jobId: 2 }), [retry, d, c, b]);
    same(await list({ jobId: 2, beforeId: c }), [b]);
    same(await list({ fireId: b }), [retry, b]);
    same(await list({ fireId: retry }), []);
    same(await list({ state: 'running' }), [b]);
    same(await list({ state: 'pending', jobId: 2 }), [d, c]);
    same(await list({ triggerType: 'schedule' }), [b, a]);
    same(await list({ from: T, to: T + 2 }), [b, a]);
    same(await list({ from: T + 1 }), [c, b]);
    same(await list({ to: T + 1 }), [a]);
    same(await list({ jobId: 3 }), []);
  },
  'lists runs that are over by their state': async (store) => {
    const [a, b] = await addRuns(store, newRun(), newRun());
    await ask(store, (trx) => trx.endRuns([end(a!, { state: 'skipped' }), end(b!, { state: 'killed' })]));
    same(
      (await store.runs({ limit: 9, beforeId: null, state: 'skipped' })).map(({ id }) => id),
      [a],
    );
    same(
      (await store.runs({ limit: 9, beforeId: null, state: 'killed' })).map(({ id }) => id),
      [b],
    );
  },
  'lists the open runs of an owner, ascending, a page at a time': async (store) => {
    const ids = await addRuns(store, newRun({ jobId: 3 }), newRun({ jobId: 1 }), newRun({ owner: 'other' }), newRun());
    await ask(store, (trx) => trx.endRuns([end(ids[1]!)]));
    const owned = (afterId: number, limit: number) => store.ownedRuns({ owner: 'me', afterId, limit });
    same(await owned(0, 10), [await store.run(ids[0]!), await store.run(ids[3]!)]);
    same(
      (await owned(0, 1)).map(({ id }) => id),
      [ids[0]],
    );
    same(
      (await owned(ids[0]!, 10)).map(({ id }) => id),
      [ids[3]],
    );
    same(await store.ownedRuns({ owner: 'nobody', afterId: 0, limit: 10 }), []);
  },
  'keeps the lines of logs in their order, each run its own': async (store) => {
    const texts = ['zero', '', ...hostileTexts];
    const lines = texts.map((text, line) => ({ runId: 7, line, text }));
    await ask(store, (trx) => trx.appendLog([...lines.slice(0, 2), { runId: 8, line: 0, text: 'other' }]));
    await ask(store, (trx) => trx.appendLog(lines.slice(2)));
    same(await store.logLines(7, 0, 1_000), texts);
    same(await store.logLines(7, 1, 2), texts.slice(1, 3));
    same(await store.logLines(7, texts.length, 10), []);
    same(await store.logLines(8, 0, 10), ['other']);
    same(await store.logLines(9, 0, 10), []);
  },
  'takes a log line that is sent twice as one': async (store) => {
    await ask(store, (trx) => trx.appendLog([{ runId: 1, line: 0, text: 'once' }]));
    await ask(store, (trx) =>
      trx.appendLog([
        { runId: 1, line: 0, text: 'once' },
        { runId: 1, line: 1, text: 'more' },
      ]),
    );
    same(await store.logLines(1, 0, 10), ['once', 'more']);
  },
};

function isNull(ids: readonly (number | null)[]): boolean[] {
  return ids.map((id) => id === null);
}
