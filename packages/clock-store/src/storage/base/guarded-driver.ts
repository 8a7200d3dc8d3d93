import type {
  CompiledQuery,
  DatabaseConnection,
  Driver,
  QueryCompiler,
  QueryResult,
  TransactionSettings,
} from 'kysely';
import { countInFlight } from '../../in-flight.js';

/** The parts of a guarded driver that depend on its engine. */
export interface DriverGuard {
  /** The typed error for a driver's error, or the error itself when it has no meaning here. */
  translate(error: unknown): unknown;
  /** Whether the (translated) error has ended the transaction in which it happened. */
  endsTransaction(error: unknown): boolean;
  /** Begins a transaction with the limits in force. Absent where no other client can wait for the transaction. */
  begin?(connection: DatabaseConnection, settings: TransactionSettings, begin: () => Promise<void>): Promise<void>;
  /** Called when a transaction of the connection is over. */
  end?(connection: DatabaseConnection): Promise<void>;
  /** The text of a statement as the database receives it. */
  rewrite(text: string): string;
  /** Whether statements travel to a server, so that the manual clock should wait for their return. */
  readonly isRemote: boolean;
}

/**
 * A kysely driver around another one: errors come out typed, statements count as in flight, and a transaction that the database has aborted
 * cannot be committed by work that swallowed the error (PostgreSQL would answer such a commit with a silent rollback, MySQL would run the
 * statements after it one by one).
 */
export class GuardedDriver implements Driver {
  readonly #inner: Driver;
  readonly #guard: DriverGuard;

  constructor(inner: Driver, guard: DriverGuard) {
    this.#inner = inner;
    this.#guard = guard;
  }

  init(): Promise<void> {
    return this.#inner.init();
  }

  destroy(): Promise<void> {
    return this.#inner.destroy();
  }

  acquireConnection(): Promise<DatabaseConnection> {
    return this.#translated(async () => new GuardedConnection(await this.#inner.acquireConnection(), this.#guard));
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    await this.#inner.releaseConnection(own(connection).inner);
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const { inner } = own(connection);
    const begin = () => this.#inner.beginTransaction(inner, settings);
    await this.#translated(() => this.#guard.begin?.(inner, settings, begin) ?? begin());
    own(connection).isInTransaction = true;
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    own(connection).assertAlive();
    await this.#translated(() => this.#inner.commitTransaction(own(connection).inner));
    own(connection).isInTransaction = false;
    await this.#ended(connection);
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    own(connection).isInTransaction = false;
    // The transaction is gone with its connection or was ended by the database; the error that led here is the one to report.
    await this.#translated(() => this.#inner.rollbackTransaction(own(connection).inner)).catch(() => {});
    await this.#ended(connection);
  }

  async savepoint(connection: DatabaseConnection, name: string, compile: QueryCompiler['compileQuery']): Promise<void> {
    await this.#translated(async () => this.#inner.savepoint?.(own(connection).inner, name, compile));
  }

  async rollbackToSavepoint(
    connection: DatabaseConnection,
    name: string,
    compile: QueryCompiler['compileQuery'],
  ): Promise<void> {
    await this.#translated(async () => this.#inner.rollbackToSavepoint?.(own(connection).inner, name, compile));
    own(connection).endedBy = undefined;
  }

  async releaseSavepoint(
    connection: DatabaseConnection,
    name: string,
    compile: QueryCompiler['compileQuery'],
  ): Promise<void> {
    await this.#translated(async () => this.#inner.releaseSavepoint?.(own(connection).inner, name, compile));
  }

  async #ended(connection: DatabaseConnection): Promise<void> {
    // A lost connection needs no cleanup, and what was committed stays committed.
    await this.#guard.end?.(own(connection).inner).catch(() => {});
  }

  async #translated<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await (this.#guard.isRemote ? countInFlight(work) : work());
    } catch (error) {
      throw this.#guard.translate(error);
    }
  }
}

class GuardedConnection implements DatabaseConnection {
  isInTransaction = false;
  endedBy: unknown;

  constructor(
    readonly inner: DatabaseConnection,
    readonly guard: DriverGuard,
  ) {}

  assertAlive(): void {
    if (this.endedBy !== undefined) throw this.endedBy;
  }

  async executeQuery<R>(given: CompiledQuery): Promise<QueryResult<R>> {
    this.assertAlive();
    const query = this.#rewritten(given);
    try {
      if (!this.guard.isRemote) return await this.inner.executeQuery<R>(query);
      return await countInFlight(() => this.inner.executeQuery<R>(query));
    } catch (error) {
      throw this.#failed(error);
    }
  }

  async *streamQuery<R>(query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<R>> {
    this.assertAlive();
    try {
      yield* this.inner.streamQuery<R>(this.#rewritten(query), chunkSize);
    } catch (error) {
      throw this.#failed(error);
    }
  }

  #rewritten(query: CompiledQuery): CompiledQuery {
    const text = this.guard.rewrite(query.sql);
    return text === query.sql ? query : { ...query, sql: text };
  }

  #failed(error: unknown): unknown {
    const translated = this.guard.translate(error);
    if (this.isInTransaction && this.guard.endsTransaction(translated)) this.endedBy = translated;
    return translated;
  }
}

function own(connection: DatabaseConnection): GuardedConnection {
  return connection as GuardedConnection;
}
