import assert from 'node:assert/strict';
import type { AnyTransaction } from '../storage/base/engine.js';
import type { HoraeDatabase } from '../storage/horae-database.js';
import { type ConformanceStage, counterTable, readCounter, rejectsWith, type StagedCase } from './conformance-stage.js';

async function withTable(stage: ConformanceStage): Promise<{ database: HoraeDatabase; table: string }> {
  const { table, migration } = counterTable(stage);
  const database = await stage.open();
  await database.migrate(stage.id, [migration]);
  return { database, table };
}

/** Reads, lets other transactions run, writes: loses an update unless something keeps the writers apart. */
async function readThenWrite(trx: AnyTransaction, table: string, id: string): Promise<void> {
  const n = Number(await readCounter(trx, table, id));
  await Promise.resolve();
  await trx
    .updateTable(table)
    .set({ n: n + 1 })
    .where('id', '=', id)
    .execute();
}

/** The requirements on a database for transactions and locks. */
export const transactionCases: readonly StagedCase[] = [
  {
    name: 'commits what the work wrote and gives back what it returned',
    async check(stage) {
      const { database, table } = await withTable(stage);
      const result = await database.transaction(async (trx) => {
        await trx.insertInto(table).values({ id: 'a', n: 7 }).execute();
        return 'done';
      });
      assert.equal(result, 'done');
      const other = await stage.open();
      assert.equal(await readCounter(other.kysely, table, 'a'), 7);
    },
  },
  {
    name: 'rolls back when the work throws, and throws the same error',
    async check(stage) {
      const { database, table } = await withTable(stage);
      const reason = new Error('changed my mind');
      const work = async (trx: AnyTransaction) => {
        await trx.insertInto(table).values({ id: 'a', n: 7 }).execute();
        throw reason;
      };
      await assert.rejects(database.transaction(work), (error) => error === reason);
      await assert.rejects(database.transaction(work, { immediate: true }), (error) => error === reason);
      assert.equal(await readCounter(database.kysely, table, 'a'), undefined);
    },
  },
  {
    name: 'runs fifty transactions at once without mixing them up',
    async check(stage) {
      const { database, table } = await withTable(stage);
      const insert = (index: number) =>
        database.transaction(async (trx) => {
          await trx
            .insertInto(table)
            .values({ id: `left-${index}`, n: index })
            .execute();
          await trx
            .insertInto(table)
            .values({ id: `right-${index}`, n: index })
            .execute();
          if (index % 2 === 1) throw new Error('odd');
        });
      const outcomes = await Promise.allSettled(Array.from({ length: 50 }, (_, index) => insert(index)));
      assert.equal(outcomes.filter((outcome) => outcome.status === 'fulfilled').length, 25);
      const rows = await database.kysely.selectFrom(table).selectAll().execute();
      assert.equal(rows.length, 50);
      assert.ok(rows.every((row) => Number(row.n) % 2 === 0));
    },
  },
  {
    name: 'keeps holders of one lock apart, on one handle and across handles',
    async check(stage) {
      const { database, table } = await withTable(stage);
      const other = await stage.open();
      await database.kysely.insertInto(table).values({ id: 'shared', n: 0 }).execute();
      const add = (handle: HoraeDatabase) =>
        handle.withLock(`counter-${stage.id}`, (trx) => readThenWrite(trx, table, 'shared'));
      await Promise.all(Array.from({ length: 20 }, (_, index) => add(index % 2 === 0 ? database : other)));
      assert.equal(await readCounter(database.kysely, table, 'shared'), 20);
    },
  },
  {
    name: 'creates a lock on first use by many at once, in a database that has never been migrated by the caller',
    async check(stage) {
      const handles = await Promise.all([stage.open(), stage.open(), stage.open(), stage.open()]);
      let inside = 0;
      let most = 0;
      const enter = async () => {
        inside += 1;
        most = Math.max(most, inside);
        await Promise.resolve();
        inside -= 1;
      };
      await Promise.all(handles.flatMap((handle) => [1, 2].map(() => handle.withLock(`first-${stage.id}`, enter))));
      assert.equal(most, 1);
    },
  },
  {
    name: 'frees the lock when the work fails',
    async check(stage) {
      const database = await stage.open();
      const name = `freed-${stage.id}`;
      await assert.rejects(
        database.withLock(name, async () => {
          throw new Error('failed inside');
        }),
        /failed inside/,
      );
      assert.equal(await database.withLock(name, async () => 'free'), 'free');
    },
  },
  {
    name: 'tells lock names apart by case',
    async check(stage) {
      const database = await stage.open();
      await database.withLock(`Case-${stage.id}`, async () => {});
      await database.withLock(`case-${stage.id}`, async () => {});
      const rows = await database.kysely
        .selectFrom('horae_locks')
        .select('name')
        .where('name', 'like', `%${stage.id}`)
        .execute();
      assert.equal(rows.filter((row) => /^case-/i.test(row.name)).length, 2);
    },
  },
  {
    name: 'runs transactions again that the database gave up because they were in each other’s way',
    async check(stage) {
      const { database, table } = await withTable(stage);
      const other = await stage.open();
      await database.kysely
        .insertInto(table)
        .values([
          { id: 'a', n: 0 },
          { id: 'b', n: 0 },
        ])
        .execute();
      let arrived = 0;
      let open: () => void = () => {};
      const both = new Promise<void>((resolve) => {
        open = resolve;
      });
      let runs = 0;
      // Each reads its first row, and only when both have done so does each write the row that the other has read.
      const cross = (handle: HoraeDatabase, mine: string, theirs: string) =>
        handle.transaction(async (trx) => {
          runs += 1;
          const first = trx.selectFrom(table).select('n').where('id', '=', mine);
          await (handle.dialect === 'sqlite' ? first : first.forUpdate()).execute();
          arrived += 1;
          if (arrived === 2) open();
          await both;
          await readThenWrite(trx, table, theirs);
        });
      await Promise.all([cross(database, 'a', 'b'), cross(other, 'b', 'a')]);
      assert.ok(runs > 2, `a conflict was expected, but the work ran ${runs} times`);
      assert.equal(await readCounter(database.kysely, table, 'a'), 1);
      assert.equal(await readCounter(database.kysely, table, 'b'), 1);
    },
  },
  {
    name: 'refuses a transaction inside a transaction instead of waiting for itself',
    async check(stage) {
      const database = await stage.open();
      const nested = database.transaction(() => database.transaction(async () => {}));
      await rejectsWith('nested-transaction', nested);
      const lock = database.withLock(`outer-${stage.id}`, () => database.withLock(`inner-${stage.id}`, async () => {}));
      await rejectsWith('nested-transaction', lock);
      await rejectsWith(
        'nested-transaction',
        database.transaction(() => database.close()),
      );
      assert.equal(await database.transaction(async () => 'still usable'), 'still usable');
    },
  },
  {
    name: 'lets work that a transaction started, but did not wait for, use the database afterwards',
    async check(stage) {
      const database = await stage.open();
      let later: Promise<string> = Promise.resolve('never ran');
      let finish: () => void = () => {};
      const finished = new Promise<void>((resolve) => {
        finish = resolve;
      });
      await database.transaction(async () => {
        later = finished.then(() => database.transaction(async () => 'ran'));
      });
      finish();
      assert.equal(await later, 'ran');
    },
  },
];
