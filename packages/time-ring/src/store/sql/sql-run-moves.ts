import { type RawBuilder, sql } from 'kysely';
import type { RunRow } from '../../model/run.js';
import { type FieldChange, type RunMove, type RunTransition, runTransitions } from '../../model/run-transitions.js';
import type { BatchColumn } from './sql-row-batch.js';

/** A move of runs in terms of SQL columns. */
export interface SqlMove {
  readonly states: readonly string[];
  /** The columns of the rows after id, owner and fence, in the order of the transition's table. */
  readonly given: readonly BatchColumn[];
  /** The new value of each column, from the expression for a value of the rows and the prefix of the table's columns. */
  set(value: (column: string) => RawBuilder<unknown>, table: string): Readonly<Record<string, RawBuilder<unknown>>>;
}

export const claimColumns: readonly BatchColumn[] = [
  { name: 'id', kind: 'id' },
  { name: 'owner', kind: 'key' },
  { name: 'fence', kind: 'integer' },
];

/** The columns that transitions change. The claim also has an owner: a new owner has a column name of its own. */
const columns: Readonly<Partial<Record<keyof RunRow, BatchColumn & { readonly as?: string }>>> = {
  state: { name: 'state', kind: 'key' },
  address: { name: 'address', kind: 'text' },
  shardTotal: { name: 'shard_total', kind: 'integer' },
  firedAt: { name: 'fired_at', kind: 'number' },
  startedAt: { name: 'started_at', kind: 'number' },
  endedAt: { name: 'ended_at', kind: 'number' },
  deadlineAt: { name: 'deadline_at', kind: 'number' },
  dueAt: { name: 'due_at', kind: 'number' },
  readyAt: { name: 'ready_at', kind: 'number' },
  code: { name: 'code', kind: 'number' },
  message: { name: 'message', kind: 'text' },
  result: { name: 'result', kind: 'text' },
  error: { name: 'error', kind: 'text' },
  progress: { name: 'progress', kind: 'text' },
  waitingFor: { name: 'waiting_for', kind: 'key' },
  postponed: { name: 'postponed', kind: 'integer' },
  fixedAddress: { name: 'fixed_address', kind: 'text' },
  fence: { name: 'fence', kind: 'integer' },
  owner: { name: 'owner', kind: 'key', as: 'new_owner' },
};

function columnOf(field: string): BatchColumn & { readonly as?: string } {
  return columns[field as keyof RunRow]!;
}

function sqlMove({ from, set }: RunTransition): SqlMove {
  const changes = Object.entries(set) as [string, FieldChange][];
  return {
    states: from,
    given: changes
      .filter(([, { kind }]) => kind === 'given')
      .map(([field]) => ({ name: columnOf(field).as ?? columnOf(field).name, kind: columnOf(field).kind })),
    set: (value, table) =>
      Object.fromEntries(
        changes.map(([field, change]) => [columnOf(field).name, changed(columnOf(field), change, value, table)]),
      ),
  };
}

function changed(
  { name, as = name }: BatchColumn & { readonly as?: string },
  change: FieldChange,
  value: (column: string) => RawBuilder<unknown>,
  table: string,
): RawBuilder<unknown> {
  switch (change.kind) {
    case 'value':
      return sql.lit(change.value);
    case 'field':
      return sql.raw(table + columnOf(change.field).name);
    case 'increment':
      return sql.raw(`${table}${name} + 1`);
    case 'given':
      return change.orKept ? sql`coalesce(${value(as)}, ${sql.raw(table + name)})` : value(as);
  }
}

export const runMoves: Readonly<Record<RunMove, SqlMove>> = Object.fromEntries(
  Object.entries(runTransitions).map(([move, transition]) => [move, sqlMove(transition)]),
) as Record<RunMove, SqlMove>;
