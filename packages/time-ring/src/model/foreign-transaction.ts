import type { AnyTransaction, Dialect } from '@horae/clock-store/storage';

/**
 * Any ORM's transaction: `execute` receives SQL with the dialect's placeholders ($1 … on PostgreSQL, ? elsewhere) and returns row objects.
 */
export interface TransactionExecutor {
  readonly dialect: Dialect;
  execute(sql: string, parameters: unknown[]): Promise<readonly object[]>;
}

/** A connected client of `pg` inside a transaction. */
export interface PgTransactionClient {
  query(text: string, values: unknown[]): Promise<{ rows: object[] }>;
  release?: unknown;
  escapeIdentifier: unknown;
}

/** A connection of `mysql2` inside a transaction. */
export interface MysqlTransactionConnection {
  // biome-ignore lint/suspicious/noExplicitAny: its answer depends on the statement
  query(sql: string, values: any): any;
  beginTransaction: unknown;
}

/**
 * A transaction that the caller opened on the ring's database: the run exists if and only if it commits. On SQLite it must come from
 * `transaction` of the ring's own HoraeDatabase.
 */
export type ForeignTransaction =
  | AnyTransaction
  | PgTransactionClient
  | MysqlTransactionConnection
  | TransactionExecutor;
