import type { AnyKysely, Dialect } from '@horae/clock-store/storage';
import { type RawBuilder, sql } from 'kysely';
import type { NewRun } from '../job-store.js';
import { type RowBatch, rowBatch, rowChunks, rowValues } from './sql-row-batch.js';
import { newRunColumns, packNewRun } from './sql-run-rows.js';

interface InsertedRow {
  readonly id: number;
  readonly key_job: number | null;
  readonly key_at: number | null;
  readonly unique_lock: string | null;
}

const KEY_JOB = newRunColumns.findIndex(({ name }) => name === 'key_job');
const UNIQUE_LOCK = newRunColumns.findIndex(({ name }) => name === 'unique_lock');
const KEY_AT = newRunColumns.findIndex(({ name }) => name === 'key_at');
const columnList = sql.raw(newRunColumns.map(({ name }) => name).join(', '));

type Rows = readonly (readonly unknown[])[];

/** Inserts runs and returns their ids, ascending in the order of `runs`; null where the key exists. */
export async function insertRuns(
  db: AnyKysely,
  dialect: Dialect,
  runs: readonly NewRun[],
): Promise<readonly (number | null)[]> {
  const ids: (number | null)[] = [];
  for (const rows of rowChunks(runs.map(packNewRun))) {
    for (const id of await insertions[dialect](db, rows)) ids.push(id);
  }
  return ids;
}

type Insertion = (db: AnyKysely, rows: Rows) => Promise<Iterable<number | null>>;

const insertions: Readonly<Record<Dialect, Insertion>> = {
  postgres: insertOnPostgres,
  sqlite: insertOnSqlite,
  mysql: insertOnMysql,
};

function values(value: RowBatch['value']): RawBuilder<unknown> {
  return sql.join(newRunColumns.map(({ name }) => value(name)));
}

function insertOne(dialect: 'postgres' | 'sqlite', row: Rows[number]): RawBuilder<unknown> {
  const value = rowValues(dialect, newRunColumns, row);
  return sql`insert into horae_ring_runs (${columnList}) values (${values(value)}) on conflict do nothing`;
}

/** Nearly always all rows are new, and their ids suffice: the server returns which rows are new only when some are not. */
async function insertOnPostgres(db: AnyKysely, rows: Rows): Promise<Iterable<number | null>> {
  if (rows.length === 1) {
    const { rows: inserted } = await sql<{ id: number }>`${insertOne('postgres', rows[0]!)} returning id`.execute(db);
    return [inserted[0]?.id ?? null];
  }
  const { source, value } = rowBatch('postgres', newRunColumns, rows);
  const { rows: answers } = await sql<{ ids: number[] | null; some: InsertedRow[] | null }>`
    with inserted as (
      insert into horae_ring_runs (${columnList}) select ${values(value)} from ${source}
      on conflict do nothing returning id, key_job, key_at, unique_lock)
    select case when count(*) = ${rows.length}::bigint then json_agg(id order by id) end as ids,
      case when count(*) < ${rows.length}::bigint then json_agg(inserted order by id) end as some
    from inserted`.execute(db);
  const { ids, some } = answers[0]!;
  return ids ?? matched(rows, some ?? []);
}

/** SQLite has one writer at a time: when no row existed, the ids are consecutive and end with the last one. */
async function insertOnSqlite(db: AnyKysely, rows: Rows): Promise<Iterable<number | null>> {
  if (rows.length === 1) {
    const { numAffectedRows, insertId } = await insertOne('sqlite', rows[0]!).execute(db);
    return [Number(numAffectedRows) === 1 ? Number(insertId) : null];
  }
  const { source, value } = rowBatch('sqlite', newRunColumns, rows);
  const before = await sql<{ seq: number }>`select seq from sqlite_sequence where name = 'horae_ring_runs'`.execute(db);
  // "where true" keeps SQLite from reading "on conflict" as a join condition.
  const { numAffectedRows, insertId } = await sql`
    insert into horae_ring_runs (${columnList}) select ${values(value)} from ${source} where true
    on conflict do nothing`.execute(db);
  if (Number(numAffectedRows) === rows.length) {
    const first = Number(insertId) - rows.length + 1;
    return rows.map((_, i) => first + i);
  }
  const { rows: inserted } = await sql<InsertedRow>`
    select id, key_job, key_at, unique_lock from horae_ring_runs where id > ${before.rows[0]?.seq ?? 0} order by id`.execute(
    db,
  );
  return matched(rows, inserted);
}

/**
 * 60 random bits. `uuid_short` alone is not enough: members of a cluster that were started in the same second count through the same
 * numbers.
 */
const newToken = sql.raw('conv(left(md5(concat(uuid(), uuid_short(), rand())), 15), 16, 10)');

/** MySQL returns at most the first id, and other inserts may interleave: a token marks the rows of this statement. */
async function insertOnMysql(db: AnyKysely, rows: Rows): Promise<Iterable<number | null>> {
  const { source, value } = rowBatch('mysql', newRunColumns, rows);
  const before = await sql<{ token: string; id: string }>`
    select ${newToken} as token, cast(coalesce(max(id), 0) as char) as id from horae_ring_runs`.execute(db);
  const { token, id } = before.rows[0]!;
  const { insertId } = await sql`
    insert into horae_ring_runs (${columnList}, insert_batch) select ${values(value)}, ${token} from ${source}
    on duplicate key update key_job = horae_ring_runs.key_job`.execute(db);
  // Members of a cluster interleave ids: a new row may precede an existing row of another member.
  const below = insertId ? Math.min(Number(id), Number(insertId) - 1) : Number(id);
  const { rows: inserted } = await sql<InsertedRow>`
    select id, key_job, key_at, unique_lock from horae_ring_runs where id > ${below} and insert_batch = ${token} order by id`.execute(
    db,
  );
  return matched(rows, inserted);
}

function isOf(row: readonly unknown[], { key_job, key_at, unique_lock }: InsertedRow): boolean {
  return key_job === row[KEY_JOB] && key_at === row[KEY_AT] && unique_lock === row[UNIQUE_LOCK];
}

/** Ids ascend in the order of insertion, so rows without a key are matched by position, the others by key. */
function* matched(rows: Rows, inserted: readonly InsertedRow[]): Generator<number | null> {
  let at = 0;
  for (const row of rows) {
    const next = inserted[at];
    if (next !== undefined && isOf(row, next)) {
      at += 1;
      yield next.id;
    } else yield null;
  }
}
