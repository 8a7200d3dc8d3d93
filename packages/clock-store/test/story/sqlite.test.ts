import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { type HoraeDatabase, type OpenDatabaseOptions, openDatabase } from '@horae/clock-store/storage';
import { createManualClock } from '@horae/clock-store/testing';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.js';

async function open(url: string, options?: OpenDatabaseOptions): Promise<HoraeDatabase> {
  const database = await openDatabase(url, options);
  onTestFinished(() => database.close());
  return database;
}

async function pragma(database: HoraeDatabase, name: string): Promise<unknown> {
  const { rows } = await sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(database.kysely);
  return Object.values(rows[0] ?? {})[0];
}

async function openNotes(options?: OpenDatabaseOptions): Promise<HoraeDatabase> {
  const database = await open(`sqlite:${join(await temporaryFolder(), 'horae.db')}`, options);
  await sql`create table horae_notes (text text not null)`.execute(database.kysely);
  return database;
}

const texts = async (database: HoraeDatabase) =>
  (await database.kysely.selectFrom('horae_notes').select('text').execute()).map((row) => row.text);

test('a file is opened durable: WAL, synchronous FULL, a busy timeout, foreign keys on', async () => {
  const database = await openNotes();
  expect(await pragma(database, 'journal_mode')).toBe('wal');
  expect(await pragma(database, 'synchronous')).toBe(2);
  expect(await pragma(database, 'busy_timeout')).toBeGreaterThan(0);
  expect(await pragma(database, 'foreign_keys')).toBe(1);
});

test.each([
  { synchronous: 'normal' as const, level: 1 },
  { synchronous: 'off' as const, level: 0 },
])('synchronous may be $synchronous', async ({ synchronous, level }) => {
  expect(await pragma(await openNotes({ synchronous }), 'synchronous')).toBe(level);
});

test('options that make no sense are refused by name', async () => {
  for (const options of [
    { synchronous: 'often' },
    { busyLimitMs: -1 },
    { poolSize: 0 },
    { connectTimeoutMs: Number.NaN },
  ]) {
    await expect(openDatabase('sqlite::memory:', options as never)).rejects.toMatchObject({
      code: 'bad-storage-input',
      details: { field: Object.keys(options)[0] },
    });
  }
});

test('databases in memory are apart from each other', async () => {
  const [one, other] = [await open('sqlite::memory:'), await open('sqlite::memory:')];
  expect(await one.migrate('pack', [{ name: 'a', up: async () => {} }])).toBe('migrated');
  expect(await other.migrate('pack', [{ name: 'a', up: async () => {} }])).toBe('migrated');
});

test('the database clock of SQLite is the clock that it was given', async () => {
  const clock = createManualClock({ now: '2026-03-29T01:00:00Z' });
  const database = await open('sqlite::memory:', { clock });
  expect(await database.dbNow()).toBe(clock.now());
  const server = await open('sqlite::memory:', { databaseClock: clock });
  expect(await server.dbNow()).toBe(clock.now());
});

test('a failed migration leaves nothing behind, not even its tables', async () => {
  const database = await open('sqlite::memory:');
  const failing = [
    {
      name: 'half',
      async up(db: HoraeDatabase['kysely']) {
        await sql`create table horae_half (id integer)`.execute(db);
        throw new Error('no more');
      },
    },
  ];
  await expect(database.migrate('pack', failing)).rejects.toThrow('no more');
  const { rows } = await sql`select name from sqlite_master where name = 'horae_half'`.execute(database.kysely);
  expect(rows).toEqual([]);
});

test('a query outside waits for the running transaction; inside it is refused instead of waiting for ever', async () => {
  const database = await openNotes();
  const story: string[] = [];
  const running = database.transaction(async (trx) => {
    await trx.insertInto('horae_notes').values({ text: 'inside' }).execute();
    await expect(texts(database)).rejects.toMatchObject({ code: 'nested-transaction' });
    await turn();
    story.push('transaction');
  });
  const query = texts(database).then((found) => story.push(`query sees ${found.join()}`));
  await Promise.all([running, query]);
  expect(story).toEqual(['transaction', 'query sees inside']);
});

test('two handles on one file in one process take turns without blocking the thread', async () => {
  const path = join(await temporaryFolder(), 'horae.db');
  // A clock that nobody moves: were the second handle to wait for time and not for the first handle, it would never get on.
  const clock = createManualClock({ now: 0 });
  const [one, other] = [await open(`sqlite:${path}`), await open(`sqlite:${path}`, { clock })];
  await sql`create table horae_notes (text text not null)`.execute(one.kysely);
  const add = (database: HoraeDatabase, text: string, immediate: boolean) =>
    database.transaction(
      async (trx) => {
        await trx.insertInto('horae_notes').values({ text }).execute();
        for (let hop = 0; hop < 5; hop++) await turn();
      },
      { immediate },
    );
  for (const immediate of [true, false]) {
    const first = add(one, 'first', immediate);
    await turn();
    await Promise.all([first, add(other, 'second', immediate)]);
    const third = add(one, 'third', immediate);
    await turn();
    await Promise.all([third, other.kysely.insertInto('horae_notes').values({ text: 'alone' }).execute()]);
  }
  expect(await texts(one)).toEqual(['first', 'second', 'third', 'alone', 'first', 'second', 'third', 'alone']);
});

test('savepoints, streams and plain transactions of kysely work', async () => {
  const database = await openNotes();
  const trx = await database.kysely.startTransaction().execute();
  await trx.insertInto('horae_notes').values({ text: 'kept' }).execute();
  const inner = await trx.savepoint('here').execute();
  await inner.insertInto('horae_notes').values({ text: 'dropped' }).execute();
  await inner.rollbackToSavepoint('here').execute();
  await trx.commit().execute();
  await database.kysely
    .transaction()
    .execute((plain) => plain.insertInto('horae_notes').values({ text: 'plain' }).execute());
  const streamed: string[] = [];
  for await (const row of database.kysely.selectFrom('horae_notes').select('text').stream()) streamed.push(row.text);
  expect(streamed).toEqual(['kept', 'plain']);
});

test('prepared statements stay right when the table changes under them', async () => {
  const database = await openNotes();
  await database.kysely.insertInto('horae_notes').values({ text: 'a' }).execute();
  const all = () => database.kysely.selectFrom('horae_notes').selectAll().execute();
  expect(await all()).toEqual([{ text: 'a' }]);
  await sql`alter table horae_notes add column n integer default 7`.execute(database.kysely);
  expect(await all()).toEqual([{ text: 'a', n: 7 }]);
  for (let index = 0; index < 600; index++) await sql.raw(`select ${index}`).execute(database.kysely);
  expect(await all()).toEqual([{ text: 'a', n: 7 }]);
});

test('booleans and undefined are bound as the servers bind them', async () => {
  const database = await open('sqlite::memory:');
  const { rows } = await sql`select ${true} as yes, ${false} as no, ${undefined} as missing, ${5} as five`.execute(
    database.kysely,
  );
  expect(rows).toEqual([{ yes: 1, no: 0, missing: null, five: 5 }]);
});

test('returning clauses give rows', async () => {
  const database = await openNotes();
  const row = await database.kysely
    .insertInto('horae_notes')
    .values({ text: 'a' })
    .returning('text')
    .executeTakeFirst();
  expect(row).toEqual({ text: 'a' });
});

test('closing frees the file, and a second process state is not left locked', async () => {
  const path = join(await temporaryFolder(), 'horae.db');
  const first = await openDatabase(`sqlite:${path}`);
  await first.withLock('lock', async () => {});
  await first.close();
  await expect(first.kysely.selectFrom('horae_locks').selectAll().execute()).rejects.toThrow();
  const second = await open(`sqlite:${path}`);
  expect(await second.withLock('lock', async () => 'free')).toBe('free');
});

test.skipIf(process.platform === 'win32')(
  'new files are readable by their owner alone; one that is there keeps its mode',
  async () => {
    const path = join(await temporaryFolder(), 'horae.db');
    const database = await openDatabase(`sqlite:${path}`);
    await sql`create table horae_notes (text text not null)`.execute(database.kysely);
    const modeOf = async (suffix: string) => (await stat(path + suffix)).mode & 0o777;
    expect(await Promise.all(['', '-wal', '-shm'].map(modeOf))).toEqual([0o600, 0o600, 0o600]);
    await database.close();
    await chmod(path, 0o640);
    await open(`sqlite:${path}`);
    expect(await modeOf('')).toBe(0o640);
  },
);
