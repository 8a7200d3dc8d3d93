import type { AnyKysely, Dialect } from '@horae/clock-store/storage';
import { sql } from 'kysely';
import type { AlertDelivery } from '../../model/alert.js';
import type { AlertBody, AlertEnd, AlertReads } from '../alert-store.js';
import { forUpdate } from './sql-row-batch.js';
import { readJson, readText, storedText } from './sql-stored-text.js';

interface DeliveryRow {
  readonly id: number;
  readonly channel: string;
  readonly state: string;
  readonly tries: number;
  readonly alert_count: number;
  readonly at: number;
  readonly due_at: number | null;
  readonly ended_at: number | null;
  readonly error: string | null;
  readonly body: string;
}

type DeliveryQuery = Parameters<AlertReads['alertDeliveries']>[0];

/** Reads one page from each of the two tables and returns the newer half of both together. */
export async function readDeliveries(
  db: AnyKysely,
  { state, beforeId, limit }: DeliveryQuery,
): Promise<readonly AlertDelivery[]> {
  const before = sql`id < ${beforeId ?? Number.MAX_SAFE_INTEGER}`;
  const found: AlertDelivery[] = [];
  if (state === undefined || state === 'waiting') {
    const { rows } = await sql<DeliveryRow>`
      select id, channel, 'waiting' as state, tries, alert_count, at, due_at, null as ended_at, error, body
      from horae_ring_alerts where ${before} order by id desc limit ${limit}`.execute(db);
    found.push(...rows.map(unpackDelivery));
  }
  if (state !== 'waiting') {
    const { rows } = await sql<DeliveryRow>`
      select id, channel, state, tries, alert_count, at, null as due_at, ended_at, error, body
      from horae_ring_alert_deliveries where ${before} ${state === undefined ? sql`` : sql`and state = ${state}`}
      order by id desc limit ${limit}`.execute(db);
    found.push(...rows.map(unpackDelivery));
  }
  return found.sort((a, b) => b.message.id - a.message.id).slice(0, limit);
}

export async function endAlert(
  db: AnyKysely,
  dialect: Dialect,
  id: number,
  { state, tries, at, error }: AlertEnd,
): Promise<boolean> {
  const { rows } = await sql<Pick<DeliveryRow, 'channel' | 'alert_count' | 'at' | 'body'>>`
    select channel, alert_count, at, body from horae_ring_alerts where id = ${id} ${forUpdate(dialect)}`.execute(db);
  const [row] = rows;
  if (row === undefined) return false;
  await sql`delete from horae_ring_alerts where id = ${id}`.execute(db);
  await sql`insert into horae_ring_alert_deliveries (id, channel, state, tries, alert_count, at, ended_at, error, body)
    values (${id}, ${row.channel}, ${state}, ${tries}, ${row.alert_count}, ${row.at}, ${at},
      ${error === null ? null : storedText(error)}, ${row.body})`.execute(db);
  return true;
}

export async function sweepDeliveries(db: AnyKysely, before: number): Promise<void> {
  await sql`delete from horae_ring_alert_deliveries where ended_at < ${before}`.execute(db);
}

function unpackDelivery(row: DeliveryRow): AlertDelivery {
  const { id, at, tries, alert_count: count } = row;
  return {
    channel: readText(row.channel),
    message: { ...(readJson(row.body) as AlertBody), id: Number(id), count, at },
    state: row.state as AlertDelivery['state'],
    tries,
    dueAt: row.due_at,
    endedAt: row.ended_at,
    error: row.error === null ? null : readText(row.error),
  };
}
