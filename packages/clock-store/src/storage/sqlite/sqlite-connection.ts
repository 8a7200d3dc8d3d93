import type SqliteDatabase from 'better-sqlite3';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import { type RetryPolicy, retryWhileBusy } from '../base/retry.js';
import type { WriteGate } from './write-gate.js';

const MAX_CACHED_STATEMENTS = 256;

/** The one connection of a SQLite database: statements are prepared once, and contention outside transactions is waited out. */
export class SqliteConnection implements DatabaseConnection {
  readonly #statements = new Map<string, SqliteDatabase.Statement>();

  constructor(
    readonly database: SqliteDatabase.Database,
    readonly gate: WriteGate,
    readonly retry: RetryPolicy,
    readonly busyError: () => Error,
    readonly translate: (error: unknown) => unknown,
  ) {}

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const statement = this.#prepare(query.sql);
    if (this.database.inTransaction || statement.readonly) return this.#run<R>(statement, query.parameters);
    return this.waitOut(() => this.#run<R>(statement, query.parameters));
  }

  /** Runs a statement that controls transactions. */
  command(sql: string): void {
    this.#guarded(() => this.#prepare(sql).run());
  }

  /** Tries `work` again, without blocking the thread, while another connection writes. */
  waitOut<T>(work: () => T): Promise<T> {
    return retryWhileBusy(
      this.retry,
      async () => work(),
      (signal) => this.gate.free(signal),
    );
  }

  /** Throws when another connection of this process is writing: waiting for it here would only block it. */
  assertGateFree(): void {
    if (this.gate.isTakenByAnother(this)) throw this.busyError();
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    // A statement of its own: the cached one could be requested again while this one is still returning rows.
    const statement = this.database.prepare(query.sql);
    for (const row of statement.iterate(bindable(query.parameters))) yield { rows: [row as R] };
  }

  #run<R>(statement: SqliteDatabase.Statement, parameters: readonly unknown[]): QueryResult<R> {
    if (statement.readonly) return { rows: this.#guarded(() => readAll(statement, parameters)) as R[] };
    this.assertGateFree();
    const result = this.#guarded(() => write(statement, parameters));
    if (this.database.inTransaction) this.gate.take(this);
    return result as QueryResult<R>;
  }

  #guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.translate(error);
    }
  }

  #prepare(sql: string): SqliteDatabase.Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#guarded(() => this.database.prepare(sql));
    if (this.#statements.size >= MAX_CACHED_STATEMENTS) {
      const [oldest] = this.#statements.keys();
      this.#statements.delete(oldest as string);
    }
    this.#statements.set(sql, statement);
    return statement;
  }
}

function readAll(statement: SqliteDatabase.Statement, parameters: readonly unknown[]): unknown[] {
  if (statement.reader) return statement.all(bindable(parameters));
  statement.run(bindable(parameters));
  return [];
}

function write(statement: SqliteDatabase.Statement, parameters: readonly unknown[]): QueryResult<unknown> {
  if (statement.reader) {
    const rows = statement.all(bindable(parameters));
    return { rows };
  }
  const { changes, lastInsertRowid } = statement.run(bindable(parameters));
  return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] };
}

/** The drivers of the servers take booleans and undefined; here they become the values that those drivers send. */
function bindable(parameters: readonly unknown[]): unknown[] {
  for (const value of parameters) {
    if (typeof value === 'boolean' || value === undefined) return parameters.map(toBindable);
  }
  return parameters as unknown[];
}

function toBindable(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value === undefined ? null : value;
}
