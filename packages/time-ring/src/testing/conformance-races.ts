import type { JobStore, JobTransaction } from '../store/job-store.js';
import {
  addJob,
  addRuns,
  ask,
  end,
  fire,
  newRun,
  registration,
  type StoreCases,
  same,
  scheduled,
  settings,
  sorted,
  T,
} from './conformance-stage.js';

const CONTENDERS = 8;

/** The results of transactions that begin at the same moment. */
function together<R>(store: JobStore, work: (trx: JobTransaction, contender: number) => Promise<R>): Promise<R[]> {
  return Promise.all(Array.from({ length: CONTENDERS }, (_, i) => store.transaction((trx) => work(trx, i))));
}

export const raceCases: StoreCases = {
  'lets one transaction after the other change a job they all hold': async (store) => {
    const { id } = await addJob(store);
    await together(store, async (trx) => {
      const job = await trx.lockJob(id);
      await trx.putJob({ ...job!, priority: job!.priority + 1 });
    });
    same((await store.job(id))?.priority, CONTENDERS);
  },
  'lets one transaction after the other have the lock row': async (store) => {
    const { id } = await addJob(store);
    await together(store, async (trx) => {
      same(await trx.takeLockRow(), true);
      const job = await trx.job(id);
      await trx.putJob({ ...job!, priority: job!.priority + 1 });
    });
    same((await store.job(id))?.priority, CONTENDERS);
  },
  'gives every one of many new jobs a number of its own, without a gap': async (store) => {
    const ids = await together(store, async (trx) => (await trx.insertJob(settings(), T)).id);
    same(
      sorted(ids),
      Array.from({ length: CONTENDERS }, (_, i) => i + 1),
    );
  },
  'shows who holds the families what the one before has saved': async (store) => {
    const jobs = [await addJob(store), await addJob(store)];
    const saved = await Promise.all(
      jobs.map((job, i) =>
        store.transaction(async (trx) => {
          const families = await trx.lockFamilies();
          const child = jobs[1 - i]!.id;
          if (families.has(child)) return 'refused';
          await trx.putJob({ ...job, children: [child] });
          return 'saved';
        }),
      ),
    );
    same(saved.sort(), ['refused', 'saved']);
  },
  'writes a fire once when many write it at once': async (store) => {
    const times = Array.from({ length: 20 }, (_, i) => T + i);
    const answers = await together(store, (trx) => trx.insertRuns(times.map((time) => scheduled(1, time))));
    for (const [i] of times.entries()) same(answers.filter((ids) => ids[i] !== null).length, 1);
    same((await store.runs({ limit: 100, beforeId: null })).length, times.length);
  },
  'gives a unique key to one of many who ask for it at once': async (store) => {
    const asked = Array.from({ length: 8 }, () =>
      ask(store, (trx) => trx.insertRuns([newRun(), newRun({ uniqueKey: 'a' })])),
    );
    const given = (await Promise.all(asked)).map(([, id]) => id).filter((id) => id !== null);
    same(given.length, 1);
    same(await ask(store, (trx) => trx.lockUnique(1, ['a'])), [{ uniqueKey: 'a', fireId: given[0]!, until: null }]);
  },
  'gives due jobs to one transaction after the other': async (store) => {
    for (let i = 0; i < 10; i++) await addJob(store, {}, T);
    const answers = await together(store, async (trx) => {
      await trx.takeLockRow();
      const due = await trx.lockDueJobs({ until: T, limit: 4, buckets: null });
      await trx.advanceJobs(
        due.map(({ id }) => ({ id, state: 'RUNNING', stopReason: null, lastAt: T, nextAt: T + 1_000, updatedAt: T })),
      );
      return due.map(({ id }) => id);
    });
    same(
      sorted(answers.flat()),
      Array.from({ length: 10 }, (_, i) => i + 1),
    );
  },
  'does not undo a stop that comes between claim and write-back': async (store) => {
    const { id } = await addJob(store, {}, T);
    const pass = store.transaction(async (trx) => {
      const due = await trx.lockDueJobs({ until: T, limit: 10, buckets: null });
      await trx.advanceJobs(
        due.map((job) => ({ ...job, stopReason: null, lastAt: T, nextAt: T + 1_000, updatedAt: T })),
      );
    });
    const stop = store.transaction(async (trx) => {
      const job = await trx.lockJob(id);
      await trx.putJob({ ...job!, state: 'STOPPED', nextAt: null });
    });
    await Promise.all([pass, stop]);
    const job = await store.job(id);
    same([job?.state, job?.nextAt], ['STOPPED', null]);
  },
  'gives every lost run to one of many who take': async (store) => {
    const ids = await addRuns(store, ...Array.from({ length: 40 }, (_, i) => newRun({ owner: 'dead', jobId: 40 - i })));
    const answers = await together(store, (trx, i) => trx.takeRuns({ owner: `taker ${i}`, from: ['dead'], limit: 10 }));
    const taken = answers.flat();
    same(new Set(taken.map(({ id }) => id)).size, taken.length);
    same(
      taken.every(({ fence }) => fence === 2),
      true,
    );
    let rest = 0;
    for (let i = 0; i < 4; i++) {
      rest += (await ask(store, (trx) => trx.takeRuns({ owner: 'late', from: ['dead'], limit: 10 }))).length;
    }
    same(taken.length + rest, ids.length);
  },
  'leaves no run with an owner that nobody knows, when a node takes a run while others find it dead': async (store) => {
    for (let round = 0; round < 5; round++) {
      await ask(store, (trx) => trx.heartbeat({ owner: 'slow', nodeId: 'slow', beatAt: T }));
      await together(store, async (trx, i) => {
        if (i % 2 === 0) {
          await trx.keepNode({ owner: 'slow', nodeId: 'slow', beatAt: T });
          await trx.insertRuns([newRun({ owner: 'slow' })]);
          return;
        }
        // A transaction that does not lock it must not remove it: it may be another one by now.
        if ((await trx.lockNodes(['slow'])).length === 0) return;
        await trx.takeRuns({ owner: 'taker', from: ['slow'], limit: 1_000 });
        if (!(await trx.ownsRuns('slow'))) await trx.removeNode('slow');
      });
      const isKnown = (await store.nodes()).some(({ owner }) => owner === 'slow');
      same((await ask(store, (trx) => trx.ownsRuns('slow'))) && !isKnown, false);
    }
  },
  'records one of many results for a run': async (store) => {
    const [id] = (await addRuns(store, newRun())) as [number];
    const answers = await together(store, (trx, i) => trx.endRuns([end(id, { code: i })]));
    same(answers.filter((ids) => ids.size === 1).length, 1);
  },
  'records one of many results for each of many runs, in whatever order they come': async (store) => {
    const ids = await addRuns(store, ...Array.from({ length: 60 }, () => newRun()));
    const answers = await together(store, (trx, i) => {
      const mine = ids.filter((_, at) => at % 3 !== i % 3);
      return trx.endRuns((i % 2 === 0 ? mine : [...mine].reverse()).map((id) => end(id)));
    });
    same(sorted(answers.flatMap((ended) => [...ended])), ids);
  },
  'fires or withdraws a run, never both': async (store) => {
    const ids = await addRuns(store, ...Array.from({ length: 10 }, (_, i) => scheduled(1, T + i)));
    const [fired, withdrawn] = await Promise.all([
      store.transaction((trx) => trx.dispatchRuns(ids.map((id) => fire(id)))),
      store.transaction((trx) => trx.withdrawRuns(1)),
    ]);
    same(sorted([...fired, ...withdrawn]), ids);
    same((await store.runs({ limit: 20, beforeId: null })).length, fired.size);
  },
  'gives a bucket to one of many': async (store) => {
    const answers = await together(store, (trx, i) => trx.takeBucket(5, `node ${i}`, T, T + 100));
    same(
      answers.filter((epoch) => epoch !== null),
      [1],
    );
  },
  'registers an executor once when many register it': async (store) => {
    const answers = await together(store, (trx) => trx.putExecutor(registration('g', 'a')));
    same(answers.filter((answer) => answer === 'new').length, 1);
    same((await store.executors()).length, 1);
  },
  'agrees on one claim mode': async (store) => {
    const answers = await together(store, (trx, i) => trx.claimMode(i % 2 === 0 ? 'buckets' : 'lock-row'));
    same(new Set(answers).size, 1);
  },
};
