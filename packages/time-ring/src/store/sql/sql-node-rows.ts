import type { AnyKysely, Dialect } from '@horae/clock-store/storage';
import { sql } from 'kysely';
import type { JobTransaction } from '../job-store.js';
import { insertIfAbsent } from './sql-insert-if-absent.js';
import { type BucketRow, type NodeRow, nodeColumns, unpackBucket, unpackNode } from './sql-job-reads.js';
import { forUpdate, idIn, ownerIn } from './sql-row-batch.js';
import { storedText } from './sql-stored-text.js';

type NodeVerbs = 'heartbeat' | 'keepNode' | 'pinNodes' | 'lockNodes' | 'removeNode' | 'addKill' | 'takeKills';
type BucketVerbs = 'lockBuckets' | 'renewBuckets' | 'takeBucket' | 'releaseBuckets';

/** The writes that nodes read from each other: heartbeats, and kills of their runs. */
export function nodeWrites(db: AnyKysely, dialect: Dialect): Pick<JobTransaction, NodeVerbs> {
  return {
    async heartbeat({ owner, nodeId, beatAt, listens = false }) {
      const row = { owner, node_id: storedText(nodeId), beat_at: beatAt, listens: Number(listens) };
      await untilWritten(db, dialect, row, async () => {
        const { numAffectedRows } = await sql`
          update horae_ring_nodes set node_id = ${row.node_id}, beat_at = ${beatAt}, listens = ${row.listens}
          where owner = ${owner}`.execute(db);
        return numAffectedRows !== 0n;
      });
    },
    async keepNode({ owner, nodeId, beatAt }) {
      const row = { owner, node_id: storedText(nodeId), beat_at: beatAt };
      await untilWritten(db, dialect, row, async () => (await pinned(db, dialect, [owner])).length > 0);
    },
    async pinNodes(owners) {
      return new Set(owners.length === 0 ? [] : await pinned(db, dialect, owners));
    },
    async lockNodes(owners) {
      if (owners.length === 0) return [];
      const { rows } = await sql<NodeRow>`
        select ${nodeColumns} from horae_ring_nodes where ${ownerIn(owners)}
        order by owner ${forUpdate(dialect)}`.execute(db);
      return rows.map(unpackNode);
    },
    async removeNode(owner) {
      await sql`delete from horae_ring_executors where node_owner = ${owner}`.execute(db);
      await sql`delete from horae_ring_handovers where owner = ${owner}`.execute(db);
      await sql`delete from horae_ring_nodes where owner = ${owner}`.execute(db);
    },
    async addKill(owner, runId) {
      await insertIfAbsent(db, dialect, 'horae_ring_kills', { owner, run_id: runId });
    },
    async takeKills(owner) {
      const { rows } = await sql<{ run_id: number }>`
        select run_id from horae_ring_kills where owner = ${owner} order by run_id ${forUpdate(dialect)}`.execute(db);
      const ids = rows.map((row) => row.run_id);
      if (ids.length === 0) return ids;
      // By id: kills noted meanwhile were not read and must stay.
      await sql`delete from horae_ring_kills where owner = ${owner} and ${idIn(dialect, 'run_id', ids)}`.execute(db);
      return ids;
    },
  };
}

/** How often other transactions may insert and remove the row between two attempts. */
const MAX_LOOKS = 10;

/**
 * Locks a node's row by `hold`, or inserts it. If another transaction inserts it in between, this one has no lock and the row may be
 * removed again, so it tries to lock the row again.
 */
async function untilWritten(
  db: AnyKysely,
  dialect: Dialect,
  row: Readonly<Record<string, unknown>>,
  hold: () => Promise<boolean>,
): Promise<void> {
  for (let look = 0; look < MAX_LOOKS; look++) {
    if (await hold()) return;
    if (await insertIfAbsent(db, dialect, 'horae_ring_nodes', row)) return;
  }
  // Continuing without the row could leave runs that no node finds; the transaction is rolled back instead, and its caller retries it.
  throw new Error(`The row of node ${String(row.owner)} was written and removed ${MAX_LOOKS} times by others`);
}

/** Protects the rows of nodes from deletion and returns the existing ones; on PostgreSQL without waiting for updates of them. */
async function pinned(db: AnyKysely, dialect: Dialect, owners: readonly string[]): Promise<string[]> {
  // Members of a cluster do not see each other's locks; one of two that write the same row fails.
  if (dialect === 'mysql')
    await sql`update horae_ring_nodes set holds = holds + 1 where ${ownerIn(owners)}`.execute(db);
  const lock = dialect === 'postgres' ? sql`for key share` : forUpdate(dialect);
  const { rows } = await sql<{ owner: string }>`
    select owner from horae_ring_nodes where ${ownerIn(owners)} order by owner ${lock}`.execute(db);
  return rows.map(({ owner }) => owner);
}

/** The leases of the 64 buckets. */
export function bucketWrites(db: AnyKysely, dialect: Dialect): Pick<JobTransaction, BucketVerbs> {
  const columns = sql.raw('bucket, owner, epoch, expires_at');
  return {
    async lockBuckets(owner) {
      const { rows } = await sql<BucketRow>`
        select ${columns} from horae_ring_buckets where owner = ${owner} order by bucket ${forUpdate(dialect)}`.execute(
        db,
      );
      return rows.map(unpackBucket);
    },
    async renewBuckets(owner, expiresAt) {
      await sql`update horae_ring_buckets set expires_at = ${expiresAt} where owner = ${owner}`.execute(db);
    },
    async takeBucket(bucket, owner, now, expiresAt) {
      const { rows } = await sql<BucketRow>`
        select ${columns} from horae_ring_buckets where bucket = ${bucket} ${forUpdate(dialect)}`.execute(db);
      const [lease] = rows;
      if (lease === undefined || (lease.owner !== null && lease.expires_at >= now)) return null;
      const epoch = lease.epoch + 1;
      await sql`
        update horae_ring_buckets set owner = ${owner}, epoch = ${epoch}, expires_at = ${expiresAt}
        where bucket = ${bucket}`.execute(db);
      return epoch;
    },
    async releaseBuckets(owner, buckets) {
      if (buckets.length === 0) return;
      await sql`
        update horae_ring_buckets set owner = null
        where owner = ${owner} and ${idIn(dialect, 'bucket', buckets)}`.execute(db);
    },
  };
}
