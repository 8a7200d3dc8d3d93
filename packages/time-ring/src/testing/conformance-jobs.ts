import { rejects } from 'node:assert/strict';
import type { Job } from '../model/job.js';
import { bucketOf } from '../routing/route-hash.js';
import type { JobAdvance } from '../store/job-store.js';
import {
  addJob,
  ask,
  hostileParams,
  hostileTexts,
  registration,
  type StoreCases,
  same,
  settings,
  T,
} from './conformance-stage.js';

function advance(id: number, change: Partial<JobAdvance> = {}): JobAdvance {
  return { id, state: 'RUNNING', stopReason: null, lastAt: T, nextAt: T + 1_000, updatedAt: T + 5, ...change };
}

const full: Partial<Job> = {
  maxRunning: 3,
  rate: { limit: 5, perMs: 60_000 },
  jitterMs: 250,
  except: ['holidays ä', 'nights'],
  keepRuns: { days: 0.5, count: 100 },
  key: 'full:job',
  description: 'Says "what" it does \u0000 ä',
  owner: 'somebody',
  labels: { team: 'a', '': '', __proto__x: 'ä\u0000' },
  waitMs: null,
  retry: { kind: 'exponential', firstMs: 5, factor: 1.5, maxMs: 50, jitter: 0 },
  name: 'every field',
  schedule: { kind: 'cron', expression: '0 0 12 ? * MON-FRI', dialect: 'quartz', zone: 'Europe/Berlin' },
  params: { a: [1, 'two', null] },
  misfire: 'FIRE_ONCE_NOW',
  route: 'CONSISTENT_HASH',
  block: 'CONCURRENT',
  concurrency: 7,
  timeoutMs: 30_000,
  retries: 3,
  priority: -5,
  children: [9, 2],
  executorGroup: 'a group',
};

export const jobCases: StoreCases = {
  'numbers jobs 1, 2, 3 and gives no number twice, not even after a deletion': async (store) => {
    same((await addJob(store)).id, 1);
    same((await addJob(store)).id, 2);
    same((await addJob(store)).id, 3);
    await ask(store, (trx) => trx.deleteJob(3));
    same((await addJob(store)).id, 4);
  },
  'leaves no gap in the numbers where a transaction failed': async (store) => {
    await addJob(store);
    const failing = store.transaction(async (trx) => {
      await trx.insertJob(settings(), T);
      throw new Error('changed my mind');
    });
    await rejects(failing, /changed my mind/);
    same((await addJob(store)).id, 2);
  },
  'reserves numbers that no other job gets, and inserts jobs under them as they are': async (store) => {
    await addJob(store);
    same(await ask(store, (trx) => trx.reserveJobIds(3)), 2);
    const between = await addJob(store);
    same(between.id, 5);
    const jobs: Job[] = [4, 2].map((id) => ({ ...between, ...full, key: null, id, state: 'RUNNING', nextAt: T + id }));
    await ask(store, (trx) => trx.insertJobs(jobs));
    same(await store.jobsByIds([2, 3, 4]), [jobs[1], jobs[0]]);
    same((await addJob(store)).id, 6);
  },
  'gives a new job stopped, with every field as it was put': async (store) => {
    const job = await addJob(store, full);
    const standing = { state: 'STOPPED', stopReason: null, lastAt: null, nextAt: null, createdAt: T, updatedAt: T };
    same(job, { ...settings(full), ...standing, id: 1, namespace: null });
    same(await store.job(1), job);
  },
  'replaces every field of a job, and nothing of another': async (store) => {
    const before = await addJob(store);
    const other = await addJob(store, { name: 'another' });
    const after: Job = {
      ...before,
      ...settings(full),
      state: 'RUNNING',
      stopReason: { code: 'bad-schedule', message: 'for "a" reason' },
      lastAt: T + 1,
      nextAt: T + 2.5,
      createdAt: T - 1,
      updatedAt: T + 3,
    };
    await ask(store, (trx) => trx.putJob(after));
    same(await store.job(1), after);
    same(await store.job(2), other);
  },
  'does not bring a deleted job back by putting it': async (store) => {
    const job = await addJob(store);
    await ask(store, (trx) => trx.deleteJob(job.id));
    await ask(store, (trx) => trx.putJob(job));
    same(await store.job(job.id), null);
  },
  'answers null for jobs and runs that are not there': async (store) => {
    for (const id of [1, 0, -1, 1.5, Number.NaN, Number.MAX_SAFE_INTEGER, 1e300]) {
      same(await store.job(id), null);
      same(await store.run(id), null);
      same(await ask(store, (trx) => trx.lockJob(id)), null);
    }
  },
  'keeps any text in names, handlers, groups and reasons': async (store) => {
    for (const text of [...hostileTexts, 'end', 'end ', 'END']) {
      const job = await addJob(store, { name: text, handler: text, executorGroup: text });
      same([job.name, job.handler, job.executorGroup], [text, text, text]);
      const stopped: Job = { ...job, stopReason: { code: 'bad-schedule', message: text } };
      await ask(store, (trx) => trx.putJob(stopped));
      same(await store.job(job.id), stopped);
      same(await store.jobs({ executorGroup: text, limit: 10, afterId: 0 }), [stopped]);
    }
  },
  'keeps any JSON in the parameters of a job': async (store) => {
    for (const params of hostileParams) {
      const { id } = await addJob(store, { params });
      same((await store.job(id))?.params, params);
    }
  },
  'lists jobs by id, a page at a time, of a state and a group': async (store) => {
    for (let i = 1; i <= 6; i++) {
      await addJob(store, { executorGroup: i % 2 === 0 ? 'even' : 'odd' }, i > 3 ? T + i : undefined);
    }
    const ids = async (query: { state?: Job['state']; executorGroup?: string; limit: number; afterId: number }) =>
      (await store.jobs(query)).map(({ id }) => id);
    same(await ids({ limit: 4, afterId: 0 }), [1, 2, 3, 4]);
    same(await ids({ limit: 4, afterId: 4 }), [5, 6]);
    same(await ids({ limit: 10, afterId: 0, state: 'RUNNING' }), [4, 5, 6]);
    same(await ids({ limit: 10, afterId: 0, state: 'STOPPED', executorGroup: 'odd' }), [1, 3]);
    same(await ids({ limit: 10, afterId: 6 }), []);
  },
  'gives jobs by their ids, ascending, each once, without the unknown': async (store) => {
    for (let i = 0; i < 4; i++) await addJob(store);
    same(
      (await store.jobsByIds([4, 99, 2, 4, 1.5])).map(({ id }) => id),
      [2, 4],
    );
    same(await store.jobsByIds([]), []);
  },
  'holds due jobs by next time and id, up to the limit': async (store) => {
    const times = [T + 3, T + 1, T + 2, T + 1, T + 4];
    for (const nextAt of times) await addJob(store, {}, nextAt);
    await addJob(store);
    const due = (until: number, limit: number) => ask(store, (trx) => trx.lockDueJobs({ until, limit, buckets: null }));
    same(
      (await due(T + 3, 10)).map(({ id }) => id),
      [2, 4, 3, 1],
    );
    same(
      (await due(T + 3, 3)).map(({ id }) => id),
      [2, 4, 3],
    );
    same(await due(T, 10), []);
    same((await due(T + 4, 10)).at(-1), await store.job(5));
  },
  'holds due jobs of the asked buckets alone': async (store) => {
    const all = [];
    for (let i = 0; i < 12; i++) all.push((await addJob(store, {}, T)).id);
    const buckets = [bucketOf(3), bucketOf(7), bucketOf(11)];
    const due = (of: readonly number[]) =>
      ask(store, async (trx) => (await trx.lockDueJobs({ until: T, limit: 100, buckets: of })).map(({ id }) => id));
    same(
      await due(buckets),
      all.filter((id) => buckets.includes(bucketOf(id))),
    );
    same(await due([]), []);
  },
  'advances many jobs, and leaves what a pass does not write': async (store) => {
    const first = await addJob(store, full, T);
    const second = await addJob(store, {}, T);
    const third = await addJob(store, {}, T);
    const stop = { code: 'no-next-time', message: 'nothing "left"' } as const;
    await ask(store, (trx) =>
      trx.advanceJobs([
        advance(second.id, { state: 'STOPPED', stopReason: stop, nextAt: null }),
        advance(first.id, { lastAt: null, nextAt: T + 7.5 }),
        advance(99),
      ]),
    );
    same(await store.job(1), { ...first, lastAt: null, nextAt: T + 7.5, updatedAt: T + 5 });
    const stopped = { ...second, state: 'STOPPED', stopReason: stop, lastAt: T, nextAt: null, updatedAt: T + 5 };
    same(await store.job(2), stopped);
    same(await store.job(3), third);
    same(await store.job(99), null);
  },
  'knows the families of jobs, and nothing else': async (store) => {
    await addJob(store);
    await addJob(store, { children: [1] });
    const third = await addJob(store, { children: [2, 1] });
    const families = () => ask(store, async (trx) => [...(await trx.lockFamilies())].sort(([a], [b]) => a - b));
    same(await families(), [
      [2, [1]],
      [3, [2, 1]],
    ]);
    await ask(store, (trx) => trx.putJob({ ...third, children: [] }));
    same(await families(), [[2, [1]]]);
  },
  'has one lock row, and tells so': async (store) => {
    same(await ask(store, (trx) => trx.takeLockRow()), true);
    same(await ask(store, async (trx) => [await trx.takeLockRow(), await trx.takeLockRow()]), [true, true]);
  },
  'keeps the first claim mode': async (store) => {
    same(await ask(store, (trx) => trx.claimMode('buckets')), 'buckets');
    same(await ask(store, (trx) => trx.claimMode('lock-row')), 'buckets');
    same(await ask(store, (trx) => trx.claimMode('buckets')), 'buckets');
  },
  'undoes all of a transaction that fails': async (store) => {
    const job = await addJob(store, {}, T);
    const failing = store.transaction(async (trx) => {
      await trx.putJob({ ...job, name: 'changed' });
      await trx.insertJob(settings(), T);
      await trx.heartbeat({ owner: 'me', nodeId: 'node', beatAt: T });
      await trx.takeBucket(5, 'me', T, T + 1);
      await trx.putExecutor(registration('g', 'a'));
      await trx.claimMode('buckets');
      throw new Error('no');
    });
    await rejects(failing, /^Error: no$/);
    same(await store.jobs({ limit: 10, afterId: 0 }), [job]);
    same(await store.nodes(), []);
    same((await store.buckets())[5]?.owner, null);
    same(await store.executors(), []);
    same(await ask(store, (trx) => trx.claimMode('lock-row')), 'lock-row');
  },
  'shows a transaction its own writes': async (store) => {
    await ask(store, async (trx) => {
      const job = await trx.insertJob(settings(), T);
      same(await trx.job(job.id), job);
      same(await trx.lockJob(job.id), job);
      same(await trx.jobs({ limit: 5, afterId: 0 }), [job]);
      await trx.deleteJob(job.id);
      same(await trx.job(job.id), null);
    });
  },
  'has a clock of its own, or none': async (store) => {
    const now = await store.now();
    const inside = await ask(store, (trx) => trx.now());
    same(typeof inside, now === null ? 'object' : 'number');
    if (now !== null && inside !== null) same(inside >= now && Number.isSafeInteger(Math.floor(now)), true);
  },
};
