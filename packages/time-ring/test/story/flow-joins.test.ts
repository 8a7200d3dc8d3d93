import type { HoraeDatabase } from '@horae/clock-store/storage';
import { expect, test } from 'vitest';
import { createExecutor, type Handler, type JobInput } from '../../src/index.js';
import { onEveryDatabase } from '../support/network-databases.js';
import { eventually } from '../support/network-stage.js';
import { createStage, NEVER } from '../support/ring-stage.js';

const LONG = 12;
/** One step after the other, each with the result of the one before it. */
const chain = Object.fromEntries(
  Array.from({ length: LONG }, (_, i) => [
    `s${i}`,
    i === 0 ? { job: 'work' } : { job: 'work', after: [`s${i - 1}`], params: { from: `s${i - 1}` } },
  ]),
);

/** A database that counts transactions, and fails the next one at its end when the test says so. */
function watched(database: HoraeDatabase) {
  const seen = { transactions: 0, failsNext: false };
  const transaction: HoraeDatabase['transaction'] = (work, options) => {
    seen.transactions += 1;
    return database.transaction(async (trx) => {
      const result = await work(trx);
      if (seen.failsNext) {
        seen.failsNext = false;
        throw new Error('the plug was pulled');
      }
      return result;
    }, options);
  };
  const proxy = new Proxy(database, {
    get(target, key) {
      if (key === 'transaction') return transaction;
      const value = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { database: proxy, seen };
}

type Settings = Omit<Partial<JobInput>, 'key'>;

/** A node whose only executor works on one run at a time; its clock stands still, so nothing but the flow writes. */
async function stageWith(handler: Handler, job: Settings = {}) {
  const stage = await createStage();
  const { database, seen } = watched(stage.database);
  const ring = await stage.node({ database });
  await createExecutor({ ring, handlers: { work: handler }, concurrency: 1 });
  await ring.jobs.put({ key: 'work', name: 'work', handler: 'work', schedule: NEVER, retries: 0, ...job });
  return { ...stage, ring, seen };
}

onEveryDatabase(() => {
  test('the next step is dispatched in the transaction that writes its run', async () => {
    await using stage = await stageWith(({ runId }) => runId);
    const { ring, seen } = stage;
    const before = seen.transactions;
    const flow = await ring.flows.wait((await ring.flows.start({ name: 'chain', steps: chain })).id);
    expect(flow.state).toBe('succeeded');
    // The start, the dispatch of the first step, and one for the end of each.
    expect(seen.transactions - before).toBeLessThanOrEqual(LONG + 2);
    const { runs } = await ring.runs.list({ include: ['params'], order: 'oldest' });
    expect(runs.map(({ params }) => params)).toEqual([null, ...runs.slice(0, -1).map(({ id }) => ({ from: id }))]);
  });

  test.each<Settings>([
    { block: 'DISCARD' },
    { block: 'COVER' },
    { route: 'ROUND' },
    { route: 'BUSYOVER' },
    { route: 'SHARDING_BROADCAST' },
    { maxRunning: 1 },
    { rate: { limit: 1_000, perMs: 1_000 } },
  ])('steps of a job with %o go the way of all runs, in order and once', async (job) => {
    await using stage = await stageWith(({ runId }) => runId, job);
    const { ring } = stage;
    const flow = await ring.flows.wait((await ring.flows.start({ name: 'chain', steps: chain })).id);
    expect(flow.state).toBe('succeeded');
    expect((await ring.runs.list()).runs).toHaveLength(LONG);
  });

  test('a step of a group that was paused meanwhile waits for it', async () => {
    const worked: number[] = [];
    await using stage = await stageWith(async ({ runId }) => {
      worked.push(runId);
      if (worked.length === 1) await ring.groups.pause('default');
    });
    const { ring, clock } = stage;
    const { id } = await ring.flows.start({
      name: 'chain',
      steps: { a: { job: 'work' }, b: { job: 'work', after: ['a'] } },
    });
    await eventually(async () => {
      expect((await ring.runs.list({ state: 'pending' })).runs).toMatchObject([{ waitingFor: 'paused' }]);
    });
    expect(worked).toHaveLength(1);
    await ring.groups.resume('default');
    await clock.advanceBy(2_000);
    expect((await ring.flows.wait(id)).state).toBe('succeeded');
    expect(worked).toHaveLength(2);
  });

  test('a transaction that fails gives the place of the next step back', async () => {
    const worked: number[] = [];
    await using stage = await stageWith(({ runId }) => {
      worked.push(runId);
      if (worked.length === 1) stage.seen.failsNext = true;
    });
    const { ring, clock } = stage;
    const { id } = await ring.flows.start({ name: 'chain', steps: chain });
    const over = ring.flows.wait(id);
    let isOver = false;
    void over.then(() => {
      isOver = true;
    });
    for (let tries = 0; !isOver && tries < 100; tries++) await clock.advanceBy(500);
    expect((await over).state).toBe('succeeded');
    expect(new Set(worked).size).toBe(LONG);
    expect(worked).toHaveLength(LONG);
  });
}, ['lock-row']);
