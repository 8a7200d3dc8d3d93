import type { AnyKysely, Dialect } from '@horae/clock-store/storage';
import { sql } from 'kysely';
import type { AlertRule } from '../../model/alert.js';
import { WAITING } from '../../model/run.js';
import { alertRulesShape } from '../../schedule/alert-rules.js';
import { rateShape } from '../../schedule/parse-job.js';
import type { GroupReads, GroupWrites, StartCounts, StoredGroup } from '../group-store.js';
import { nameKey } from './sql-calendar-rows.js';
import { insertIfAbsent } from './sql-insert-if-absent.js';
import { GROUPS, GROUPS_VERSION } from './sql-job-migrations.js';
import { type JobRow, unpackJob } from './sql-job-rows.js';
import { openOwners } from './sql-open-owners.js';
import { forUpdate, ownerIn, textIs } from './sql-row-batch.js';
import { pruneRuns } from './sql-run-retention.js';
import { readJson, readText, storedJson, storedText } from './sql-stored-text.js';

interface GroupRow {
  readonly name: string;
  readonly title: string;
  readonly addresses: string | null;
  readonly max_running: number | null;
  readonly rate: string | null;
  readonly alerts: string | null;
  readonly paused_at: number | null;
  readonly created_at: number;
}

async function readGroups(db: AnyKysely, names: readonly string[] | null): Promise<readonly StoredGroup[]> {
  if (names?.length === 0) return [];
  const where = names === null ? sql`1 = 1` : sql`name_key in (${sql.join(names.map(nameKey))})`;
  const { rows } = await sql<GroupRow>`
    select name, title, addresses, max_running, rate, alerts, paused_at, created_at
    from horae_ring_groups where ${where}`.execute(db);
  return rows.map(unpackGroup).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function unpackGroup(row: GroupRow): StoredGroup {
  const addresses = readJson(row.addresses);
  const rate = rateShape.safeParse(readJson(row.rate));
  const alerts = alertRulesShape.safeParse(readJson(row.alerts));
  return {
    name: readText(row.name),
    title: readText(row.title),
    addresses: Array.isArray(addresses) ? addresses.map(String) : [],
    maxRunning: row.max_running,
    rate: rate.success ? rate.data : null,
    alerts: alerts.success ? (alerts.data as readonly AlertRule[]) : [],
    pausedAt: row.paused_at,
    createdAt: row.created_at,
  };
}

/** The runs of a group's jobs. */
const ofGroup = (dialect: Dialect, group: string) =>
  sql`job_id in (select id from horae_ring_jobs where ${textIs(dialect, 'executor_group', storedText(group))})`;

/** The reads of groups and limits, outside a transaction or inside. */
export function groupReads(db: AnyKysely, dialect: Dialect): GroupReads {
  return {
    groups: (names) => readGroups(db, names),
    async namedGroups() {
      const { rows } = await sql<{ executor_group: string }>`
        select executor_group from horae_ring_jobs union select executor_group from horae_ring_executors`.execute(db);
      return rows.map(({ executor_group }) => readText(executor_group));
    },
    async countRunning(scope) {
      const owners = await openOwners(db);
      if (owners.length === 0) return 0;
      const ofScope = 'group' in scope ? ofGroup(dialect, scope.group) : sql`job_id = ${scope.jobId}`;
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from horae_ring_runs
        where ${ownerIn(owners)} and state in ('queued', 'running') and ${ofScope}`.execute(db);
      return Number(rows[0]!.count);
    },
    async starts(name) {
      const { rows } = await sql<{ starts: string }>`
        select starts from horae_ring_limits where name = ${nameKey(name)}`.execute(db);
      return rows.length === 0 ? [] : readStarts(rows[0]!.starts);
    },
    async jobsWithHistoryLimit({ afterId, limit }) {
      const { rows } = await sql<JobRow>`
        select * from horae_ring_jobs where keep_runs is not null and id > ${afterId}
        order by id limit ${limit}`.execute(db);
      return rows.map(unpackJob);
    },
  };
}

/** The operations of a transaction on groups and limits. */
export function groupWrites(db: AnyKysely, dialect: Dialect): GroupWrites {
  async function heldStarts(key: string): Promise<string | null> {
    const { rows } = await sql<{ starts: string }>`
      select starts from horae_ring_limits where name = ${key} ${forUpdate(dialect)}`.execute(db);
    return rows[0]?.starts ?? null;
  }

  async function countChange(): Promise<void> {
    const { rows } = await sql<{ value: string }>`
      select value from horae_ring_settings where name = ${GROUPS_VERSION} ${forUpdate(dialect)}`.execute(db);
    const next = String(Number(rows[0]?.value ?? 0) + 1);
    await sql`update horae_ring_settings set value = ${next} where name = ${GROUPS_VERSION}`.execute(db);
  }

  const shared = { sqlite: sql``, postgres: sql`for share`, mysql: sql`lock in share mode` }[dialect];
  return {
    async shareGroups(names) {
      await sql`select 1 from horae_ring_settings where name = ${GROUPS} ${shared}`.execute(db);
      return readGroups(db, names);
    },
    async lockGroups() {
      await sql`select 1 from horae_ring_settings where name = ${GROUPS} ${forUpdate(dialect)}`.execute(db);
    },
    async putGroup({ name, title, addresses, maxRunning, rate, alerts, pausedAt, createdAt }) {
      await countChange();
      const key = nameKey(name);
      const values = {
        title: storedText(title),
        addresses: storedJson(addresses),
        max_running: maxRunning,
        rate: storedJson(rate),
        alerts: alerts.length === 0 ? null : storedJson(alerts),
        paused_at: pausedAt,
      };
      const row = { name_key: key, name: storedText(name), ...values, created_at: createdAt };
      if (await insertIfAbsent(db, dialect, 'horae_ring_groups', row)) return;
      const changes = Object.entries(values).map(([column, value]) => sql`${sql.raw(column)} = ${value}`);
      await sql`update horae_ring_groups set ${sql.join(changes)} where name_key = ${key}`.execute(db);
    },
    async deleteGroup(name) {
      await countChange();
      await sql`delete from horae_ring_groups where name_key = ${nameKey(name)}`.execute(db);
    },
    async pauseWaiting(group) {
      await sql`
        update horae_ring_runs set waiting_for = 'paused', deadline_at = null
        where owner = ${sql.lit(WAITING)} and ${ofGroup(dialect, group)}`.execute(db);
    },
    async resumeWaiting({ group, pausedAt, now }) {
      await sql`
        update horae_ring_runs
        set ready_at = case when ready_at < ${pausedAt} then ready_at + ${now - pausedAt} else ${now} end
        where owner = ${sql.lit(WAITING)} and waiting_for = 'paused' and ready_at < ${now}
          and ${ofGroup(dialect, group)}`.execute(db);
    },
    async lockStarts(names) {
      const held = new Map<string, StartCounts>();
      for (const name of names) {
        const key = nameKey(name);
        let starts = await heldStarts(key);
        // Read first: inserting an existing row would lock it in a way that makes two concurrent transactions deadlock.
        if (starts === null) {
          await insertIfAbsent(db, dialect, 'horae_ring_limits', { name: key, starts: '[]' });
          starts = await heldStarts(key);
        }
        held.set(name, readStarts(starts ?? '[]'));
      }
      return held;
    },
    async putStarts(name, starts) {
      await sql`update horae_ring_limits set starts = ${JSON.stringify(starts)}
        where name = ${nameKey(name)}`.execute(db);
    },
    pruneRuns: (query) => pruneRuns(db, dialect, query),
  };
}

function readStarts(stored: string): StartCounts {
  const starts = readJson(stored);
  return Array.isArray(starts) ? (starts as StartCounts) : [];
}
