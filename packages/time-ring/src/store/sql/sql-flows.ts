import type { AnyKysely, Dialect } from '@horae/clock-store/storage';
import { type RawBuilder, sql } from 'kysely';
import type { StepSelection } from '../../flow/settle-steps.js';
import { IDS_PER_FLOW, stepIdRange } from '../../model/flow-rows.js';
import type { FlowReads, FlowWrites, StepChange } from '../flow-store.js';
import { nameKey } from './sql-calendar-rows.js';
import {
  packFlow,
  packStep,
  type StoredFlow,
  type StoredStep,
  stepColumns,
  unpackFlow,
  unpackPlan,
  unpackStanding,
} from './sql-flow-rows.js';
import { type BatchColumn, forUpdate, groupIn, idIn, rowBatch, rowChunks } from './sql-row-batch.js';
import { readJson, readText, storedJson } from './sql-stored-text.js';

const flowList = sql.raw('id, name, state, cancelled, open_steps, failed_steps, depth, created_at, ended_at');
const standingList = sql.raw('id, step_condition, state, open_before, missed_before, failed_before, run_id, is_source');

export function flowReads(db: AnyKysely, dialect: Dialect): FlowReads {
  return {
    async flow(id) {
      if (!Number.isSafeInteger(id)) return null;
      const { rows } = await sql<StoredFlow>`select ${flowList} from horae_ring_flows where id = ${id}`.execute(db);
      return rows.length === 0 ? null : unpackFlow(rows[0]!);
    },
    async flows({ state, name, limit, beforeId }) {
      const conditions = [
        ...(state === undefined ? [] : [sql`state = ${state}`]),
        ...(name === undefined ? [] : [sql`name_key = ${nameKey(name)}`]),
        ...(beforeId === null ? [] : [sql`id < ${beforeId}`]),
      ];
      const where = conditions.length === 0 ? sql`1 = 1` : sql.join(conditions, sql` and `);
      const { rows } = await sql<StoredFlow>`
        select ${flowList} from horae_ring_flows where ${where} order by id desc limit ${limit}`.execute(db);
      return rows.map(unpackFlow);
    },
    async flowsOutside(ids, groups) {
      if (ids.length === 0) return [];
      const { rows } = await sql<{ id: number }>`
        select f.id as id from horae_ring_flows f where ${idIn(dialect, 'f.id', ids)} and exists (
          select 1 from horae_ring_flow_steps s left join horae_ring_jobs j on j.id = s.job_id
          where s.id >= f.id * ${sql.lit(IDS_PER_FLOW)} and s.id < (f.id + 1) * ${sql.lit(IDS_PER_FLOW)}
            and (j.id is null or not ${groupIn(dialect, 'j.executor_group', groups)}))`.execute(db);
      return rows.map(({ id }) => id);
    },
    async flowSteps({ flowId, afterId, limit }) {
      const { from, to } = stepIdRange(flowId);
      const { rows } = await sql<Pick<StoredStep, 'id' | 'name' | 'state' | 'run_id'>>`
        select id, name, state, run_id from horae_ring_flow_steps
        where id >= ${Math.max(from, afterId + 1)} and id < ${to} order by id limit ${limit}`.execute(db);
      return rows.map((row) => ({
        ...{ id: row.id, name: readText(row.name), state: unpackStanding(row as StoredStep).state, runId: row.run_id },
      }));
    },
  };
}

export function flowWrites(db: AnyKysely, dialect: Dialect): FlowWrites {
  /** Locked, so that MySQL returns the current rows and not those from when the transaction began. */
  async function read<Row>(columns: RawBuilder<unknown>, which: StepSelection): Promise<readonly Row[]> {
    if (('ids' in which ? which.ids : which.flowIds).length === 0) return [];
    const { rows } = await sql<Row>`
      select ${columns} from horae_ring_flow_steps where ${stepsOf(dialect, which)} order by id ${forUpdate(dialect)}`.execute(
      db,
    );
    return rows;
  }

  return {
    insertFlow: (flow) => insertFlow(db, dialect, packFlow(flow)),
    async insertSteps(steps) {
      const names = sql.raw(stepColumns.map(({ name }) => name).join(', '));
      for (const rows of rowChunks(steps.map(packStep))) {
        const { source, value } = rowBatch(dialect, stepColumns, rows);
        const values = sql.join(stepColumns.map(({ name }) => value(name)));
        await sql`insert into horae_ring_flow_steps (${names}) select ${values} from ${source}`.execute(db);
      }
    },
    async lockFlows(ids) {
      if (ids.length === 0) return [];
      const { rows } = await sql<StoredFlow>`
        select ${flowList} from horae_ring_flows where ${idIn(dialect, 'id', ids)} order by id ${forUpdate(dialect)}`.execute(
        db,
      );
      return rows.map(unpackFlow);
    },
    async putFlows(flows) {
      const rows = flows.map(({ id, state, isCancelled, openSteps, failedSteps, endedAt }) => [
        ...[id, state, isCancelled ? 1 : 0, openSteps, failedSteps, endedAt],
      ]);
      for (const chunk of rowChunks(rows)) await update(dialect, 'horae_ring_flows', flowChange, chunk).execute(db);
    },
    lockSteps: async (which) => (await read<StoredStep>(standingList, which)).map(unpackStanding),
    stepLinks: async (which) =>
      (await read<StoredStep>(sql`${standingList}, next_steps`, which)).map((row) => ({
        ...unpackStanding(row),
        next: (readJson(row.next_steps) ?? []) as readonly number[],
      })),
    stepPlans: async (ids) =>
      (await read<StoredStep>(sql.raw('id, name, job_id, params, sources'), { ids })).map(unpackPlan),
    stepResults: async (ids) =>
      (await read<Pick<StoredStep, 'id' | 'name' | 'result'>>(sql.raw('id, name, result'), { ids })).map((row) => ({
        ...{ id: row.id, name: readText(row.name), result: readJson(row.result) },
      })),
    async changeSteps(changes) {
      const pack = ({ id, state, openBefore, missedBefore, failedBefore, runId, result }: StepChange) => [
        ...[id, state, openBefore, missedBefore, failedBefore, runId],
        ...(result === undefined ? [] : [storedJson(result)]),
      ];
      const told = changes.filter(({ result }) => result !== undefined);
      const others = changes.filter(({ result }) => result === undefined);
      for (const rows of rowChunks(others.map(pack))) await update(dialect, STEPS, stepChange, rows).execute(db);
      const withResult = [...stepChange, { name: 'result', kind: 'text' } as const];
      for (const rows of rowChunks(told.map(pack))) await update(dialect, STEPS, withResult, rows).execute(db);
    },
    deleteFlows: (query) => deleteFlows(db, dialect, query),
  };
}

const STEPS = 'horae_ring_flow_steps';

const flowChange: readonly BatchColumn[] = [
  { name: 'id', kind: 'id' },
  { name: 'state', kind: 'key' },
  { name: 'cancelled', kind: 'integer' },
  { name: 'open_steps', kind: 'integer' },
  { name: 'failed_steps', kind: 'integer' },
  { name: 'ended_at', kind: 'number' },
];

const stepChange: readonly BatchColumn[] = [
  { name: 'id', kind: 'id' },
  { name: 'state', kind: 'key' },
  { name: 'open_before', kind: 'integer' },
  { name: 'missed_before', kind: 'integer' },
  { name: 'failed_before', kind: 'integer' },
  { name: 'run_id', kind: 'id' },
];

/** Updates rows of a table with the values of the batch, whose first column is the id. */
function update(
  dialect: Dialect,
  table: string,
  columns: readonly BatchColumn[],
  rows: readonly (readonly unknown[])[],
): RawBuilder<unknown> {
  const { source, value } = rowBatch(dialect, columns, rows);
  const name = sql.raw(table);
  const set = (prefix: string) =>
    sql.join(columns.slice(1).map((column) => sql`${sql.raw(prefix + column.name)} = ${value(column.name)}`));
  if (dialect === 'mysql') {
    return sql`update ${source} straight_join ${name} on ${name}.id = v.id set ${set(`${table}.`)}`;
  }
  return sql`update ${name} set ${set('')} from ${source} where ${name}.id = v.id`;
}

function stepsOf(dialect: Dialect, which: StepSelection): RawBuilder<boolean> {
  if ('ids' in which) return idIn(dialect, 'id', which.ids);
  const ranges = which.flowIds.map(stepIdRange).map(({ from, to }) => sql`(id >= ${from} and id < ${to})`);
  return sql<boolean>`(${sql.join(ranges, sql` or `)})`;
}

async function insertFlow(db: AnyKysely, dialect: Dialect, row: Readonly<Record<string, unknown>>): Promise<number> {
  const columns = sql.raw(Object.keys(row).join(', '));
  const values = sql.join(Object.values(row));
  if (dialect === 'mysql') {
    await sql`insert into horae_ring_flows (${columns}) values (${values})`.execute(db);
    // The caller's transaction returns only rows, so the id is read as a row.
    const { rows } = await sql<{ id: number }>`select last_insert_id() as id`.execute(db);
    return Number(rows[0]!.id);
  }
  const { rows } = await sql<{ id: number }>`
    insert into horae_ring_flows (${columns}) values (${values}) returning id`.execute(db);
  return rows[0]!.id;
}

/** Oldest first. A flow with more steps than one call should delete loses some of them and stays for the next call. */
async function deleteFlows(
  db: AnyKysely,
  dialect: Dialect,
  { endedBefore, limit }: { endedBefore: number; limit: number },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select id from horae_ring_flows where ended_at < ${endedBefore} order by ended_at, id limit ${limit}`.execute(db);
  let deleted = 0;
  for (const { id } of rows) {
    // A retry may have reopened it meanwhile.
    const held = await sql`
      select id from horae_ring_flows where id = ${id} and ended_at < ${endedBefore} ${forUpdate(dialect)}`.execute(db);
    if (held.rows.length === 0) continue;
    const { from, to } = stepIdRange(id);
    const steps = await sql<{ id: number }>`
      select id from horae_ring_flow_steps where id >= ${from} and id < ${to} order by id limit ${limit - deleted}`.execute(
      db,
    );
    const ids = steps.rows.map((step) => step.id);
    if (ids.length > 0) await sql`delete from horae_ring_flow_steps where ${idIn(dialect, 'id', ids)}`.execute(db);
    deleted += ids.length;
    if (deleted >= limit) return deleted;
    await sql`delete from horae_ring_flows where id = ${id}`.execute(db);
    deleted += 1;
    if (deleted >= limit) return deleted;
  }
  return deleted;
}
