import type { AnyKysely, Dialect } from '@horae/clock-store/storage';
import { sql } from 'kysely';
import { TimeRingError } from '../../model/errors.js';
import type { ForeignTransaction } from '../../model/foreign-transaction.js';
import { foreignKysely } from './foreign-kysely.js';

const adapters: Readonly<Record<Dialect, string>> = {
  sqlite: 'SqliteAdapter',
  postgres: 'PostgresAdapter',
  mysql: 'MysqlAdapter',
};

interface Unknown {
  readonly [name: string]: unknown;
}

/** Wraps the caller's transaction for the ring's statements. Throws 'bad-transaction' when it is not one on a database of this kind. */
export async function openForeign(transaction: ForeignTransaction, dialect: Dialect): Promise<AnyKysely> {
  const db = kyselyOf(transaction as unknown as Unknown, dialect);
  if (!(await hasTables(db, dialect)))
    throw badTransaction('has no tables of the ring: it must be on the ring’s database');
  return db;
}

function kyselyOf(given: Unknown, dialect: Dialect): AnyKysely {
  if (typeof given !== 'object' || given === null) throw badTransaction('is no object');
  if (typeof given.isTransaction === 'boolean') return kyselyTransaction(given, dialect);
  if (typeof given.execute === 'function' && typeof given.dialect === 'string') {
    check(given.dialect, dialect);
    const execute = given.execute as (text: string, parameters: unknown[]) => Promise<readonly object[]>;
    return foreignKysely(server(dialect), (text, parameters) => execute.call(given, text, parameters));
  }
  if (typeof given.getConnection === 'function' || typeof given.totalCount === 'number') {
    throw badTransaction('is a pool: take a connection of it, and begin');
  }
  if (typeof given.query !== 'function') throw badTransaction('is none that is known');
  const isMysql = typeof given.beginTransaction === 'function';
  check(isMysql ? 'mysql' : 'postgres', dialect);
  return foreignKysely(server(dialect), isMysql ? mysqlQuery(given) : pgQuery(given));
}

function kyselyTransaction(given: Unknown, dialect: Dialect): AnyKysely {
  if (given.isTransaction !== true) throw badTransaction('is a database of kysely: hand in the transaction');
  const db = given as unknown as AnyKysely;
  const adapter = db.getExecutor().adapter.constructor.name;
  const [found] = Object.entries(adapters).find(([, name]) => adapter.endsWith(name)) ?? [adapter];
  check(found, dialect);
  return db;
}

type Query = (text: string, values: unknown[]) => Promise<unknown>;

function pgQuery(client: Unknown) {
  const query = client.query as Query;
  return async (text: string, parameters: unknown[]) =>
    ((await query.call(client, text, parameters)) as { rows: object[] }).rows;
}

/** A callback connection of mysql2 contains one with promises. */
function mysqlQuery(connection: Unknown) {
  const inner = (typeof connection.promise === 'function' ? connection.promise() : connection) as Unknown;
  const query = inner.query as Query;
  return async (text: string, parameters: unknown[]) => ((await query.call(inner, text, parameters)) as [object[]])[0];
}

function check(found: string, wanted: Dialect): void {
  if (found !== wanted) throw badTransaction(`is of ${found}, and the ring’s database is ${wanted}`);
}

function server(dialect: Dialect): Exclude<Dialect, 'sqlite'> {
  if (dialect !== 'sqlite') return dialect;
  throw badTransaction('must be one that `transaction` of the ring’s own HoraeDatabase gave, on SQLite');
}

/** Looks the table up by name: a failing statement would abort a PostgreSQL transaction. */
async function hasTables(db: AnyKysely, dialect: Dialect): Promise<boolean> {
  const table = sql.lit('horae_ring_runs');
  const found = {
    sqlite: sql`select 1 as found from sqlite_master where name = ${table}`,
    postgres: sql`select 1 as found where to_regclass(${table}) is not null`,
    mysql: sql`select 1 as found from information_schema.tables where table_schema = database() and table_name = ${table}`,
  }[dialect];
  return (await found.execute(db)).rows.length > 0;
}

export function badTransaction(problem: string): TimeRingError {
  const message = `transaction ${problem}. A transaction of kysely, a client of pg, a connection of mysql2, or { dialect, execute }`;
  return new TimeRingError('bad-transaction', message, { field: 'transaction' });
}
