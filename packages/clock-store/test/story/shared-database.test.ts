import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HoraeDatabase, type Migration, type OpenDatabaseOptions, openDatabase } from '@horae/clock-store/storage';
import { startTestMariadb, startTestPostgres, type TestServer } from '@horae/clock-store/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

const notes: readonly Migration[] = [
  {
    name: '0001-notes',
    async up(db) {
      await db.schema.createTable('horae_notes').addColumn('text', 'varchar(80)').execute();
      await sql`create index horae_notes_text on horae_notes (text)`.execute(db);
    },
  },
];

async function opened(url: string, options?: OpenDatabaseOptions): Promise<HoraeDatabase> {
  const database = await openDatabase(url, options);
  onTestFinished(() => database.close());
  return database;
}

/** Writes by the builder and by hand, reads by the builder. */
async function noteIn(database: HoraeDatabase, text: string): Promise<readonly unknown[]> {
  expect(await database.migrate('notes', notes)).toBe('migrated');
  expect(await database.migrate('notes', notes)).toBe('current');
  await database.withLock('notes', async (trx) => {
    await trx.insertInto('horae_notes').values({ text }).execute();
    await sql`insert into horae_notes (text) values (${`${text} again`})`.execute(trx);
  });
  return database.kysely.selectFrom('horae_notes').select('horae_notes.text').orderBy('text').execute();
}

const tables = {
  sqlite: sql<{ name: string }>`select name from sqlite_master where type = 'table' and name not like 'sqlite%'`,
  mysql: sql<{
    name: string;
  }>`select table_name as name from information_schema.tables where table_schema = database()`,
  postgres: sql<{ name: string }>`
    select schemaname || '.' || tablename as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
};

async function tableNames(url: string): Promise<string[]> {
  const database = await opened(url);
  const { rows } = await tables[database.dialect].execute(database.kysely);
  return rows.map(({ name }) => name.replace('public.', '')).sort();
}

const OURS = ['horae_locks', 'horae_migrations', 'horae_notes'];

describe.each([
  { name: 'SQLite', start: sqlitePlace },
  { name: 'PostgreSQL', start: startTestPostgres },
  { name: 'MariaDB', start: startTestMariadb },
])('$name', ({ name, start }) => {
  let server: Pick<TestServer, 'freshDatabase' | 'stop'> | 'unavailable';
  beforeAll(async () => {
    server = await start();
  });
  afterAll(async () => {
    if (server !== 'unavailable') await server.stop();
  });

  test('two installations with a prefix each, and one without, share a database and see nothing of each other', async (context) => {
    if (server === 'unavailable')
      return context.skip(`${name} is not installed here; HORAE_REQUIRE_MARIADB=1 makes this a failure`);
    const url = await server.freshDatabase();
    for (const tablePrefix of ['a_', 'b_', '']) {
      const text = `of ${tablePrefix}`;
      const found = await noteIn(await opened(url, { tablePrefix }), text);
      expect(found).toEqual([{ text }, { text: `${text} again` }]);
    }
    const names = ['a_', 'b_', ''].flatMap((prefix) => OURS.map((table) => prefix + table));
    expect(await tableNames(url)).toEqual(names.sort());
  });

  test('a table that the builder names without horae_ gets the prefix too', async (context) => {
    if (server === 'unavailable')
      return context.skip(`${name} is not installed here; HORAE_REQUIRE_MARIADB=1 makes this a failure`);
    const url = await server.freshDatabase();
    const { kysely } = await opened(url, { tablePrefix: 'mine_' });
    await kysely.schema.createTable('pets').addColumn('name', 'varchar(80)').execute();
    await kysely.insertInto('pets').values({ name: 'Rex' }).execute();
    expect(await kysely.selectFrom('pets as p').select('p.name').execute()).toEqual([{ name: 'Rex' }]);
    expect(await tableNames(url)).toEqual(['mine_pets']);
  });
});

describe('a schema of PostgreSQL', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestPostgres();
  });
  afterAll(() => server.stop());

  test('is made when it is missing, by one of many who open it at once, and holds every table', async () => {
    const url = `${await server.freshDatabase()}?schema=Jobs&poolSize=2`;
    const databases = await Promise.all(Array.from({ length: 6 }, () => opened(url)));
    expect(await noteIn(databases[0]!, 'here')).toHaveLength(2);
    expect(await databases[5]!.kysely.selectFrom('horae_notes').selectAll().execute()).toHaveLength(2);
    expect(await tableNames(url)).toEqual(OURS.map((table) => `Jobs.${table}`));
  });

  test('keeps installations apart, and takes the option before the URL', async () => {
    const url = await server.freshDatabase();
    expect(await noteIn(await opened(`${url}?schema=b`, { schema: 'a' }), 'in a')).toHaveLength(2);
    expect(await noteIn(await opened(`${url}?schema=b&tablePrefix=x_`), 'in b')).toHaveLength(2);
    expect(await noteIn(await opened(url), 'in public')).toHaveLength(2);
    const names = [...OURS.map((table) => `a.${table}`), ...OURS.map((table) => `b.x_${table}`), ...OURS];
    expect(await tableNames(url)).toEqual(names.sort());
  });

  test('that the user may not make is one clear error; one that is there can be used', async () => {
    const url = await server.freshDatabase();
    const owner = await opened(url);
    await sql.raw(`create role guest login password 'guest'`).execute(owner.kysely);
    await sql`create schema theirs authorization guest`.execute(owner.kysely);
    const asGuest = url.replace('horae:horae-test', 'guest:guest');
    await expect(openDatabase(`${asGuest}?schema=new`)).rejects.toMatchObject({
      code: 'schema-missing',
      message: expect.stringContaining('create schema "new"'),
      details: { schema: 'new' },
    });
    expect(await noteIn(await opened(`${asGuest}?schema=theirs`), 'hello')).toHaveLength(2);
  });
});

test.each([
  ['sqlite::memory:', { schema: 'a' }, 'schema'],
  ['mysql://db/app', { schema: 'a' }, 'schema'],
  ['postgres://db/app', { schema: 'a"; drop' }, 'schema'],
  ['postgres://db/app', { schema: 'pg_mine' }, 'schema'],
  ['sqlite::memory:', { tablePrefix: 'X-' }, 'tablePrefix'],
  ['sqlite::memory:', { tablePrefix: 7 as never }, 'tablePrefix'],
])('%s with %o is refused', async (url, options, field) => {
  await expect(openDatabase(url, options)).rejects.toMatchObject({ code: 'bad-storage-input', details: { field } });
});

async function sqlitePlace() {
  const folder = await mkdtemp(join(tmpdir(), 'horae-shared-'));
  let files = 0;
  return {
    freshDatabase: async () => `sqlite:${join(folder, `${++files}.db`)}`,
    stop: () => rm(folder, { recursive: true, force: true }),
  };
}
