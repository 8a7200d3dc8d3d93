import type { AnyKysely, Dialect } from '@horae/clock-store/storage';
import { sql } from 'kysely';
import type { JobTransaction } from '../job-store.js';
import { uniqueLock } from '../unique-lock.js';
import { forUpdate, idIn } from './sql-row-batch.js';
import { readText } from './sql-stored-text.js';

type UniqueVerbs = 'lockUnique' | 'releaseUnique' | 'retakeUnique';

const MAX_KEYS_PER_READ = 1_000;

interface HolderRow {
  readonly id: number;
  readonly unique_key: string;
  readonly unique_until: number | null;
}

/** The operations on unique keys. The first run of a fire holds the lock, however many attempts and shards follow. */
export function uniqueKeys(db: AnyKysely, dialect: Dialect): Pick<JobTransaction, UniqueVerbs> {
  async function lockSome(jobId: number, keys: readonly string[]) {
    const { rows } = await sql<HolderRow>`
      select id, unique_key, unique_until from horae_ring_runs
      where job_id = ${jobId} and unique_lock in (${sql.join(keys.map(uniqueLock))}) order by id ${forUpdate(dialect)}`.execute(
      db,
    );
    return rows.map((row) => ({ uniqueKey: readText(row.unique_key), fireId: row.id, until: row.unique_until }));
  }

  return {
    async lockUnique(jobId, keys) {
      const holders: Awaited<ReturnType<typeof lockSome>> = [];
      for (let from = 0; from < keys.length; from += MAX_KEYS_PER_READ) {
        holders.push(...(await lockSome(jobId, keys.slice(from, from + MAX_KEYS_PER_READ))));
      }
      return holders;
    },
    async releaseUnique(releases) {
      const byTime = new Map<number | null, number[]>();
      for (const { fireId, until } of releases) byTime.set(until, [...(byTime.get(until) ?? []), fireId]);
      for (const [until, ids] of byTime) {
        const lock = until === null ? sql`null` : sql`unique_lock`;
        await sql`
          update horae_ring_runs set unique_lock = ${lock}, unique_until = ${until}
          where ${idIn(dialect, 'id', ids)}`.execute(db);
      }
    },
    async retakeUnique(fireId) {
      const { rows } = await sql<{ job_id: number; unique_key: string | null }>`
        select job_id, unique_key from horae_ring_runs where id = ${fireId} ${forUpdate(dialect)}`.execute(db);
      const [row] = rows;
      if (row === undefined || row.unique_key === null) return true;
      const key = readText(row.unique_key);
      const [holder] = await lockSome(row.job_id, [key]);
      if (holder !== undefined && holder.fireId !== fireId) return false;
      await sql`
        update horae_ring_runs set unique_lock = ${uniqueLock(key)}, unique_until = null where id = ${fireId}`.execute(
        db,
      );
      return true;
    },
  };
}
