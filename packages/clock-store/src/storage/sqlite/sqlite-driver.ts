import type { DatabaseConnection, Driver, QueryCompiler, TransactionSettings } from 'kysely';
import { CompiledQuery } from 'kysely';
import type { SqliteConnection } from './sqlite-connection.js';

/** What the driver calls on the database object that owns it. */
export interface SqliteDriverOwner {
  /** Throws when a transaction of this database is running in the present asynchronous context. */
  assertOutside(): void;
  closedError(): Error;
  onClosed(): void;
}

/** A kysely driver for one SQLite connection: callers wait in line, and a transaction keeps it until it is over. */
export class SqliteDriver implements Driver {
  readonly #connection: SqliteConnection;
  readonly #owner: SqliteDriverOwner;
  readonly #line: (() => void)[] = [];
  #isTaken = false;
  #isClosed = false;

  constructor(connection: SqliteConnection, owner: SqliteDriverOwner) {
    this.#connection = connection;
    this.#owner = owner;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    this.#owner.assertOutside();
    if (this.#isTaken) await new Promise<void>((resolve) => this.#line.push(resolve));
    this.#isTaken = true;
    if (!this.#isClosed) return this.#connection;
    this.#passOn();
    throw this.#owner.closedError();
  }

  async releaseConnection(): Promise<void> {
    this.#passOn();
  }

  /** `serializable` is what every SQLite transaction is; a transaction that requests it by name takes the write lock at once. */
  async beginTransaction(_connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    if (settings.isolationLevel !== 'serializable') {
      this.#connection.command('begin');
      return;
    }
    await this.#connection.waitOut(() => {
      this.#connection.assertGateFree();
      this.#connection.command('begin immediate');
    });
    this.#connection.gate.take(this.#connection);
  }

  async commitTransaction(): Promise<void> {
    // A commit that finds the database busy has kept its transaction and may simply be repeated.
    await this.#connection.waitOut(() => this.#connection.command('commit'));
    this.#connection.gate.leave(this.#connection);
  }

  async rollbackTransaction(): Promise<void> {
    try {
      // SQLite ends a transaction by itself when the disk is full.
      if (this.#connection.database.inTransaction) this.#connection.command('rollback');
    } finally {
      this.#connection.gate.leave(this.#connection);
    }
  }

  async savepoint(_connection: DatabaseConnection, name: string): Promise<void> {
    await this.#savepointCommand('savepoint', name);
  }

  async rollbackToSavepoint(_connection: DatabaseConnection, name: string): Promise<void> {
    await this.#savepointCommand('rollback to', name);
  }

  async releaseSavepoint(
    _connection: DatabaseConnection,
    name: string,
    _compile: QueryCompiler['compileQuery'],
  ): Promise<void> {
    await this.#savepointCommand('release', name);
  }

  async destroy(): Promise<void> {
    await this.acquireConnection();
    this.#isClosed = true;
    this.#connection.database.close();
    this.#owner.onClosed();
    this.#passOn();
  }

  async #savepointCommand(command: string, name: string): Promise<void> {
    await this.#connection.executeQuery(CompiledQuery.raw(`${command} "${name.replaceAll('"', '""')}"`));
  }

  #passOn(): void {
    const next = this.#line.shift();
    if (next === undefined) this.#isTaken = false;
    else next();
  }
}
