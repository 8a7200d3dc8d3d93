import type { AnyKysely, Dialect } from '@horae/clock-store/storage';
import { type RawBuilder, sql } from 'kysely';
import { REMOTE, type RunRow } from '../run.js';
import type { JobTransaction } from './job-store.js';
import { forUpdate, idIn, ownerIn, textIs } from './sql-row-batch.js';
import { type StoredRun, unpackRunRow } from './sql-run-rows.js';
import { storedText } from './sql-stored-text.js';

type HoldVerbs =
  | 'holdRuns'
  | 'takeRuns'
  | 'ownsRuns'
  | 'withdrawRuns'
  | 'holdFire'
  | 'holdOverdueRuns'
  | 'holdRunsAt'
  | 'deleteRuns';

/** How many of the oldest runs are looked at for ones that may go: a look must not cost more, the more is kept. */
const RETENTION_WINDOW = 10_000;

/** What a transaction finds and holds of the runs. */
export function runHolds(db: AnyKysely, dialect: Dialect): Pick<JobTransaction, HoldVerbs> {
  const inBuckets = (buckets: readonly number[] | null) =>
    buckets === null ? sql`` : sql`and ${idIn(dialect, 'bucket', buckets)}`;

  const isAt = (addresses: readonly string[]) =>
    addresses.length === 0
      ? sql`1 = 0`
      : sql`(${sql.join(
          addresses.map((address) => textIs(dialect, 'address', storedText(address))),
          sql` or `,
        )})`;

  async function hold(where: RawBuilder<unknown>, limit?: number): Promise<RunRow[]> {
    const most = limit === undefined ? sql`` : sql`limit ${limit}`;
    const { rows } = await sql<StoredRun>`
      select * from horae_ring_runs where ${where} order by id ${most} ${forUpdate(dialect)}`.execute(db);
    return rows.map(unpackRunRow);
  }

  return {
    holdRuns: async (ids) => (ids.length === 0 ? [] : hold(idIn(dialect, 'id', ids))),
    async takeRuns({ owner, from, buckets, limit }) {
      if (from.length === 0) return [];
      const rows = await hold(sql`${ownerIn(from)} ${inBuckets(buckets)}`, limit);
      if (rows.length === 0) return rows;
      const ids = rows.map(({ id }) => id);
      await sql`
        update horae_ring_runs set owner = ${owner}, fence = fence + 1, state = 'pending', address = fixed_address,
          started_at = null where ${idIn(dialect, 'id', ids)}`.execute(db);
      return rows.map((row) => ({
        ...row,
        owner,
        fence: row.fence + 1,
        state: 'pending',
        address: row.fixedAddress,
        startedAt: null,
      }));
    },
    async ownsRuns(owner) {
      const { rows } = await sql`select 1 from horae_ring_runs where owner = ${owner} limit 1`.execute(db);
      return rows.length > 0;
    },
    async withdrawRuns(jobId) {
      const owners = await openOwners(db);
      if (owners.length === 0) return [];
      const { rows } = await sql<{ id: number }>`
        select id from horae_ring_runs
        where ${ownerIn(owners)} and job_id = ${jobId} and trigger_type = 'schedule' and state = 'pending'
          and fired_at is null order by id ${forUpdate(dialect)}`.execute(db);
      const ids = rows.map(({ id }) => id);
      if (ids.length > 0) await sql`delete from horae_ring_runs where ${idIn(dialect, 'id', ids)}`.execute(db);
      return ids;
    },
    holdFire: (fireId) => hold(sql`((id = ${fireId} and fire_id is null) or fire_id = ${fireId})`),
    holdOverdueRuns: ({ now, buckets, limit }) =>
      hold(sql`owner = ${REMOTE} and deadline_at <= ${now} ${inBuckets(buckets)}`, limit),
    holdRunsAt: ({ addresses, buckets, limit }) =>
      hold(sql`owner = ${REMOTE} and ${isAt(addresses)} ${inBuckets(buckets)}`, limit),
    deleteRuns: (query) => deleteRuns(db, dialect, query),
  };
}

/** Who has runs that are not over: few owners, each found by one step through the index, however many runs they have. */
async function openOwners(db: AnyKysely): Promise<string[]> {
  const { rows } = await sql<{ owner: string }>`
    with recursive owners as (
      select min(owner) as owner from horae_ring_runs where owner is not null
      union all
      select (select min(r.owner) from horae_ring_runs r where r.owner > owners.owner) from owners
      where owners.owner is not null
    )
    select owner from owners where owner is not null`.execute(db);
  return rows.map(({ owner }) => owner);
}

async function deleteRuns(
  db: AnyKysely,
  dialect: Dialect,
  { endedBefore, limit }: { endedBefore: number; limit: number },
): Promise<number> {
  let afterId = 0;
  const ids: number[] = [];
  for (;;) {
    const { rows } = await sql<{ id: number; ended_at: number | null }>`
      select id, ended_at from horae_ring_runs where id > ${afterId} order by id limit ${RETENTION_WINDOW}`.execute(db);
    const gone = rows.filter((row) => row.ended_at !== null && row.ended_at < endedBefore).map(({ id }) => id);
    ids.push(...gone.slice(0, limit - ids.length));
    // Later runs have ended later, but for few: what a window without a find leaves behind goes when the window moves on.
    if (ids.length >= limit || gone.length === 0 || rows.length < RETENTION_WINDOW) break;
    afterId = rows.at(-1)!.id;
  }
  if (ids.length === 0) return 0;
  await sql`delete from horae_ring_logs where ${idIn(dialect, 'run_id', ids)}`.execute(db);
  const { numAffectedRows } = await sql`delete from horae_ring_runs where ${idIn(dialect, 'id', ids)}`.execute(db);
  return Number(numAffectedRows);
}
