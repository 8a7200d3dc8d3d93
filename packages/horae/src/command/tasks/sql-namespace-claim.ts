import type { HoraeDatabase } from '@horae/clock-store/storage';
import { sql } from 'kysely';
import { prepareDaemonTables } from './sql-daemon-tables.js';

const SILENT_MS = 15_000;

/** Who works on a namespace. */
export interface Claim {
  readonly namespace: string;
  readonly owner: string;
  readonly host: string;
  readonly pid: number;
}

/** Takes the namespace and gives null, or leaves everything as it is and gives the living holder. */
export async function takeClaim(
  database: HoraeDatabase,
  claim: Claim,
  isAlive: (pid: number) => boolean,
): Promise<Claim | null> {
  await prepareDaemonTables(database);
  return database.withLock('horae-daemon-claims', async (trx) => {
    const now = await database.dbNow(trx);
    const { rows } = await sql<Claim & { beat_at: number }>`
      select * from horae_daemon_claims where namespace = ${claim.namespace}`.execute(trx);
    const holder = rows[0];
    if (holder !== undefined && now - holder.beat_at <= SILENT_MS) {
      // A process of this very machine can be asked; this process itself may hold a claim for another configuration.
      if (holder.host !== claim.host || isAlive(holder.pid)) return holder;
    }
    await sql`delete from horae_daemon_claims where namespace = ${claim.namespace}`.execute(trx);
    const { namespace, owner, host, pid } = claim;
    await sql`
      insert into horae_daemon_claims (namespace, owner, host, pid, beat_at)
      values (${namespace}, ${owner}, ${host}, ${pid}, ${now})`.execute(trx);
    return null;
  });
}

/** A sign of life; false when somebody else holds the namespace now. */
export async function refreshClaim(database: HoraeDatabase, { namespace, owner }: Claim): Promise<boolean> {
  return database.transaction(
    async (trx) => {
      const now = await database.dbNow(trx);
      const { numAffectedRows } = await sql`
        update horae_daemon_claims set beat_at = ${now} where namespace = ${namespace} and owner = ${owner}`.execute(
        trx,
      );
      if ((numAffectedRows ?? 0n) > 0n) return true;
      // A server that counts changed rows only says 0 when the time is the same.
      const { rows } = await sql`
        select owner from horae_daemon_claims where namespace = ${namespace} and owner = ${owner}`.execute(trx);
      return rows.length > 0;
    },
    { immediate: true },
  );
}

/** Gives the namespace up, if it is still this owner's. */
export async function releaseClaim(database: HoraeDatabase, { namespace, owner }: Claim): Promise<void> {
  await sql`
    delete from horae_daemon_claims where namespace = ${namespace} and owner = ${owner}`.execute(database.kysely);
}
