import { createHash } from 'node:crypto';
import type { AnyKysely, Dialect } from '@horae/clock-store/storage';
import { type RawBuilder, sql } from 'kysely';
import { byPlace, isRestart } from '../executor-order.js';
import type { JobTransaction, RegisteredExecutor } from '../job-store.js';
import { insertIfAbsent } from './sql-insert-if-absent.js';
import { forUpdate } from './sql-row-batch.js';
import { readJson, readText, readTextOrNull, storedJson, storedText, storedTextOrNull } from './sql-stored-text.js';

interface ExecutorRow {
  readonly executor_group: string;
  readonly address: string;
  readonly registered_at: number;
  readonly beat_at: number;
  readonly node_owner: string | null;
  readonly node_id: string | null;
  readonly handlers: string | null;
  readonly instance_id: string | null;
}

const columns = sql.raw('executor_group, address, registered_at, beat_at, node_owner, node_id, handlers, instance_id');

/** The digest of group and address: both are any text, and the digest can be a key in every database. */
function executorKey({ group, address, nodeOwner }: Parameters<JobTransaction['removeExecutor']>[0]): string {
  const parts = nodeOwner === null ? [group, address] : [group, address, nodeOwner];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** The executors that match `where`, by group, address and node; a local executor lives as long as its node. */
export async function readExecutors(db: AnyKysely, where: RawBuilder<boolean>): Promise<readonly RegisteredExecutor[]> {
  const { rows } = await sql<ExecutorRow>`
    select e.executor_group, e.address, e.registered_at, coalesce(n.beat_at, e.beat_at) as beat_at, e.node_owner, e.node_id,
      e.handlers, e.instance_id
    from horae_ring_executors e left join horae_ring_nodes n on n.owner = e.node_owner
    where ${where} and (e.node_owner is null or n.owner is not null)`.execute(db);
  return rows.map(unpack).sort(byPlace);
}

export function executorWrites(
  db: AnyKysely,
  dialect: Dialect,
): Pick<JobTransaction, 'putExecutor' | 'removeExecutor'> {
  async function held(key: string): Promise<RegisteredExecutor | null> {
    const { rows } = await sql<ExecutorRow>`
      select ${columns} from horae_ring_executors where executor_key = ${key} ${forUpdate(dialect)}`.execute(db);
    return rows.length === 0 ? null : unpack(rows[0]!);
  }

  return {
    async putExecutor({ at, ...executor }) {
      const key = executorKey(executor);
      const { group, address, nodeOwner, nodeId, handlers, instanceId } = executor;
      const announced = { handlers: storedJson(handlers), instance_id: storedTextOrNull(instanceId) };
      const known = await held(key);
      if (known === null) {
        const isNew = await insertIfAbsent(db, dialect, 'horae_ring_executors', {
          executor_key: key,
          executor_group: storedText(group),
          address: storedText(address),
          registered_at: at,
          beat_at: at,
          node_owner: nodeOwner,
          node_id: storedTextOrNull(nodeId),
          ...announced,
        });
        if (isNew) return 'new';
      }
      await sql`
        update horae_ring_executors
        set beat_at = ${at}, handlers = ${announced.handlers}, instance_id = ${announced.instance_id}
        where executor_key = ${key}`.execute(db);
      return known !== null && isRestart(known.instanceId, instanceId) ? 'restarted' : 'known';
    },
    async removeExecutor(executor) {
      const key = executorKey(executor);
      const known = await held(key);
      if (known !== null) await sql`delete from horae_ring_executors where executor_key = ${key}`.execute(db);
      return known;
    },
  };
}

function unpack(row: ExecutorRow): RegisteredExecutor {
  const handlers = readJson(row.handlers);
  return {
    group: readText(row.executor_group),
    address: readText(row.address),
    registeredAt: row.registered_at,
    beatAt: row.beat_at,
    nodeOwner: row.node_owner,
    nodeId: readTextOrNull(row.node_id),
    handlers: Array.isArray(handlers) ? handlers.map(String) : null,
    instanceId: readTextOrNull(row.instance_id),
  };
}
