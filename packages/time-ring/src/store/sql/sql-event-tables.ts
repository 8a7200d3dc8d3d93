import type { Dialect } from '@horae/clock-store/storage';
import { type RawBuilder, sql } from 'kysely';
import type { NewColumn } from './sql-add-column.js';
import { columnTypes } from './sql-ring-tables.js';

/** The column that says whether a node listens to the events of all nodes. */
export function listeningColumns(): readonly NewColumn[] {
  return [{ table: 'horae_ring_nodes', name: 'listens', type: 'integer not null default 0' }];
}

/** The table of the events that nodes share while any node listens. */
export function eventTables(dialect: Dialect): readonly RawBuilder<unknown>[] {
  const { id, number, text, key, ending } = columnTypes[dialect];
  return [
    `create table if not exists horae_ring_events (
      owner ${key} not null, sequence ${id} not null, node_id ${text} not null, at ${number} not null, name ${key} not null,
      event ${text} not null, primary key (owner, sequence)) ${ending}`,
    'create index if not exists horae_ring_events_at on horae_ring_events (at)',
  ].map((statement) => sql.raw(statement));
}
