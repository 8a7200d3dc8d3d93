import type { HoraeDatabase } from '../storage/horae-database.js';
import { databaseCases } from './conformance-database.js';
import { migrationCases } from './conformance-migrations.js';
import { transactionCases } from './conformance-transactions.js';

/** One requirement, framework-free: `run` rejects when it is not met. */
export interface ConformanceCase {
  readonly name: string;
  run(): Promise<void>;
}

/**
 * The requirements on every database that the packages above use. Each call of `open` opens the same, durable database (not one in memory);
 * the cases may run in any order, and leave tables behind whose names begin with `horae_conformance_`.
 */
export function storageConformance(open: () => Promise<HoraeDatabase>): readonly ConformanceCase[] {
  const cases = [...migrationCases, ...transactionCases, ...databaseCases];
  return cases.map(({ name, check }, index) => ({
    name,
    async run() {
      const opened: HoraeDatabase[] = [];
      const openTracked = async () => {
        const database = await open();
        opened.push(database);
        return database;
      };
      try {
        const first = await openTracked();
        const id = `${index}_${await first.dbNow()}_${process.pid}`;
        await check({ id, open: openTracked });
      } finally {
        for (const database of opened) await database.close();
      }
    },
  }));
}
