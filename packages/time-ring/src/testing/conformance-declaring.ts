import { addJob, addRuns, ask, end, newRun, type StoreCases, same, T } from './conformance-stage.js';

/** Jobs that programs declare by key, in namespaces. */
export const declaringCases: StoreCases = {
  async 'finds jobs by their keys, and leaves unknown keys out'(store) {
    await addJob(store, { key: 'a' });
    await addJob(store);
    const b = await addJob(store, { key: "b'; --" });
    same(await store.jobsByKeys([]), []);
    same(await store.jobsByKeys(['c', "b'; --"]), [b]);
    const found = await store.jobsByKeys(['a', "b'; --", 'a']);
    same(found.map(({ id }) => id).sort(), [1, 3]);
  },

  async 'keeps the namespace of a job, and finds its jobs by id'(store) {
    const jobs = [await addJob(store, { key: 'a' }), await addJob(store, { key: 'b' }), await addJob(store)];
    same(
      jobs.map(({ namespace }) => namespace),
      [null, null, null],
    );
    await ask(store, async (trx) => {
      await trx.putJob({ ...jobs[1]!, namespace: 'one ä' });
      await trx.putJob({ ...jobs[0]!, namespace: 'one ä' });
    });
    same(await store.jobsOfNamespace('two'), []);
    const found = await store.jobsOfNamespace('one ä');
    same(
      found.map(({ id, namespace }) => [id, namespace]),
      [
        [1, 'one ä'],
        [2, 'one ä'],
      ],
    );
    same((await store.job(1))?.namespace, 'one ä');
  },

  async 'finds running jobs that have no next time, and whether their fires are open'(store) {
    const waiting = await addJob(store, {}, T);
    await addJob(store, {}, T);
    await addJob(store);
    await ask(store, (trx) => trx.putJob({ ...waiting, nextAt: null }));
    same(await store.jobsBetweenFires({ ids: null, limit: 9 }), [1]);
    same(await store.jobsBetweenFires({ ids: [2, 3], limit: 9 }), []);
    same(await store.jobsBetweenFires({ ids: [3, 1], limit: 9 }), [1]);
    same(await store.jobsBetweenFires({ ids: [], limit: 9 }), []);
    same(await store.hasOpenFires(1), false);
    await addRuns(store, newRun({ triggerType: 'manual' }), newRun({ jobId: 2, triggerType: 'schedule' }));
    same(await store.hasOpenFires(1), false);
    const [id] = await addRuns(store, newRun({ triggerType: 'retry' }));
    same(await store.hasOpenFires(1), true);
    await ask(store, (trx) => trx.endRuns([end(id!)]));
    same(await store.hasOpenFires(1), false);
  },
};
