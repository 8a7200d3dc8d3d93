import { bucketOf } from '../routing/route-hash.js';
import {
  addRuns,
  ask,
  end,
  fire,
  newRun,
  type StoreCases,
  same,
  scheduled,
  settings,
  sorted,
  T,
} from './conformance-stage.js';

/** More than a pass claims by default, and more than fits into one statement on every database. */
const MANY = 6_001;

/** Fewer, because jobs are saved one by one, which is slow. */
const MANY_JOBS = 1_501;
const manyJobs = Array.from({ length: MANY_JOBS }, (_, i) => i);

const many = <R>(make: (i: number) => R): R[] => Array.from({ length: MANY }, (_, i) => make(i));

export const batchCases: StoreCases = {
  'inserts, fires, starts and ends thousands of runs in one call each': async (store) => {
    const ids = await addRuns(
      store,
      ...many((i) => scheduled(1 + (i % 7), T + i, { params: i % 3 === 0 ? { i } : null })),
    );
    same(ids, sorted(ids));
    same((await store.run(ids[3_000]!))?.params, { i: 3_000 });
    const queued = { state: 'queued', startedAt: null } as const;
    const fires = ids.map((id, i) => fire(id, { ...queued, address: `address ${i % 5}` }));
    same(sorted(await ask(store, (trx) => trx.dispatchRuns(fires))), ids);
    const starts = ids.map((id, i) => ({ id, owner: 'me', fence: 1, startedAt: T + i }));
    same(sorted(await ask(store, (trx) => trx.startRuns(starts))), ids);
    const ends = ids.map((id, i) => end(id, { message: i % 2 === 0 ? `message ${i}` : null, fence: i === 17 ? 2 : 1 }));
    same(
      sorted(await ask(store, (trx) => trx.endRuns(ends))),
      ids.filter((_, i) => i !== 17),
    );
    const { address, startedAt, message, state } = (await store.run(ids[4_004]!))!;
    same([address, startedAt, message, state], ['address 4', T + 4_004, 'message 4004', 'succeeded']);
    same((await store.run(ids[17]!))?.state, 'running');
    const again = await ask(store, (trx) => trx.insertRuns(many((i) => scheduled(1 + (i % 7), T + i))));
    same(
      again.every((id) => id === null),
      true,
    );
  },
  'takes over and hands back thousands of runs': async (store) => {
    const ids = await addRuns(
      store,
      ...many((i) => newRun({ owner: 'dead', jobId: i + 1, message: i % 2 === 0 ? 'even' : 'odd' })),
    );
    const taken = await ask(store, (trx) => trx.takeRuns({ owner: 'me', from: ['dead'], limit: MANY - 1 }));
    same(
      taken.map(({ id }) => id),
      ids.slice(0, -1),
    );
    await ask(store, (trx) => trx.handBack(taken.map(({ id, fence }) => ({ id, owner: 'me', fence }))));
    same(await ask(store, (trx) => trx.ownsRuns('me')), false);
    same((await ask(store, (trx) => trx.lockRuns(ids))).filter(({ owner }) => owner === '').length, MANY - 1);
  },
  'claims and advances thousands of jobs': async (store) => {
    await ask(store, async (trx) => {
      for (let i = 0; i < MANY_JOBS; i++) await trx.insertJob(settings(), T);
      await trx.advanceJobs(manyJobs.map((i) => ({ ...standing(i + 1), nextAt: T + (i % 100) })));
    });
    const due = await ask(store, async (trx) => {
      const jobs = await trx.lockDueJobs({ until: T + 99, limit: MANY_JOBS, buckets: null });
      await trx.advanceJobs(jobs.map(({ id }) => ({ ...standing(id), nextAt: T + 1_000 + id })));
      return jobs;
    });
    same(due.length, MANY_JOBS);
    same(
      due.slice(0, 3).map(({ id }) => id),
      [1, 101, 201],
    );
    same((await store.job(1_345))?.nextAt, T + 1_000 + 1_345);
    const mine = [0, 1, 2, 3];
    const inBuckets = await ask(store, (trx) => trx.lockDueJobs({ until: T * 2, limit: MANY_JOBS, buckets: mine }));
    same(
      inBuckets.map(({ id }) => id),
      manyJobs.map((i) => i + 1).filter((id) => mine.includes(bucketOf(id))),
    );
  },
  'appends thousands of log lines': async (store) => {
    await ask(store, (trx) => trx.appendLog(many((line) => ({ runId: 1, line, text: `line ${line}` }))));
    same(await store.logLines(1, MANY - 2, 10), [`line ${MANY - 2}`, `line ${MANY - 1}`]);
    same((await store.logLines(1, 0, MANY)).length, MANY);
  },
  'deletes thousands of runs': async (store) => {
    const ids = await addRuns(store, ...many(() => newRun()));
    await ask(store, (trx) => trx.endRuns(ids.map((id) => end(id))));
    const sweep = await ask(store, (trx) => trx.deleteRuns({ endedBefore: T + 10, afterId: 0, limit: MANY - 1 }));
    same(sweep, { deleted: MANY - 1, lastId: ids.at(-2), isDone: false });
    same(
      (await store.runs({ limit: 10, beforeId: null })).map(({ id }) => id),
      ids.slice(-1),
    );
  },
};

function standing(id: number) {
  return { id, state: 'RUNNING', stopReason: null, lastAt: T, updatedAt: T } as const;
}
