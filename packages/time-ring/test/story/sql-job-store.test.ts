import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HoraeDatabase, openDatabase } from '@horae/clock-store/storage';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lockRow, sqlJobStore } from '../../src/index.js';
import {
  addJob,
  addRuns,
  ask,
  claim,
  fire,
  newRun,
  scheduled,
  settings,
  T,
} from '../../src/testing/conformance-stage.js';

let folder: string;
let database: HoraeDatabase;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'horae-ring-'));
  database = await openDatabase(`sqlite:${join(folder, 'ring.db')}`);
});

afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const run = (statement: string) => sql.raw(statement).execute(database.kysely);

describe('the lock row', () => {
  test('is missed when it is gone, and is never put back by opening the store again', async () => {
    const store = await sqlJobStore(database);
    await run(`delete from ${lockRow.table}`);
    expect(await ask(store, (trx) => trx.takeLockRow())).toBe(false);
    const again = await sqlJobStore(database);
    expect(await ask(again, (trx) => trx.takeLockRow())).toBe(false);
  });

  test('can be put back by hand with its one column', async () => {
    const store = await sqlJobStore(database);
    await run(`delete from ${lockRow.table}`);
    await run(`insert into ${lockRow.table} (${lockRow.column}) values ('${lockRow.value}')`);
    expect(await ask(store, (trx) => trx.takeLockRow())).toBe(true);
  });
});

describe('what people do at a SQL prompt', () => {
  test.each([
    { story: 'no JSON', text: 'every now and then' },
    { story: 'cut off', text: '{"kind":"cron","expr' },
    { story: 'a number', text: '12' },
    { story: 'null', text: 'null' },
    { story: 'of an unknown kind', text: '{"kind":"weekly"}' },
    { story: 'faster than a second', text: '{"kind":"fix-rate","everyMs":1}' },
    { story: 'cron without an expression', text: '{"kind":"cron"}' },
  ])('a schedule that is $story spoils its own job and no other', async ({ text }) => {
    const store = await sqlJobStore(database);
    await addJob(store, {}, T);
    await addJob(store, {}, T);
    await sql`update horae_ring_jobs set schedule = ${text} where id = 1`.execute(database.kysely);
    const due = await ask(store, (trx) => trx.lockDueJobs({ until: T, limit: 10, buckets: null }));
    expect(due.map(({ schedule }) => schedule)).toEqual([{ kind: 'cron', expression: text }, settings().schedule]);
  });

  test('the schedule of a job and the state of its runs can be read and written', async () => {
    const store = await sqlJobStore(database);
    await addJob(store, { schedule: { kind: 'none' } });
    await run(
      `update horae_ring_jobs set schedule = '{"kind":"fix-rate","everyMs":5000}', next_at = 7, state = 'RUNNING'`,
    );
    expect(await store.job(1)).toMatchObject({
      schedule: { kind: 'fix-rate', everyMs: 5_000 },
      nextAt: 7,
      state: 'RUNNING',
    });
    await addRuns(store, scheduled(1, T));
    const { rows } = await run('select id, job_id, schedule_time, state from horae_ring_runs');
    expect(rows).toEqual([{ id: 1, job_id: 1, schedule_time: T, state: 'pending' }]);
  });

  test('parameters that are no JSON any more are given as the text they are', async () => {
    const store = await sqlJobStore(database);
    await addJob(store, { params: { a: 1 } });
    await run(`update horae_ring_jobs set params = '{"a":', children = 'none'`);
    expect(await store.job(1)).toMatchObject({ params: '{"a":', children: [] });
  });

  test('a job that was inserted with an id of its own is counted past', async () => {
    const store = await sqlJobStore(database);
    await addJob(store);
    await run('update horae_ring_jobs set id = 41');
    expect((await addJob(store)).id).toBe(42);
  });
});

test('a transaction that cannot take hold of its node’s row is rolled back after ten looks, and nothing of it stays', async () => {
  const store = await sqlJobStore(database);
  const node = { owner: 'node 1', nodeId: 'one', beatAt: T };
  // The row seems to be there whenever it is written, and gone whenever it is looked at.
  await run('create trigger vanishing before insert on horae_ring_nodes begin select raise(ignore); end');
  const making = ask(store, async (trx) => {
    await trx.insertJob(settings(), T);
    await trx.keepNode(node);
  });
  await expect(making).rejects.toThrow('The row of node node 1 was written and removed 10 times by others');
  expect(await store.jobs({ limit: 10, afterId: 0 })).toEqual([]);
  await run('drop trigger vanishing');
  await ask(store, (trx) => trx.keepNode(node));
  expect(await ask(store, (trx) => trx.lockNodes(['node 1']))).toMatchObject([{ owner: 'node 1' }]);
});

test('the store leaves its database open, and two stores on it see the same', async () => {
  const store = await sqlJobStore(database);
  const other = await sqlJobStore(database);
  const job = await addJob(store);
  await store.close();
  expect(await other.job(job.id)).toEqual(job);
});

test('two processes’ connections to one file take turns', async () => {
  const first = await sqlJobStore(database);
  const database2 = await openDatabase(`sqlite:${join(folder, 'ring.db')}`);
  try {
    const second = await sqlJobStore(database2);
    const { id } = await addJob(first);
    const raise = (store: typeof first) =>
      store.transaction(async (trx) => {
        const job = await trx.lockJob(id);
        await trx.putJob({ ...job!, priority: job!.priority + 1 });
      });
    await Promise.all([raise(first), raise(second), raise(first), raise(second)]);
    expect((await second.job(id))?.priority).toBe(4);
    const [run1] = await addRuns(first, newRun());
    expect(await ask(second, (trx) => trx.dispatchRuns([fire(run1!)]))).toEqual(new Set([run1]));
    await ask(first, (trx) => trx.handBack([claim(run1!)]));
    expect((await second.run(run1!))?.owner).toBe('');
  } finally {
    await database2.close();
  }
});

/** The plan of a statement, in which a walk through a whole table shows as SCAN. */
async function planOf(statement: string): Promise<string> {
  const { rows } = await sql<{ detail: string }>`explain query plan ${sql.raw(statement)}`.execute(database.kysely);
  return rows.map(({ detail }) => detail).join('\n');
}

test.each([
  {
    story: 'due jobs',
    statement: `select * from horae_ring_jobs where state = 'RUNNING' and next_at <= 5 order by next_at, id limit 9`,
    index: 'horae_ring_jobs_due',
  },
  {
    story: 'the open runs of an owner',
    statement: `select * from horae_ring_runs where owner in ('a', 'b') order by id limit 9`,
    index: 'horae_ring_runs_open',
  },
  {
    story: 'the runs of a job',
    statement: 'select * from horae_ring_runs where job_id = 1 order by id desc limit 9',
    index: 'horae_ring_runs_job',
  },
  {
    story: 'the runs of a fire',
    statement: 'select * from horae_ring_runs where ((id = 1 and fire_id is null) or fire_id = 1) order by id',
    index: 'horae_ring_runs_fire',
  },
  {
    story: 'families',
    statement: 'select id, children from horae_ring_jobs where children is not null order by id',
    index: 'horae_ring_jobs_parents',
  },
])('$story are found by an index', async ({ statement, index }) => {
  await sqlJobStore(database);
  expect(await planOf(statement)).toContain(index);
});
