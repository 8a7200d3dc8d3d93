import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HoraeDatabase, openDatabase } from '@horae/clock-store/storage';
import { defineBench } from '@horae-tooling/bench';
import Database from 'better-sqlite3';
import { CompiledQuery, Kysely, SqliteDialect, sql } from 'kysely';

const ROWS = 100;
const INSERT = 'insert into horae_bench (n) values (?)';
const CREATE = 'create table if not exists horae_bench (n integer not null)';

const folder = () => mkdtempSync(join(tmpdir(), 'horae-bench-'));

function openRaw(path: string): Database.Database {
  const database = new Database(path);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = OFF');
  database.exec(CREATE);
  return database;
}

interface Ours {
  path: string;
  database: HoraeDatabase;
}

const ours = {
  async setup(): Promise<Ours> {
    const path = folder();
    const database = await openDatabase(`sqlite:${join(path, 'ours.db')}`, { synchronous: 'off' });
    await sql.raw(CREATE).execute(database.kysely);
    return { path, database };
  },
  async teardown({ path, database }: Ours) {
    await database.close();
    rmSync(path, { recursive: true, force: true });
  },
};

const raw = {
  setup() {
    const path = folder();
    const database = openRaw(join(path, 'raw.db'));
    return { path, database, insert: database.prepare(INSERT) };
  },
  teardown({ path, database }: { path: string; database: Database.Database }) {
    database.close();
    rmSync(path, { recursive: true, force: true });
  },
};

const plainKysely = {
  setup() {
    const path = folder();
    const kysely = new Kysely<{ horae_bench: { n: number } }>({
      dialect: new SqliteDialect({ database: openRaw(join(path, 'kysely.db')) }),
    });
    return { path, kysely };
  },
  async teardown({ path, kysely }: { path: string; kysely: Kysely<{ horae_bench: { n: number } }> }) {
    await kysely.destroy();
    rmSync(path, { recursive: true, force: true });
  },
};

export default [
  defineBench({
    name: 'storage/open',
    about: 'One operation: a new SQLite file is opened in WAL mode and closed; modules are loaded already.',
    ours: 'openDatabase',
    contenders: {
      openDatabase: {
        setup: () => ({ path: folder(), count: 0 }),
        async run(state: { path: string; count: number }) {
          state.count += 1;
          await (await openDatabase(`sqlite:${join(state.path, `${state.count}.db`)}`)).close();
        },
        teardown: ({ path }: { path: string }) => rmSync(path, { recursive: true, force: true }),
      },
      'better-sqlite3': {
        setup: () => ({ path: folder(), count: 0 }),
        run(state: { path: string; count: number }) {
          state.count += 1;
          const database = new Database(join(state.path, `${state.count}.db`));
          database.pragma('journal_mode = WAL');
          database.close();
        },
        teardown: ({ path }: { path: string }) => rmSync(path, { recursive: true, force: true }),
      },
    },
    wanted: [{ atMost: 50_000_000 }],
  }),
  defineBench({
    name: 'storage/transaction/one-row',
    about:
      'One operation: a transaction that inserts one row; synchronous off, so that the disk does not hide the overhead.',
    ours: 'transaction',
    contenders: {
      transaction: {
        ...ours,
        run: ({ database }: Ours) => database.transaction((trx) => trx.executeQuery(CompiledQuery.raw(INSERT, [1]))),
      },
      kysely: {
        ...plainKysely,
        run: ({ kysely }: ReturnType<typeof plainKysely.setup>) =>
          kysely.transaction().execute((trx) => trx.executeQuery(CompiledQuery.raw(INSERT, [1]))),
      },
      'better-sqlite3': {
        ...raw,
        run({ database, insert }: ReturnType<typeof raw.setup>) {
          database.exec('begin');
          insert.run(1);
          database.exec('commit');
        },
      },
    },
  }),
  defineBench({
    name: 'storage/transaction/hundred-rows',
    about: 'One operation: one row inserted by a statement of its own, a hundred to a transaction; synchronous off.',
    ours: 'transaction',
    contenders: {
      transaction: {
        ...ours,
        operations: ROWS,
        run: ({ database }: Ours) =>
          database.transaction(async (trx) => {
            for (let row = 0; row < ROWS; row++) await trx.executeQuery(CompiledQuery.raw(INSERT, [row]));
          }),
      },
      kysely: {
        ...plainKysely,
        operations: ROWS,
        run: ({ kysely }: ReturnType<typeof plainKysely.setup>) =>
          kysely.transaction().execute(async (trx) => {
            for (let row = 0; row < ROWS; row++) await trx.executeQuery(CompiledQuery.raw(INSERT, [row]));
          }),
      },
      'better-sqlite3': {
        ...raw,
        operations: ROWS,
        run({ database, insert }: ReturnType<typeof raw.setup>) {
          database.exec('begin');
          for (let row = 0; row < ROWS; row++) insert.run(row);
          database.exec('commit');
        },
      },
    },
  }),
  defineBench({
    name: 'storage/transaction/json-rows',
    about:
      'One operation: one row of ten thousand inserted by a single statement that reads them from JSON; synchronous off.',
    ours: 'transaction',
    contenders: {
      transaction: {
        ...ours,
        operations: 10_000,
        run: ({ database }: Ours) => {
          const rows = JSON.stringify(Array.from({ length: 10_000 }, (_, row) => row));
          return database.transaction((trx) =>
            sql`insert into horae_bench (n) select value from json_each(${rows})`.execute(trx),
          );
        },
      },
      'better-sqlite3': {
        ...raw,
        operations: 10_000,
        run({ database, insert }: ReturnType<typeof raw.setup>) {
          database.exec('begin');
          for (let row = 0; row < 10_000; row++) insert.run(row);
          database.exec('commit');
        },
      },
    },
  }),
];
