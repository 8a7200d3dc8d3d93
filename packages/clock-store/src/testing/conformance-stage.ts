import assert from 'node:assert/strict';
import { isHoraeError } from '../errors.js';
import type { Migration } from '../storage/base/migration.js';
import type { HoraeDatabase } from '../storage/horae-database.js';

/** The resources of a case: names that no other case and no earlier run has used, and handles that are closed afterwards. */
export interface ConformanceStage {
  readonly id: string;
  open(): Promise<HoraeDatabase>;
}

/** A named check of the suite. */
export interface StagedCase {
  readonly name: string;
  check(stage: ConformanceStage): Promise<void>;
}

/** Passes when `work` rejects with the Horae error `code`. */
export async function rejectsWith(code: string, work: Promise<unknown>): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(isHoraeError(error), `expected the error ${code}, got ${String(error)}`);
    assert.equal(error.code, code);
    return true;
  });
}

/** A table with a key and a counter, and a migration that makes it. */
export function counterTable(stage: ConformanceStage, suffix = ''): { table: string; migration: Migration } {
  const table = `horae_conformance_${stage.id}${suffix}`;
  return {
    table,
    migration: {
      name: `make-${table}`,
      async up(db) {
        await db.schema
          .createTable(table)
          .ifNotExists()
          .addColumn('id', 'varchar(40)', (column) => column.notNull().primaryKey())
          .addColumn('n', 'bigint', (column) => column.notNull())
          .execute();
      },
    },
  };
}

/** The counter of row `id`, or undefined. */
export async function readCounter(db: HoraeDatabase['kysely'], table: string, id: string): Promise<unknown> {
  const row = await db.selectFrom(table).select('n').where('id', '=', id).executeTakeFirst();
  return row?.n;
}
