import type { Dialect } from '@horae/clock-store/storage';
import { type RawBuilder, sql } from 'kysely';
import type { NewColumn } from './sql-add-column.js';
import { columnTypes } from './sql-ring-tables.js';

/** The column for the flow step that a run is an attempt at; null for all other runs. */
export function flowColumns(dialect: Dialect): readonly NewColumn[] {
  return [{ table: 'horae_ring_runs', name: 'flow_step', type: columnTypes[dialect].id }];
}

/** The tables of flows and steps. The id of a step contains the id of its flow, so that the steps of a flow are adjacent. */
export function flowTables(dialect: Dialect): readonly RawBuilder<unknown>[] {
  const { identity, id, number, text, key, ending } = columnTypes[dialect];
  const ifPartial = (condition: string) => (dialect === 'mysql' ? '' : `where ${condition}`);
  return [
    `create table if not exists horae_ring_flows (
      id ${identity}, name_key ${key} not null, name ${text} not null, state ${key} not null,
      cancelled integer not null, open_steps integer not null, failed_steps integer not null, depth integer not null,
      created_at ${number} not null, ended_at ${number}) ${ending}`,
    `create table if not exists horae_ring_flow_steps (
      id ${id} not null primary key, name ${text} not null, job_id ${id} not null, step_condition ${key} not null,
      state ${key} not null, open_before integer not null, missed_before integer not null,
      failed_before integer not null, run_id ${id}, is_source integer not null, params ${text}, sources ${text},
      next_steps ${text}, result ${text}) ${ending}`,
    'create index if not exists horae_ring_flows_state on horae_ring_flows (state, id)',
    'create index if not exists horae_ring_flows_name on horae_ring_flows (name_key, id)',
    `create index if not exists horae_ring_flows_ended on horae_ring_flows (ended_at) ${ifPartial('ended_at is not null')}`,
  ].map((statement) => sql.raw(statement));
}
