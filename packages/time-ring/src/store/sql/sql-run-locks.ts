import type { AnyKysely, Dialect } from '@horae/clock-store/storage';
import { type RawBuilder, sql } from 'kysely';
import { DELAYED, REMOTE, type RunRow, UNOWNED, WAITING } from '../../model/run.js';
import type { JobTransaction } from '../job-store.js';
import { openOwners } from './sql-open-owners.js';
import { forUpdate, idIn, ownerIn, textIs } from './sql-row-batch.js';
import { deleteRuns } from './sql-run-retention.js';
import { type StoredRun, unpackRunRow } from './sql-run-rows.js';
import { storedText } from './sql-stored-text.js';

type HoldVerbs =
  | 'lockRuns'
  | 'takeRuns'
  | 'takeWaiting'
  | 'takeDelayed'
  | 'takeHandovers'
  | 'ownsRuns'
  | 'withdrawRuns'
  | 'lockFire'
  | 'lockOverdueRuns'
  | 'lockRunsAt'
  | 'deleteRuns';

/** The reads of a transaction that lock runs. */
export function runLocks(db: AnyKysely, dialect: Dialect): Pick<JobTransaction, HoldVerbs> {
  const isAt = (addresses: readonly string[]) =>
    addresses.length === 0
      ? sql`1 = 0`
      : sql`(${sql.join(
          addresses.map((address) => textIs(dialect, 'address', storedText(address))),
          sql` or `,
        )})`;

  async function hold(
    where: RawBuilder<unknown>,
    limit?: number,
    { order = 'id', lock = forUpdate(dialect) }: { order?: string; lock?: RawBuilder<unknown> } = {},
  ): Promise<RunRow[]> {
    const most = limit === undefined ? sql`` : sql`limit ${limit}`;
    const { rows } = await sql<StoredRun>`
      select * from horae_ring_runs where ${where} order by ${sql.raw(order)} ${most} ${lock}`.execute(db);
    return rows.map(unpackRunRow);
  }

  /** Others may take from the same queue. MariaDB skips more than locked rows: there, this reads first, then locks by id. */
  async function lockQueue(where: RawBuilder<unknown>, limit: number, order: string): Promise<RunRow[]> {
    if (dialect !== 'mysql')
      return hold(where, limit, { order, lock: dialect === 'sqlite' ? sql`` : sql`for update skip locked` });
    const seen = await sql<{ id: number }>`
      select id from horae_ring_runs where ${where} order by ${sql.raw(order)} limit ${limit}`.execute(db);
    if (seen.rows.length === 0) return [];
    return hold(
      sql`${idIn(
        dialect,
        'id',
        seen.rows.map(({ id }) => id),
      )} and ${where}`,
      undefined,
      { order },
    );
  }

  /** In one statement, skipping runs that others are taking: any node may take from the unowned backlog. */
  async function takeUnowned(owner: string, limit: number): Promise<RunRow[]> {
    const oldest = sql`select id from horae_ring_runs where owner = ${sql.lit(UNOWNED)} order by id limit ${limit}`;
    // An array is evaluated once; PostgreSQL might evaluate a subquery for each row, with different results.
    const taken = dialect === 'postgres' ? sql`= any(array(${oldest} for update skip locked))` : sql`in (${oldest})`;
    const { rows } = await sql<StoredRun>`
      update horae_ring_runs set owner = ${owner}, fence = fence + 1, state = 'pending', address = fixed_address,
        started_at = null
      where id ${taken} returning *`.execute(db);
    return rows.map(unpackRunRow).sort((a, b) => a.id - b.id);
  }

  async function give(rows: RunRow[], owner: string): Promise<RunRow[]> {
    if (rows.length === 0) return rows;
    const ids = rows.map(({ id }) => id);
    await sql`
      update horae_ring_runs set owner = ${owner}, fence = fence + 1, deadline_at = null
      where ${idIn(dialect, 'id', ids)}`.execute(db);
    for (const row of rows) {
      row.owner = owner;
      row.fence += 1;
      row.deadlineAt = null;
    }
    return rows;
  }

  return {
    lockRuns: async (ids) => (ids.length === 0 ? [] : hold(idIn(dialect, 'id', ids))),
    async takeRuns({ owner, from, limit }) {
      if (from.length === 0) return [];
      if (dialect !== 'mysql' && from.every((each) => each === UNOWNED)) return takeUnowned(owner, limit);
      const rows = await hold(ownerIn(from), limit);
      if (rows.length === 0) return rows;
      const ids = rows.map(({ id }) => id);
      await sql`
        update horae_ring_runs set owner = ${owner}, fence = fence + 1, state = 'pending', address = fixed_address,
          started_at = null where ${idIn(dialect, 'id', ids)}`.execute(db);
      // Changed in place, since they were read only for this: copying so many fields takes longer than the statements.
      for (const row of rows) {
        row.owner = owner;
        row.fence += 1;
        row.state = 'pending';
        row.address = row.fixedAddress;
        row.startedAt = null;
      }
      return rows;
    },
    async takeWaiting({ owner, jobId, limit }) {
      const order = 'urgency, ready_at, id';
      const waiting = sql`owner = ${sql.lit(WAITING)} and job_id = ${jobId}`;
      return give(await lockQueue(waiting, limit, order), owner);
    },
    async takeDelayed({ owner, until, limit }) {
      const due = sql`owner = ${sql.lit(DELAYED)} and deadline_at <= ${until}`;
      return give(await lockQueue(due, limit, 'deadline_at, id'), owner);
    },
    async takeHandovers(owner) {
      const { rows } = await sql<{ run_id: number }>`
        select run_id from horae_ring_handovers where owner = ${owner} order by run_id ${forUpdate(dialect)}`.execute(
        db,
      );
      if (rows.length === 0) return [];
      const ids = rows.map(({ run_id }) => run_id);
      await sql`delete from horae_ring_handovers where ${idIn(dialect, 'run_id', ids)}`.execute(db);
      return (await hold(idIn(dialect, 'id', ids))).filter((row) => row.owner === owner);
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
    async lockFire(fireId) {
      // Members of a cluster do not see each other's locks, but one of two that write the same row fails.
      if (dialect === 'mysql') await sql`update horae_ring_runs set holds = holds + 1 where id = ${fireId}`.execute(db);
      return hold(sql`((id = ${fireId} and fire_id is null) or fire_id = ${fireId})`);
    },
    lockOverdueRuns: ({ owner, now, limit }) => hold(sql`owner = ${sql.lit(owner)} and deadline_at <= ${now}`, limit),
    lockRunsAt: ({ addresses, limit }) => hold(sql`owner = ${REMOTE} and ${isAt(addresses)}`, limit),
    deleteRuns: (query) => deleteRuns(db, dialect, query),
  };
}
