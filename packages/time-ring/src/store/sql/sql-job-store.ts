import type { AnyTransaction, HoraeDatabase, TransactionLimits } from '@horae/clock-store/storage';
import type { JobStore, JobTransaction } from '../job-store.js';
import { alertWrites } from './sql-alert-rows.js';
import { calendarWrites } from './sql-calendar-rows.js';
import { eventWrites } from './sql-event-rows.js';
import { executorWrites } from './sql-executor-rows.js';
import { flowWrites } from './sql-flows.js';
import { openForeign } from './sql-foreign-transaction.js';
import { glance } from './sql-glance.js';
import { groupWrites } from './sql-group-rows.js';
import { jobMigrations } from './sql-job-migrations.js';
import { sqlJobReads } from './sql-job-reads.js';
import { jobWrites } from './sql-job-writes.js';
import { bucketWrites, nodeWrites } from './sql-node-rows.js';
import { runLocks } from './sql-run-locks.js';
import { runWrites } from './sql-run-writes.js';
import { uniqueKeys } from './sql-unique-keys.js';
import { oldestEnd, upcoming } from './sql-upcoming.js';
import { WAKE_CHANNEL, wakeNodes } from './sql-wake-ups.js';

/**
 * A store of jobs and runs in SQLite, PostgreSQL or MySQL/MariaDB. Migrates the tables. The database belongs to the caller: `close` leaves
 * it open. `limits` says how long the server lets a transaction stay idle or wait for a lock.
 */
export async function sqlJobStore(
  database: HoraeDatabase,
  { limits = {} }: { limits?: Partial<TransactionLimits> } = {},
): Promise<JobStore> {
  await database.migrate('time-ring', jobMigrations(database.messages?.channelName(WAKE_CHANNEL) ?? null));
  const close = async () => {};
  return {
    ...sqlJobReads(database),
    // Takes SQLite's write lock first: a transaction that reads and then writes would otherwise have to restart.
    transaction: (work) =>
      database.transaction((trx) => work(sqlJobTransaction(database, trx)), { immediate: true, limits }),
    glance: (query) => glance(database, query),
    upcoming: () => upcoming(database.kysely),
    oldestEnd: () => oldestEnd(database.kysely),
    inTransaction: async (transaction) =>
      sqlJobTransaction(database, (await openForeign(transaction, database.dialect)) as AnyTransaction),
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
    ...runLocks(trx, dialect),
    ...uniqueKeys(trx, dialect),
    ...nodeWrites(trx, dialect),
    ...bucketWrites(trx, dialect),
    ...executorWrites(trx, dialect),
    ...alertWrites(trx, dialect),
    ...eventWrites(trx, dialect),
    ...calendarWrites(trx, dialect),
    ...groupWrites(trx, dialect),
    ...flowWrites(trx, dialect),
    wake: (owners) => wakeNodes(database, trx, owners),
  };
}
