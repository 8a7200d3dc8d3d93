import type { Dialect } from '@horae/clock-store/storage';
import { type RawBuilder, sql } from 'kysely';
import type { NewColumn } from './sql-add-column.js';
import { columnTypes } from './sql-ring-tables.js';

/** The columns for the alert rules of jobs and groups. */
export function alertColumns(dialect: Dialect): readonly NewColumn[] {
  const { text: type } = columnTypes[dialect];
  return ['horae_ring_jobs', 'horae_ring_groups'].map((table) => ({ table, name: 'alerts', type }));
}

/** The column for the trace that a run belongs to. */
export function traceColumns(dialect: Dialect): readonly NewColumn[] {
  return [{ table: 'horae_ring_runs', name: 'trace', type: columnTypes[dialect].key }];
}

/** The column for the error of a message's last try. */
export function deliveryColumns(dialect: Dialect): readonly NewColumn[] {
  return [{ table: 'horae_ring_alerts', name: 'error', type: columnTypes[dialect].text }];
}

/** The table of ended messages, separate so that the outbox holds only messages still to be sent. */
export function deliveryTables(dialect: Dialect): readonly RawBuilder<unknown>[] {
  const { id, number, text, key, ending } = columnTypes[dialect];
  return [
    `create table if not exists horae_ring_alert_deliveries (
      id ${id} not null primary key, channel ${key} not null, state ${key} not null, tries integer not null,
      alert_count integer not null, at ${number} not null, ended_at ${number} not null, error ${text}, body ${text} not null) ${ending}`,
    'create index if not exists horae_ring_alert_deliveries_state on horae_ring_alert_deliveries (state, id)',
    'create index if not exists horae_ring_alert_deliveries_ended on horae_ring_alert_deliveries (ended_at)',
  ].map((statement) => sql.raw(statement));
}

/** The tables of the outbox, and of the marks that prevent duplicate alerts. */
export function alertTables(dialect: Dialect): readonly RawBuilder<unknown>[] {
  const { identity, number, text, key, ending } = columnTypes[dialect];
  return [
    `create table if not exists horae_ring_alerts (
      id ${identity}, channel ${key} not null, due_at ${number} not null, tries integer not null,
      first_tried_at ${number}, alert_count integer not null, at ${number} not null, held_key ${key}, body ${text} not null) ${ending}`,
    'create unique index if not exists horae_ring_alerts_held on horae_ring_alerts (held_key)',
    'create index if not exists horae_ring_alerts_due on horae_ring_alerts (due_at)',
    `create table if not exists horae_ring_alert_marks (
      name ${key} not null primary key, owner ${key} not null, until_at ${number} not null) ${ending}`,
  ].map((statement) => sql.raw(statement));
}
