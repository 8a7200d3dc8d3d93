import { sql } from 'kysely';
import type { AnyKysely, Engine } from '../base/engine.js';
import { stillMigrating, withClusterLease } from './cluster-lease.js';

const MIGRATION_WAIT_S = 60;
/** Locks with a name belong to the server, not to the database, and are at most 64 characters long. */
const MIGRATION_LOCK = sql`concat('horae:', sha1(database()))`;

/**
 * Runs `work` while no other process migrates this database. A lock with a name keeps the processes of one server apart and is gone with
 * its connection; the members of a Galera cluster do not share such locks, so there a lease in the database comes on top.
 */
export function migrateAlone<T>(
  engine: Engine,
  { url, poolSize }: { readonly url: string; readonly poolSize: number },
  work: (db: AnyKysely) => Promise<T>,
): Promise<T> {
  return engine.kysely.connection().execute(async (db) => {
    // An empty transaction sets the limits of a migration for the session.
    await db.transaction().execute(async () => {});
    const { rows } = await sql<{
      taken: number;
    }>`select get_lock(${MIGRATION_LOCK}, ${MIGRATION_WAIT_S}) as taken`.execute(db);
    if (rows[0]?.taken !== 1) throw stillMigrating(url, MIGRATION_WAIT_S * 1_000);
    try {
      if (!(await isClusterMember(db))) return await work(db);
      // Heartbeats need a connection besides the one that migrates.
      const heartbeats = poolSize > 1 ? engine.kysely : null;
      return await withClusterLease(db, { url, heartbeats }, work);
    } finally {
      // A lost connection has released it already.
      await sql`do release_lock(${MIGRATION_LOCK})`.execute(db).catch(() => {});
    }
  });
}

async function isClusterMember(db: AnyKysely): Promise<boolean> {
  const { rows } = await sql<{ Value: string }>`show variables like 'wsrep_on'`.execute(db);
  return rows[0]?.Value === 'ON';
}
