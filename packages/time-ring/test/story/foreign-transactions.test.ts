import { openDatabase } from '@horae/clock-store/storage';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createExecutor, type Flow, type ForeignTransaction, startTimeRing } from '../../src/index.js';
import { networkPlace, onEveryDatabase } from '../support/network-databases.js';
import { eventually } from '../support/network-stage.js';

/** A transaction that the test ends, of the kind that a user of this database has. */
interface Begun {
  readonly transaction: ForeignTransaction;
  end(how: 'commit' | 'rollback'): Promise<void>;
}

async function beginPg(url: string): Promise<Begun & { client: pg.Client }> {
  const client = new pg.Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('begin');
  return { client, transaction: client, end: async (how) => void (await client.query(how)) };
}

async function beginMysql(url: string): Promise<Begun & { connection: mysql.Connection }> {
  const connection = await mysql.createConnection(url);
  onTestFinished(() => connection.end());
  await connection.beginTransaction();
  return { connection, transaction: connection, end: async (how) => void (await connection.query(how)) };
}

async function kinds(url: string): Promise<Record<string, () => Promise<Begun>>> {
  const database = await openDatabase(url);
  onTestFinished(() => database.close());
  const kysely = async (): Promise<Begun> => {
    const trx = await database.kysely.startTransaction().execute();
    return { transaction: trx as never, end: async (how) => void (await trx[how]().execute()) };
  };
  if (url.startsWith('postgres')) {
    const any = async () => {
      const { client, end } = await beginPg(url);
      const execute = async (text: string, values: unknown[]) => (await client.query(text, values)).rows as object[];
      return { transaction: { dialect: 'postgres' as const, execute }, end };
    };
    return { pg: () => beginPg(url), any, kysely };
  }
  const any = async () => {
    const { connection, end } = await beginMysql(url);
    const execute = async (text: string, values: unknown[]) => (await connection.query(text, values))[0] as object[];
    return { transaction: { dialect: 'mysql' as const, execute }, end };
  };
  return { mysql2: () => beginMysql(url), any, kysely };
}

async function stage() {
  const { database: url } = networkPlace();
  const database = await openDatabase(url);
  const ring = await startTimeRing({ database });
  onTestFinished(async () => {
    await ring.stop({ deadlineMs: 0 });
    await database.close();
  });
  await createExecutor({ ring, handlers: { work: ({ params }) => params } });
  const job = await ring.jobs.add({
    key: 'work',
    name: 'w',
    handler: 'work',
    schedule: { kind: 'none' },
    labels: { a: 'job', ü: '"' },
  });
  return { url, ring, job, database };
}

onEveryDatabase(() => {
  test('a run exists if and only if the transaction of the caller commits', async () => {
    const { url, ring, job, database } = await stage();
    if (url.startsWith('sqlite')) {
      const run = await database.transaction((transaction) => ring.jobs.trigger(job.id, { params: 1, transaction }));
      expect((await ring.runs.wait(run.id)).result).toBe(1);
      const undone = database.transaction(async (transaction) => {
        await ring.jobs.triggerMany(job.id, [{}, {}], { transaction });
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow('undone');
      expect((await ring.runs.list()).runs).toHaveLength(1);
      return;
    }
    for (const [name, begin] of Object.entries(await kinds(url))) {
      const undone = await begin();
      await ring.jobs.trigger(job.id, { transaction: undone.transaction, uniqueKey: name });
      await undone.end('rollback');
      const begun = await begin();
      const { transaction } = begun;
      const items = [{ params: name, uniqueKey: name, labels: { a: 'x' } }, { uniqueKey: name }, { delayMs: 1e8 }];
      const runs = await ring.jobs.triggerMany(job.id, items, { transaction });
      expect(runs.map(({ deduplicated }) => deduplicated)).toEqual([false, true, false]);
      expect(runs[1]).toEqual({ ...runs[0], deduplicated: true });
      expect(await ring.runs.get(runs[0]!.id)).toBeNull();
      await begun.end('commit');
      expect(await ring.runs.wait(runs[0]!.id)).toMatchObject({ result: name, labels: { a: 'x', ü: '"' } });
      expect((await ring.runs.get(runs[2]!.id))!.state).toBe('pending');
    }
    expect((await ring.runs.list()).runs).toHaveLength(6);
  });

  test('a flow exists if and only if the transaction of the caller commits', async () => {
    const { url, ring, database } = await stage();
    const steps = {
      a: { job: 'work', params: 1 },
      b: { job: 'work', after: ['a'], params: { from: 'a' } },
      c: { job: 'work', after: ['a'], when: 'failed' },
    } as const;
    const start = (name: string, transaction: ForeignTransaction) => ring.flows.start({ name, steps }, { transaction });
    const finished = async (flow: Flow) => {
      expect(await ring.flows.wait(flow.id)).toMatchObject({
        ...{ name: flow.name, state: 'succeeded' },
        steps: { a: { state: 'succeeded' }, b: { state: 'succeeded' }, c: { state: 'skipped', runId: null } },
      });
    };
    if (url.startsWith('sqlite')) {
      await finished(await database.transaction((transaction) => start('sqlite', transaction)));
      const undone = database.transaction(async (transaction) => {
        await start('undone', transaction);
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow('undone');
    } else {
      for (const [name, begin] of Object.entries(await kinds(url))) {
        const undone = await begin();
        await start('undone', undone.transaction);
        await undone.end('rollback');
        const begun = await begin();
        const flow = await start(name, begun.transaction);
        expect(flow).toMatchObject({ state: 'running', steps: { a: { state: 'pending' }, b: { state: 'waiting' } } });
        expect(await ring.flows.get(flow.id)).toBeNull();
        expect(await ring.runs.get(flow.steps.a!.runId!)).toBeNull();
        await begun.end('commit');
        await finished(flow);
      }
    }
    expect((await ring.flows.list({ name: 'undone' })).flows).toEqual([]);
    const { flows } = await ring.flows.list();
    expect((await ring.runs.list()).runs).toHaveLength(2 * flows.length);
  });

  test('a flow inside a transaction of the caller knows the run that starts it', async () => {
    const { url, ring, database } = await stage();
    const flow = { name: 'deep', steps: { a: { job: 'work' } } };
    const inside = async (fromRun: number) => {
      if (url.startsWith('sqlite')) {
        return database.transaction((transaction) => ring.flows.start(flow, { fromRun, transaction }));
      }
      const begun = await Object.values(await kinds(url))[0]!();
      const started = await ring.flows.start(flow, { fromRun, transaction: begun.transaction });
      await begun.end('commit');
      return started;
    };
    let started = await ring.flows.start(flow);
    for (let depth = 1; depth < 10; depth++) started = await inside(started.steps.a!.runId!);
    await expect(inside(started.steps.a!.runId!)).rejects.toMatchObject({ code: 'bad-flow' });
  });

  test('what is no transaction on the database of the ring is refused', async () => {
    const { url, ring, job, database } = await stage();
    const dialect = database.dialect === 'postgres' ? 'mysql' : 'postgres';
    const strange = [null, 5, {}, database.kysely, { dialect, execute: async () => [] }, { query: () => {} }];
    for (const transaction of strange) {
      if (transaction !== null && 'query' in Object(transaction) && database.dialect === 'postgres') continue;
      const refused = ring.jobs.trigger(job.id, { transaction: transaction as never });
      await expect(refused).rejects.toMatchObject({ code: 'bad-transaction' });
      const flow = ring.flows.start(
        { name: 'f', steps: { a: { job: 'work' } } },
        { transaction: transaction as never },
      );
      await expect(flow).rejects.toMatchObject({ code: 'bad-transaction' });
    }
    if (url.startsWith('sqlite')) return;
    const elsewhere = { dialect: database.dialect, execute: async () => [] };
    await expect(ring.jobs.trigger(job.id, { transaction: elsewhere })).rejects.toThrow(/no tables of the ring/);
  });

  test('horae_trigger asks for a run from SQL, where the database is PostgreSQL', async () => {
    const { url, ring, job } = await stage();
    if (!url.startsWith('postgres')) return;
    const { client, end } = await beginPg(url);
    const call = async (...values: unknown[]) => {
      const list = values.map((_, i) => `$${i + 1}`).join(', ');
      const { rows } = await client.query(
        `select horae_trigger(${list}) as id`,
        values.map((v, i) => (i === 0 ? v : JSON.stringify(v))),
      );
      return Number(rows[0].id);
    };
    const first = await call(
      'work',
      { to: ['ä'] },
      { uniqueKey: 'k"', labels: { a: 'ö,"', b: '2' }, priority: 7, uniqueForMs: 60_000 },
    );
    expect(await call('work', {}, { uniqueKey: 'k"' })).toBe(first);
    const later = await call('work', null, { delayMs: 1e8 });
    const dated = await call('work', null, { at: '2999-01-01T00:00:00+02:00' });
    const plain = await call('work');
    await end('commit');
    expect(await ring.runs.wait(first)).toMatchObject({
      ...{ result: { to: ['ä'] }, uniqueKey: 'k"', priority: 7, labels: { a: 'ö,"', b: '2', ü: '"' } },
      ...{ triggerType: 'manual', isLastAttempt: true },
    });
    expect((await ring.jobs.trigger(job.id, { uniqueKey: 'k"' })).id).toBe(first);
    expect((await ring.runs.list({ labels: { a: 'ö,"', ü: '"' } })).runs.map(({ id }) => id)).toEqual([first]);
    expect((await ring.runs.get(later))!.state).toBe('pending');
    expect((await ring.runs.get(dated))!.dueAt).toBe(Date.UTC(2998, 11, 31, 22));
    await eventually(async () => expect((await ring.runs.get(plain))!.state).toBe('succeeded'));
    for (const [values, problem] of [
      [['nobody'], /nobody/],
      [['work', null, { when: 1 }], /when/],
      [['work', null, { at: 1, delayMs: 1 }], /delayMs/],
      [['work', null, { uniqueForMs: 1 }], /uniqueForMs/],
    ] as const) {
      await expect(call(...values)).rejects.toThrow(problem);
    }
  });
}, ['lock-row']);
