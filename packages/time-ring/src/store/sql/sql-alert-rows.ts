import type { AnyKysely, Dialect } from '@horae/clock-store/storage';
import { type RawBuilder, sql } from 'kysely';
import { WAITING } from '../../model/run.js';
import type { AlertBody, AlertMark, AlertReads, AlertVerbs, StoredAlert } from '../alert-store.js';
import { endAlert, readDeliveries, sweepDeliveries } from './sql-alert-deliveries.js';
import { insertIfAbsent } from './sql-insert-if-absent.js';
import { type BatchColumn, forUpdate, idIn, rowBatch, rowChunks } from './sql-row-batch.js';
import { type StoredRun, unpackRunRow } from './sql-run-rows.js';
import { readJson, readText, storedJson, storedText } from './sql-stored-text.js';

interface AlertRow {
  readonly id: number;
  readonly channel: string;
  readonly due_at: number;
  readonly tries: number;
  readonly first_tried_at: number | null;
  readonly alert_count: number;
  readonly at: number;
  readonly body: string;
}

const alertColumns: readonly BatchColumn[] = [
  { name: 'channel', kind: 'key' },
  { name: 'due_at', kind: 'number' },
  { name: 'tries', kind: 'integer' },
  { name: 'alert_count', kind: 'integer' },
  { name: 'at', kind: 'number' },
  { name: 'held_key', kind: 'key' },
  { name: 'body', kind: 'text' },
];
const markColumns: readonly BatchColumn[] = [
  { name: 'name', kind: 'key' },
  { name: 'owner', kind: 'key' },
  { name: 'until_at', kind: 'number' },
];
const alertList = sql.raw('id, channel, due_at, tries, first_tried_at, alert_count, at, body');
const namesOf = (columns: readonly BatchColumn[]) => sql.raw(columns.map(({ name }) => name).join(', '));

export function alertReads(db: AnyKysely): AlertReads {
  return {
    alertDeliveries: (query) => readDeliveries(db, query),
    async dueAlerts({ channels, until, limit }) {
      if (channels?.length === 0) return [];
      const toThem = channels === null ? sql`` : sql`and channel in (${sql.join(channels.map(storedText))})`;
      const { rows } = await sql<AlertRow>`
        select ${alertList} from horae_ring_alerts where due_at <= ${until} ${toThem}
        order by due_at, id limit ${limit}`.execute(db);
      return rows.map(unpackAlert);
    },
  };
}

export function alertWrites(db: AnyKysely, dialect: Dialect): AlertVerbs {
  return {
    ...outboxWrites(db, dialect),
    ...markWrites(db, dialect),
    async longWaitingRuns({ jobId, channel, readyBefore, limit }) {
      const end = `:${storedText(channel)}`;
      const mark =
        dialect === 'mysql'
          ? sql`concat('waiting:', r.id, ${end})`
          : sql`'waiting:' || r.id || cast(${end} as varchar(190))`;
      const { rows } = await sql<StoredRun>`
        select r.* from horae_ring_runs r
        where r.owner = ${WAITING} and r.job_id = ${jobId} and r.ready_at <= ${readyBefore}
          and not exists (select 1 from horae_ring_alert_marks m where m.name = ${mark})
        order by r.id limit ${limit}`.execute(db);
      return rows.map(unpackRunRow);
    },
  };
}

type OutboxVerbs = 'insertAlerts' | 'beginAlerts' | 'postponeAlert' | 'endAlert' | 'sweepDeliveries' | 'takeHeldAlerts';

function outboxWrites(db: AnyKysely, dialect: Dialect): Pick<AlertVerbs, OutboxVerbs> {
  return {
    async insertAlerts(alerts) {
      const rows = alerts.map(({ channel, dueAt, count, at, heldKey, body }) => [
        ...[storedText(channel), dueAt, 0, count, at],
        ...[heldKey === null ? null : storedText(heldKey), storedJson(body)],
      ]);
      for (const chunk of rowChunks(rows)) await insertAlerts(dialect, chunk).execute(db);
    },
    async beginAlerts(ids, at) {
      if (ids.length === 0) return;
      await sql`
        update horae_ring_alerts set held_key = null, first_tried_at = coalesce(first_tried_at, ${at})
        where ${idIn(dialect, 'id', ids)}`.execute(db);
    },
    async postponeAlert(id, { tries, dueAt, error }) {
      await sql`update horae_ring_alerts set tries = ${tries}, due_at = ${dueAt}, error = ${storedText(error)}
        where id = ${id}`.execute(db);
    },
    endAlert: (id, end) => endAlert(db, dialect, id, end),
    sweepDeliveries: (before) => sweepDeliveries(db, before),
    async takeHeldAlerts(keys) {
      if (keys.length === 0) return [];
      const { rows } = await sql<AlertRow>`
        select ${alertList} from horae_ring_alerts where held_key in (${sql.join(keys.map(storedText))})
        order by id ${forUpdate(dialect)}`.execute(db);
      const ids = rows.map(({ id }) => id);
      if (ids.length > 0) await sql`delete from horae_ring_alerts where ${idIn(dialect, 'id', ids)}`.execute(db);
      return rows.map(unpackAlert);
    },
  };
}

type MarkVerbs = 'holdMarks' | 'addMarks' | 'putMarks' | 'deleteMarks' | 'sweepMarks';

function markWrites(db: AnyKysely, dialect: Dialect): Pick<AlertVerbs, MarkVerbs> {
  return {
    async holdMarks(names) {
      const marks: AlertMark[] = [];
      for (const chunk of nameChunks(names)) {
        const { rows } = await sql<{ name: string; owner: string; until_at: number }>`
          select name, owner, until_at from horae_ring_alert_marks where name in (${chunk})
          order by name ${forUpdate(dialect)}`.execute(db);
        for (const { name, owner, until_at } of rows) marks.push({ name: readText(name), owner, until: until_at });
      }
      return marks;
    },
    async addMarks(marks) {
      const added = new Set<string>();
      for (const { name, owner, until } of marks) {
        const row = { name: storedText(name), owner, until_at: until };
        if (await insertIfAbsent(db, dialect, 'horae_ring_alert_marks', row)) added.add(name);
      }
      return added;
    },
    async putMarks(marks) {
      const rows = marks.map(({ name, owner, until }) => [storedText(name), owner, until]);
      for (const chunk of rowChunks(rows)) await putMarks(dialect, chunk).execute(db);
    },
    async deleteMarks(names) {
      for (const chunk of nameChunks(names)) {
        await sql`delete from horae_ring_alert_marks where name in (${chunk})`.execute(db);
      }
    },
    async sweepMarks(before) {
      await sql`delete from horae_ring_alert_marks where until_at < ${before}`.execute(db);
    },
  };
}

const MAX_NAMES_PER_STATEMENT = 500;

function* nameChunks(names: readonly string[]): Generator<RawBuilder<unknown>> {
  for (let from = 0; from < names.length; from += MAX_NAMES_PER_STATEMENT) {
    yield sql.join(names.slice(from, from + MAX_NAMES_PER_STATEMENT).map(storedText));
  }
}

type Rows = readonly (readonly unknown[])[];

/** Messages held back under the same key become one message; a null key never matches. */
function insertAlerts(dialect: Dialect, rows: Rows): RawBuilder<unknown> {
  const { source, value } = rowBatch(dialect, alertColumns, rows);
  const values = sql.join(alertColumns.map(({ name }) => value(name)));
  const conflict =
    dialect === 'mysql'
      ? sql`on duplicate key update alert_count = horae_ring_alerts.alert_count + values(alert_count), body = values(body)`
      : sql`where true on conflict (held_key) do update
            set alert_count = horae_ring_alerts.alert_count + excluded.alert_count, body = excluded.body`;
  return sql`insert into horae_ring_alerts (${namesOf(alertColumns)}) select ${values} from ${source} ${conflict}`;
}

function putMarks(dialect: Dialect, rows: Rows): RawBuilder<unknown> {
  const { source, value } = rowBatch(dialect, markColumns, rows);
  const values = sql.join(markColumns.map(({ name }) => value(name)));
  const conflict =
    dialect === 'mysql'
      ? sql`on duplicate key update owner = values(owner), until_at = values(until_at)`
      : sql`where true on conflict (name) do update set owner = excluded.owner, until_at = excluded.until_at`;
  return sql`insert into horae_ring_alert_marks (${namesOf(markColumns)}) select ${values} from ${source} ${conflict}`;
}

function unpackAlert(row: AlertRow): StoredAlert {
  return {
    id: row.id,
    channel: readText(row.channel),
    dueAt: row.due_at,
    tries: row.tries,
    firstTriedAt: row.first_tried_at,
    count: row.alert_count,
    at: row.at,
    body: readJson(row.body) as AlertBody,
  };
}
