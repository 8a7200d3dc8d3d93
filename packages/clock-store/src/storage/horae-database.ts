import { sql } from 'kysely';
import type { EpochMs } from '../clock.js';
import type { Dialect } from './database-url.js';
import type { AnyKysely, AnyTransaction, Engine } from './engine.js';
import {
  applyMigrations,
  CORE_MIGRATIONS,
  CORE_PACKAGE,
  checkMigrations,
  checkName,
  createMigrationTable,
  hasMigrationTable,
  type Migration,
  missingMigrations,
  readApplied,
} from './migration.js';
import type { ResolvedOptions } from './options.js';
import { retryWhileBusy } from './retry.js';
import { DatabaseClosedError } from './storage-errors.js';
import { assertOutside, runInside } from './transaction-context.js';

/** An open database of any of the three kinds. */
export interface HoraeDatabase extends AsyncDisposable {
  readonly dialect: Dialect;
  /** The URL without its password. */
  readonly url: string;
  /** For queries outside a transaction. On SQLite they wait for a running transaction; inside one they are refused. */
  readonly kysely: AnyKysely;
  /**
   * Brings the tables of a package up to date. Processes that do so at the same moment wait for each other; exactly one
   * hears `migrated`. Throws `NewerSchemaError` when the database is ahead of the code.
   */
  migrate(packageName: string, migrations: readonly Migration[]): Promise<'migrated' | 'current'>;
  /**
   * Runs `work` in a transaction and commits when it returns, rolls back when it throws. Contention (SQLITE_BUSY, 40001,
   * 40P01, 1213, 1205) runs `work` again with jittered back-off, up to the limit, so `work` should only touch the database.
   * `immediate` takes SQLite's write lock first, which spares a read-then-write transaction the second run.
   */
  transaction<T>(work: (trx: AnyTransaction) => Promise<T>, options?: { immediate?: boolean }): Promise<T>;
  /** A transaction that holds the lock row `name`: across all processes one at a time. The row is created when needed. */
  withLock<T>(name: string, work: (trx: AnyTransaction) => Promise<T>): Promise<T>;
  /** The time of the database. Inside a transaction hand in `trx`, which spares a second connection. */
  dbNow(trx?: AnyTransaction): Promise<EpochMs>;
  /** Waits for running transactions, then closes. Twice is fine; everything after it throws `DatabaseClosedError`. */
  close(): Promise<void>;
}

/** The common part of the three kinds of database. */
export class EngineDatabase implements HoraeDatabase {
  readonly dialect: Dialect;
  readonly url: string;
  readonly kysely: AnyKysely;
  readonly #engine: Engine;
  readonly #options: ResolvedOptions;
  readonly #running = new Set<Promise<unknown>>();
  #core: Promise<unknown> | undefined;
  #closing: Promise<void> | undefined;

  constructor(engine: Engine, url: string, options: ResolvedOptions) {
    this.dialect = engine.dialect;
    this.url = url;
    this.kysely = engine.kysely;
    this.#engine = engine;
    this.#options = options;
  }

  async migrate(packageName: string, migrations: readonly Migration[]): Promise<'migrated' | 'current'> {
    checkMigrations(packageName, migrations);
    await this.#ensureCore();
    return this.#migratePackage(packageName, migrations);
  }

  transaction<T>(work: (trx: AnyTransaction) => Promise<T>, options?: { immediate?: boolean }): Promise<T> {
    const attempt = () =>
      this.#engine.transact((trx) => runInside(this.#engine, () => work(trx)), options?.immediate ?? false);
    return this.#track(() => retryWhileBusy(this.#engine.retry, attempt, (signal) => this.#engine.cleared?.(signal)));
  }

  async withLock<T>(name: string, work: (trx: AnyTransaction) => Promise<T>): Promise<T> {
    checkName('lock name', name);
    await this.#ensureCore();
    const locked = async (trx: AnyTransaction) => {
      await this.#engine.holdLock(trx, name);
      return work(trx);
    };
    return this.transaction(locked, { immediate: true });
  }

  async dbNow(trx?: AnyTransaction): Promise<EpochMs> {
    if (this.#options.databaseClock !== undefined) return this.#options.databaseClock.now();
    if (trx !== undefined) return this.#engine.readNow(trx);
    return this.#track(() => this.#engine.readNow(this.kysely));
  }

  async close(): Promise<void> {
    assertOutside(this.#engine, this.url);
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
    await this.kysely.destroy();
  }

  /** Finds out whether the database answers. */
  async ping(): Promise<void> {
    await sql`select 1`.execute(this.kysely);
  }

  /** Runs `work` as something that `close` waits for. */
  async #track<T>(work: () => Promise<T>): Promise<T> {
    assertOutside(this.#engine, this.url);
    if (this.#closing !== undefined) throw new DatabaseClosedError(`${this.url} is closed`, { url: this.url });
    const running = work();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** The tables of this package itself, once per open database; a failure is forgotten, so that the next call tries again. */
  async #ensureCore(): Promise<void> {
    this.#core ??= this.#migratePackage(CORE_PACKAGE, CORE_MIGRATIONS);
    try {
      await this.#core;
    } catch (error) {
      this.#core = undefined;
      throw error;
    }
  }

  async #migratePackage(packageName: string, migrations: readonly Migration[]): Promise<'migrated' | 'current'> {
    return this.#track(async () => {
      const missing = async (db: AnyKysely) => {
        const applied = await readApplied(db, packageName);
        return missingMigrations(this.url, packageName, applied, migrations);
      };
      // Most openings find everything in place and need no lock.
      if ((await hasMigrationTable(this.kysely, this.dialect)) && (await missing(this.kysely)).length === 0)
        return 'current';
      return retryWhileBusy(this.#engine.retry, () =>
        this.#engine.migrateAlone((db) =>
          runInside(this.#engine, async () => {
            await createMigrationTable(db, this.dialect);
            const steps = await missing(db);
            if (steps.length === 0) return 'current';
            const first = migrations.length - steps.length;
            await applyMigrations(db, this.dialect, packageName, first, steps, this.#options.clock.now());
            return 'migrated';
          }),
        ),
      );
    });
  }
}
