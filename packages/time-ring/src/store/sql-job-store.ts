import type { AnyTransaction, HoraeDatabase } from '@horae/clock-store/storage';
import type { JobStore, JobTransaction } from './job-store.js';
import { executorWrites } from './sql-executor-rows.js';
import { jobMigrations } from './sql-job-migrations.js';
import { sqlJobReads } from './sql-job-reads.js';
import { jobWrites } from './sql-job-writes.js';
import { bucketWrites, nodeWrites } from './sql-node-rows.js';
import { runHolds } from './sql-run-holds.js';
import { runWrites } from './sql-run-writes.js';

/**
 * Jobs and runs in SQLite, PostgreSQL or MySQL/MariaDB. Brings the tables up to date. The database stays its opener's: `close` leaves
 * it open.
 */
export async function sqlJobStore(database: HoraeDatabase): Promise<JobStore> {
  await database.migrate('time-ring', jobMigrations);
  const close = async () => {};
  return {
    ...sqlJobReads(database),
    // SQLite's write lock first: a transaction that reads and then writes would otherwise have to begin again.
    transaction: (work) => database.transaction((trx) => work(sqlJobTransaction(database, trx)), { immediate: true }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function sqlJobTransaction(database: HoraeDatabase, trx: AnyTransaction): JobTransaction {
  const { dialect } = database;
  return {
    ...sqlJobReads(database, trx),
    ...jobWrites(trx, dialect),
    ...runWrites(trx, dialect),
    ...runHolds(trx, dialect),
    ...nodeWrites(trx, dialect),
    ...bucketWrites(trx, dialect),
    ...executorWrites(trx, dialect),
  };
}
