import type { Dialect } from '@horae/clock-store/storage';
import { type RawBuilder, sql } from 'kysely';
import { storedText } from './sql-stored-text.js';

/** A column of a batch: its name in the table and the kind of its values. */
export interface BatchColumn {
  readonly name: string;
  readonly kind: 'id' | 'number' | 'integer' | 'text' | 'key';
}

/** Many rows inside one statement. */
export interface RowBatch {
  /** A table expression `v` that returns the rows in their order. */
  readonly source: RawBuilder<unknown>;
  /** The value of a column in the current row. */
  value(column: string): RawBuilder<unknown>;
}

type Row = readonly unknown[];

const MAX_ROWS = 10_000;
/** Below the smallest default packet limit of a server, with room for escapes. */
const MAX_CHARACTERS = 3_000_000;

/** Text of a JSON table has the character set of the database unless one is specified. */
const PLAIN = 'character set utf8mb4';

const types = {
  postgres: { id: 'bigint', number: 'double precision', integer: 'integer', text: 'text', key: 'text' },
  mysql: {
    id: 'bigint',
    number: 'double',
    integer: 'integer',
    text: `longtext ${PLAIN}`,
    key: `varchar(190) ${PLAIN}`,
  },
} as const;

/**
 * Rows as parameters of one statement: a column in which all rows agree travels as one value, the others together, which costs
 * the same to compile for 1 row as for thousands. The first column always travels row by row.
 */
export function rowBatch(dialect: Dialect, columns: readonly BatchColumn[], rows: readonly Row[]): RowBatch {
  const first = rows[0]!;
  const varying: number[] = [0];
  for (let i = 1; i < columns.length; i++) if (differs(rows, i)) varying.push(i);
  const shared = new Map(columns.map(({ name }, i) => [name, i]));
  for (const i of varying) shared.delete(columns[i]!.name);
  return {
    source: sources[dialect](columns, varying, rows),
    value(name) {
      const i = shared.get(name);
      return i === undefined ? sql.raw(`v.${name}`) : parameter(dialect, columns[i]!, first[i]);
    },
  };
}

/** The values of a single row, without a table of one row, which PostgreSQL takes longer to plan than to read. */
export function rowValues(dialect: Dialect, columns: readonly BatchColumn[], row: Row): RowBatch['value'] {
  return (name) => {
    const i = columns.findIndex((column) => column.name === name);
    return parameter(dialect, columns[i]!, row[i]);
  };
}

function parameter(dialect: Dialect, { kind }: BatchColumn, value: unknown): RawBuilder<unknown> {
  return dialect === 'postgres' ? sql`${value}::${sql.raw(types.postgres[kind])}` : sql`${value}`;
}

function differs(rows: readonly Row[], column: number): boolean {
  const value = rows[0]![column];
  for (let i = 1; i < rows.length; i++) if (rows[i]![column] !== value) return true;
  return false;
}

type SourceOf = (
  columns: readonly BatchColumn[],
  varying: readonly number[],
  rows: readonly Row[],
) => RawBuilder<unknown>;

const sources: Readonly<Record<Dialect, SourceOf>> = {
  postgres(columns, varying, rows) {
    const arrays = varying.map(
      (i) => sql`${arrayText(columns[i]!.kind, rows, i)}::${sql.raw(`${types.postgres[columns[i]!.kind]}[]`)}`,
    );
    return sql`unnest(${sql.join(arrays)}) as v(${sql.raw(varying.map((i) => columns[i]!.name).join(', '))})`;
  },
  mysql(columns, varying, rows) {
    const path = (at: number) => (varying.length === 1 ? '$' : `$[${at}]`);
    const list = varying.map((i, at) => `${columns[i]!.name} ${types.mysql[columns[i]!.kind]} path '${path(at)}'`);
    return sql`json_table(${packed(varying, rows)}, '$[*]' columns (${sql.raw(list.join(', '))})) as v`;
  },
  sqlite(columns, varying, rows) {
    const value = (at: number) => (varying.length === 1 ? 'value' : `value->>${at}`);
    const list = varying.map((i, at) => `${value(at)} as ${columns[i]!.name}`);
    return sql`(select ${sql.raw(list.join(', '))} from json_each(${packed(varying, rows)})) as v`;
  },
};

function packed(varying: readonly number[], rows: readonly Row[]): string {
  const [only] = varying;
  return JSON.stringify(
    varying.length === 1 ? rows.map((row) => row[only!]) : rows.map((row) => varying.map((i) => row[i])),
  );
}

/** PostgreSQL's text form of an array, which it reads faster than JSON. */
function arrayText(kind: BatchColumn['kind'], rows: readonly Row[], i: number): string {
  const isText = kind === 'text' || kind === 'key';
  const element = (value: unknown) => {
    if (value === null) return 'NULL';
    return isText ? `"${(value as string).replace(/["\\]/g, '\\$&')}"` : String(value);
  };
  return `{${rows.map((row) => element(row[i])).join(',')}}`;
}

/** Splits the rows into batches that any server accepts in one statement. */
export function* rowChunks(rows: readonly Row[]): Generator<readonly Row[]> {
  let from = 0;
  let characters = 0;
  for (let i = 0; i < rows.length; i++) {
    const own = charactersOf(rows[i]!);
    if (i > from && (i - from >= MAX_ROWS || characters + own > MAX_CHARACTERS)) {
      yield rows.slice(from, i);
      from = i;
      characters = 0;
    }
    characters += own;
  }
  if (from < rows.length) yield from === 0 ? rows : rows.slice(from);
}

function charactersOf(row: Row): number {
  let characters = 0;
  for (let i = 0; i < row.length; i++) {
    const value = row[i];
    if (typeof value === 'string') characters += value.length;
  }
  return characters;
}

/** `column in (…)` for any number of ids; a value that cannot be an id matches nothing. */
export function idIn(dialect: Dialect, column: string, ids: readonly number[]): RawBuilder<boolean> {
  const name = sql.raw(column);
  const list = ids.filter(Number.isSafeInteger).join(',');
  if (dialect === 'postgres') return sql`${name} = any(${`{${list}}`}::bigint[])`;
  if (dialect === 'sqlite') return sql`${name} in (select value from json_each(${`[${list}]`}))`;
  return sql`${name} in (${sql.raw(list || 'null')})`;
}

/** `column in (…)` for owners, of which there are few. */
export function ownerIn(owners: readonly string[]): RawBuilder<boolean> {
  return sql`owner in (${sql.join(owners)})`;
}

/** `column = text`, exact even where the database ignores trailing spaces in comparisons. */
export function textIs(dialect: Dialect, column: string, text: string): RawBuilder<boolean> {
  const name = sql.raw(column);
  if (dialect !== 'mysql') return sql`${name} = ${text}`;
  return sql`(${name} = ${text} and char_length(${name}) = char_length(${text}))`;
}

/** Whether a column is one of the groups; false for an empty list. */
export function groupIn(dialect: Dialect, column: string, groups: readonly string[]): RawBuilder<boolean> {
  if (groups.length === 0) return sql`(1 = 0)`;
  return sql`(${sql.join(
    groups.map((group) => textIs(dialect, column, storedText(group))),
    sql` or `,
  )})`;
}

/** `job_key = key`. Compared unchanged: keys contain no control characters, and no database folds them. */
export function keyIs(key: string): RawBuilder<boolean> {
  return sql`job_key = ${storedText(key)}`;
}

/** The clause that locks the rows of a read until the transaction is over. SQLite's transactions are exclusive from the start. */
export function forUpdate(dialect: Dialect): RawBuilder<unknown> {
  return dialect === 'sqlite' ? sql`` : sql`for update`;
}
