import type { Dialect } from '@horae/clock-store/storage';
import { type RawBuilder, sql } from 'kysely';
import { columnTypes } from './sql-ring-tables.js';

/** Counts of ended runs by hour and group: a past hour is counted once. The key is a hash, since a group name may be longer than a key. */
export function hourTables(dialect: Dialect): readonly RawBuilder<unknown>[] {
  const { number, text, key, id, ending } = columnTypes[dialect];
  return [
    sql.raw(`create table if not exists horae_ring_hours (
      hour_at ${number} not null, group_key ${key} not null, executor_group ${text} not null, succeeded ${id} not null, failed ${id} not null,
      killed ${id} not null, skipped ${id} not null, primary key (hour_at, group_key)) ${ending}`),
  ];
}
