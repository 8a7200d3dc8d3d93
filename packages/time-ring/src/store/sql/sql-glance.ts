import type { AnyKysely, HoraeDatabase } from '@horae/clock-store/storage';
import { type RawBuilder, sql } from 'kysely';
import { DELAYED, REMOTE, UNOWNED, WAITING } from '../../model/run.js';
import type { Glance, GlanceQuery } from '../glance.js';
import { GROUPS_VERSION } from './sql-job-migrations.js';
import { type NodeRow, nodeColumns, unpackNode } from './sql-job-reads.js';
import { lockRow } from './sql-lock-row.js';
import { storedText } from './sql-stored-text.js';

interface GlanceRow extends NodeRow {
  readonly now: number | string | null;
  readonly due_jobs: unknown;
  readonly unowned_runs: unknown;
  readonly delayed_runs: unknown;
  readonly lock_row: unknown;
  readonly leases: number | string;
  readonly groups_version: string;
  readonly handovers: unknown;
  readonly waiting_runs: unknown;
  readonly overdue_runs: unknown;
  readonly lost_executors: unknown;
  readonly due_alerts: unknown;
}

/**
 * One statement: returns each node with the same answers beside it, which the database computes once. No rows when this node's row or
 * every node's row is missing. On PostgreSQL the heartbeat is part of the statement.
 */
export async function glance(database: HoraeDatabase, query: GlanceQuery): Promise<Glance | null> {
  const { dialect, kysely } = database;
  const isBeating = dialect === 'postgres' && query.heartbeat !== null;
  const { rows } = await sql<GlanceRow>`
    ${isBeating ? beatAsPart(query) : sql``}
    select ${nodeColumns}, ${database.nowSql ?? sql`null`} as now, ${answers(query)}
    from horae_ring_nodes order by owner`.execute(kysely);
  const own = rows.find(({ owner }) => owner === query.owner);
  if (own === undefined) return null;
  const found = unpack(rows, own);
  const now = database.nowSql === undefined && dialect !== 'sqlite' ? await database.dbNow() : found.now;
  if (!isBeating && !found.hasWork) await beat(kysely, dialect, query);
  return { ...found, now };
}

function answers({ owner, dueBy, delayedBy, now, aliveSince }: GlanceQuery): RawBuilder<unknown> {
  const runs = (of: RawBuilder<unknown>) => sql`exists (select 1 from horae_ring_runs where ${of})`;
  const until = (who: string, at: number) => sql`owner = ${sql.lit(who)} and deadline_at <= ${at}`;
  return sql`
    exists (select 1 from horae_ring_jobs where state = 'RUNNING' and next_at <= ${dueBy}) as due_jobs,
    ${runs(sql`owner = ${sql.lit(UNOWNED)}`)} as unowned_runs, ${runs(until(DELAYED, delayedBy))} as delayed_runs,
    exists (select 1 from ${sql.table(lockRow.table)} where ${sql.ref(lockRow.column)} = ${lockRow.value}) as lock_row,
    (select count(*) from horae_ring_buckets where owner = ${owner}) as leases,
    (select value from horae_ring_settings where name = ${GROUPS_VERSION}) as groups_version,
    exists (select 1 from horae_ring_handovers where owner = ${owner}) as handovers,
    ${runs(sql`owner = ${sql.lit(WAITING)}`)} as waiting_runs,
    (${runs(until(REMOTE, now))} or ${runs(until(WAITING, now))}) as overdue_runs,
    exists (select 1 from horae_ring_executors where node_owner is null and beat_at < ${aliveSince}) as lost_executors,
    exists (select 1 from horae_ring_alerts where due_at <= ${now}) as due_alerts`;
}

function beatAsPart({ owner, heartbeat, leasesUntil }: GlanceQuery): RawBuilder<unknown> {
  const leases =
    leasesUntil === null
      ? sql``
      : sql`, renewed as (update horae_ring_buckets set expires_at = ${leasesUntil} where owner = ${owner})`;
  return sql`with beaten as (${beatOf(heartbeat!)}) ${leases}`;
}

function beatOf({ owner, nodeId, beatAt, listens = false }: NonNullable<GlanceQuery['heartbeat']>) {
  return sql`
    update horae_ring_nodes set node_id = ${storedText(nodeId)}, beat_at = ${beatAt}, listens = ${Number(listens)}
    where owner = ${owner}`;
}

async function beat(
  db: AnyKysely,
  dialect: HoraeDatabase['dialect'],
  { owner, heartbeat, leasesUntil }: GlanceQuery,
): Promise<void> {
  if (heartbeat === null) return;
  if (dialect === 'mysql' && leasesUntil !== null) {
    const { nodeId, beatAt, listens = false } = heartbeat;
    await sql`
      update horae_ring_nodes n left join horae_ring_buckets b on b.owner = n.owner
      set n.node_id = ${storedText(nodeId)}, n.beat_at = ${beatAt}, n.listens = ${Number(listens)},
        b.expires_at = ${leasesUntil}
      where n.owner = ${owner}`.execute(db);
    return;
  }
  await beatOf(heartbeat).execute(db);
  if (leasesUntil !== null)
    await sql`update horae_ring_buckets set expires_at = ${leasesUntil} where owner = ${owner}`.execute(db);
}

/** Booleans on PostgreSQL, 0 and 1 elsewhere. */
const isTrue = (value: unknown) => value === true || Number(value) === 1;

function unpack(rows: readonly GlanceRow[], own: GlanceRow): Glance {
  return {
    now: own.now === null ? null : Number(own.now),
    nodes: rows.map(unpackNode),
    hasWork: isTrue(own.due_jobs) || isTrue(own.unowned_runs) || isTrue(own.delayed_runs),
    hasLockRow: isTrue(own.lock_row),
    leases: Number(own.leases),
    groupsVersion: Number(own.groups_version),
    hasHandovers: isTrue(own.handovers),
    hasWaiting: isTrue(own.waiting_runs),
    hasOverdue: isTrue(own.overdue_runs),
    hasLostExecutors: isTrue(own.lost_executors),
    hasDueAlerts: isTrue(own.due_alerts),
  };
}
