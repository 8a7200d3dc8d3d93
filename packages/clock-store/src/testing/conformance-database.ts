import assert from 'node:assert/strict';
import { counterTable, readCounter, rejectsWith, type StagedCase } from './conformance-stage.js';

/** The requirements on a database for values, time and closing. */
export const databaseCases: readonly StagedCase[] = [
  {
    name: 'says its dialect and its URL without a password',
    async check(stage) {
      const database = await stage.open();
      assert.ok(['sqlite', 'postgres', 'mysql'].includes(database.dialect));
      const password = /:\/\/[^:/@]*:([^@]*)@/.exec(database.url)?.[1] ?? '***';
      assert.equal(password, '***');
    },
  },
  {
    name: 'gives its time in whole milliseconds that do not go back, inside a transaction too',
    async check(stage) {
      const database = await stage.open();
      const first = await database.dbNow();
      const second = await database.transaction((trx) => database.dbNow(trx));
      assert.ok(Number.isInteger(first) && Number.isInteger(second));
      assert.ok(second >= first);
    },
  },
  {
    name: 'gives 64-bit integers and counts back as numbers',
    async check(stage) {
      const { table, migration } = counterTable(stage);
      const database = await stage.open();
      await database.migrate(stage.id, [migration]);
      const values = [0, -1, 1_774_746_000_123, Number.MAX_SAFE_INTEGER];
      for (const [index, n] of values.entries()) {
        await database.kysely
          .insertInto(table)
          .values({ id: String(index), n })
          .execute();
      }
      const rows = await database.kysely.selectFrom(table).select('n').orderBy('id').execute();
      assert.deepEqual(
        rows.map((row) => row.n),
        values,
      );
      const counted = await database.kysely
        .selectFrom(table)
        .select((select) => select.fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
      assert.equal(counted.count, values.length);
    },
  },
  {
    name: 'counts the rows that a guarded update matched, changed or not',
    async check(stage) {
      const { table, migration } = counterTable(stage);
      const database = await stage.open();
      await database.migrate(stage.id, [migration]);
      await database.kysely.insertInto(table).values({ id: 'a', n: 1 }).execute();
      const update = async (expected: number) => {
        const result = await database.kysely
          .updateTable(table)
          .set({ n: 1 })
          .where('id', '=', 'a')
          .where('n', '=', expected)
          .executeTakeFirst();
        return Number(result.numUpdatedRows);
      };
      assert.equal(await update(1), 1);
      assert.equal(await update(2), 0);
    },
  },
  {
    name: 'keeps text letter for letter',
    async check(stage) {
      const { table, migration } = counterTable(stage);
      const database = await stage.open();
      await database.migrate(stage.id, [migration]);
      const id = 'Ωραι \u{1F570} \'"\\ %_';
      await database.kysely.insertInto(table).values({ id, n: 1 }).execute();
      const row = await database.kysely.selectFrom(table).select('id').executeTakeFirstOrThrow();
      assert.equal(row.id, id);
    },
  },
  {
    name: 'waits for running transactions before it closes, may be closed twice and says so afterwards',
    async check(stage) {
      const { table, migration } = counterTable(stage);
      const database = await stage.open();
      await database.migrate(stage.id, [migration]);
      let begin: () => void = () => {};
      const begun = new Promise<void>((resolve) => {
        begin = resolve;
      });
      let goOn: () => void = () => {};
      const going = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      const running = database.transaction(async (trx) => {
        begin();
        await going;
        await trx.insertInto(table).values({ id: 'a', n: 1 }).execute();
      });
      await begun;
      const closing = database.close();
      goOn();
      await Promise.all([running, closing, database.close()]);
      await rejectsWith(
        'database-closed',
        database.transaction(async () => {}),
      );
      await rejectsWith('database-closed', database.dbNow());
      const other = await stage.open();
      assert.equal(await readCounter(other.kysely, table, 'a'), 1);
    },
  },
  {
    name: 'is closed by Symbol.asyncDispose',
    async check(stage) {
      const database = await stage.open();
      await database[Symbol.asyncDispose]();
      await rejectsWith('database-closed', database.migrate(stage.id, []));
    },
  },
];
