import { createHash } from 'node:crypto';
import type { AnyKysely, Dialect } from '@horae/clock-store/storage';
import { type RawBuilder, sql } from 'kysely';
import type { JobTransaction, RegisteredExecutor } from './job-store.js';
import { insertIfAbsent } from './sql-insert-if-absent.js';
import { forUpdate } from './sql-row-batch.js';
import { readText, storedText } from './sql-stored-text.js';

interface ExecutorRow {
  readonly executor_group: string;
  readonly address: string;
  readonly registered_at: number;
  readonly beat_at: number;
}

const columns = sql.raw('executor_group, address, registered_at, beat_at');

/** Groups and addresses are any text; their digest is fit to be a key in every database. */
function executorKey(group: string, address: string): string {
  return createHash('sha256')
    .update(JSON.stringify([group, address]))
    .digest('hex');
}

/** The executors for which `where` holds, by group and address. Sorted here: collations differ. */
export async function readExecutors(db: AnyKysely, where: RawBuilder<boolean>): Promise<readonly RegisteredExecutor[]> {
  const { rows } = await sql<ExecutorRow>`select ${columns} from horae_ring_executors where ${where}`.execute(db);
  return rows.map(unpack).sort((a, b) => compare(a.group, b.group) || compare(a.address, b.address));
}

export function executorWrites(
  db: AnyKysely,
  dialect: Dialect,
): Pick<JobTransaction, 'putExecutor' | 'removeExecutor'> {
  return {
    async putExecutor({ group, address, at }) {
      const key = executorKey(group, address);
      const beat = sql`update horae_ring_executors set beat_at = ${at} where executor_key = ${key}`;
      if ((await beat.execute(db)).numAffectedRows !== 0n) return 'known';
      const isNew = await insertIfAbsent(db, dialect, 'horae_ring_executors', {
        executor_key: key,
        executor_group: storedText(group),
        address: storedText(address),
        registered_at: at,
        beat_at: at,
      });
      if (isNew) return 'new';
      await beat.execute(db);
      return 'known';
    },
    async removeExecutor(group, address) {
      const key = executorKey(group, address);
      const { rows } = await sql<ExecutorRow>`
        select ${columns} from horae_ring_executors where executor_key = ${key} ${forUpdate(dialect)}`.execute(db);
      await sql`delete from horae_ring_executors where executor_key = ${key}`.execute(db);
      return rows.length === 0 ? null : unpack(rows[0]!);
    },
  };
}

function unpack(row: ExecutorRow): RegisteredExecutor {
  return {
    group: readText(row.executor_group),
    address: readText(row.address),
    registeredAt: row.registered_at,
    beatAt: row.beat_at,
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
