import assert from 'node:assert/strict';
import type { Migration } from '../storage/base/migration.js';
import { counterTable, rejectsWith, type StagedCase } from './conformance-stage.js';

/** The requirements on a database when packages bring their tables up to date. */
export const migrationCases: readonly StagedCase[] = [
  {
    name: 'migrates once and is current afterwards, for this handle and for another',
    async check(stage) {
      const { migration, table } = counterTable(stage);
      const database = await stage.open();
      assert.equal(await database.migrate(stage.id, [migration]), 'migrated');
      assert.equal(await database.migrate(stage.id, [migration]), 'current');
      const other = await stage.open();
      assert.equal(await other.migrate(stage.id, [migration]), 'current');
      await other.kysely.insertInto(table).values({ id: 'a', n: 1 }).execute();
    },
  },
  {
    name: 'runs only the migrations that were added since',
    async check(stage) {
      const ran: string[] = [];
      const step = (name: string): Migration => ({ name, up: async () => void ran.push(name) });
      const database = await stage.open();
      assert.equal(await database.migrate(stage.id, [step('one'), step('two')]), 'migrated');
      assert.equal(await database.migrate(stage.id, [step('one'), step('two'), step('three')]), 'migrated');
      assert.deepEqual(ran, ['one', 'two', 'three']);
    },
  },
  {
    name: 'hands the dialect to a migration',
    async check(stage) {
      const database = await stage.open();
      const seen: string[] = [];
      await database.migrate(stage.id, [{ name: 'look', up: async (_db, dialect) => void seen.push(dialect) }]);
      assert.deepEqual(seen, [database.dialect]);
    },
  },
  {
    name: 'keeps the migrations of two packages apart',
    async check(stage) {
      const database = await stage.open();
      const nothing: Migration = { name: 'same-name', up: async () => {} };
      assert.equal(await database.migrate(`${stage.id}-a`, [nothing]), 'migrated');
      assert.equal(await database.migrate(`${stage.id}-b`, [nothing]), 'migrated');
      assert.equal(await database.migrate(`${stage.id}-a`, [nothing]), 'current');
    },
  },
  {
    name: 'refuses a database that is ahead of the code',
    async check(stage) {
      const step = (name: string): Migration => ({ name, up: async () => {} });
      const database = await stage.open();
      await database.migrate(stage.id, [step('one'), step('two')]);
      await rejectsWith('newer-schema', database.migrate(stage.id, [step('one')]));
      await rejectsWith('newer-schema', database.migrate(stage.id, []));
    },
  },
  {
    name: 'refuses migrations whose order was changed',
    async check(stage) {
      const step = (name: string): Migration => ({ name, up: async () => {} });
      const database = await stage.open();
      await database.migrate(stage.id, [step('one')]);
      await rejectsWith('migration-mismatch', database.migrate(stage.id, [step('zero'), step('one')]));
    },
  },
  {
    name: 'does not record a migration that fails, and runs it again next time',
    async check(stage) {
      const database = await stage.open();
      let attempts = 0;
      const shaky: Migration = {
        name: 'shaky',
        async up() {
          attempts += 1;
          if (attempts === 1) throw new Error('not yet');
        },
      };
      await assert.rejects(database.migrate(stage.id, [shaky]), /not yet/);
      assert.equal(await database.migrate(stage.id, [shaky]), 'migrated');
      assert.equal(attempts, 2);
    },
  },
  {
    name: 'lets exactly one of several handles migrate when all try at the same moment',
    async check(stage) {
      const { migration } = counterTable(stage);
      const handles = await Promise.all([stage.open(), stage.open(), stage.open()]);
      let ran = 0;
      const counted: Migration = {
        name: migration.name,
        async up(db, dialect) {
          ran += 1;
          await migration.up(db, dialect);
        },
      };
      const outcomes = await Promise.all(handles.map((handle) => handle.migrate(stage.id, [counted])));
      assert.deepEqual(outcomes.sort(), ['current', 'current', 'migrated']);
      assert.equal(ran, 1);
    },
  },
  {
    name: 'refuses names that databases would mangle, and a name twice',
    async check(stage) {
      const database = await stage.open();
      const step = (name: string): Migration => ({ name, up: async () => {} });
      await rejectsWith('bad-storage-input', database.migrate('has space', []));
      await rejectsWith('bad-storage-input', database.migrate(stage.id, [step('')]));
      await rejectsWith('bad-storage-input', database.migrate(stage.id, [step('one'), step('one')]));
    },
  },
];
