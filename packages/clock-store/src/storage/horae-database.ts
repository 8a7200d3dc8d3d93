import { type RawBuilder, sql } from 'kysely';
import type { EpochMs } from '../clock.js';
import { systemClock } from '../system-clock.js';
import type { Dialect } from './base/database-url.js';
import type { AnyKysely, AnyTransaction, DatabaseMessages, Engine } from './base/engine.js';
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
} from './base/migration.js';
import type { ResolvedOptions } from './base/options.js';
import { retryWhileBusy } from './base/retry.js';
import { DatabaseClosedError } from './base/storage-errors.js';
import { assertOutside, runInside } from './base/transaction-context.js';
import type { TransactionLimits } from './base/transaction-limits.js';

/** An open database of any of the three kinds. */
export interface HoraeDatabase extends AsyncDisposable {
  readonly dialect: Dialect;
  /** The URL without its password. */
  readonly url: string;
  /** For queries outside a transaction. On SQLite they wait for a running transaction; inside one they are refused. */
  readonly kysely: AnyKysely;
  /** PostgreSQL only. A database without messages is polled. */
  readonly messages?: DatabaseMessages | undefined;
  /**
   * The clock of a server in whole milliseconds, for statements that read more than the time; undefined when `dbNow` reads another clock.
   */
  readonly nowSql?: RawBuilder<number> | undefined;
  /**
   * Brings the tables of a package up to date. Processes that do so at the same moment wait for each other; exactly one call returns
   * `migrated`. Throws `NewerSchemaError` when the database is ahead of the code.
   */
  migrate(packageName: string, migrations: readonly Migration[]): Promise<'migrated' | 'current'>;
  /**
   * Runs `work` in a transaction and commits when it returns, rolls back when it throws. Contention (SQLITE_BUSY, 40001,
   * 40P01, 1213, 1205) runs `work` again with jittered back-off, up to the limit, so `work` should only touch the database.
   * `immediate` takes SQLite's write lock first, which spares a read-then-write transaction the second run. `limits` are those of
   * a server, which ends the transaction of a process that is frozen or cut off.
   */
  transaction<T>(work: (trx: AnyTransaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** A transaction that holds the lock row `name`: one at a time across all processes. The row is created when needed. */
  withLock<T>(name: string, work: (trx: AnyTransaction) => Promise<T>): Promise<T>;
  /** The time of the database. Inside a transaction pass `trx`, which saves a second connection. */
  dbNow(trx?: AnyTransaction): Promise<EpochMs>;
  /**
   * Waits for running transactions, for at most `limitMs` (5,000), then closes and cuts off what still runs. May be called twice; every
   * later use throws `DatabaseClosedError`.
   */
  close(options?: { limitMs?: number }): Promise<void>;
}

/** How a transaction is run. */
export interface TransactionOptions {
  readonly immediate?: boolean;
  /** Servers only. Omitted limits are those with which the database was opened. */
  readonly limits?: Partial<TransactionLimits>;
}

const CLOSE_LIMIT_MS = 5_000;
/** How long the drivers may take to notice that their connections were cut. */
const CUT_LIMIT_MS = 500;

/** The common part of the three kinds of database. */
export class EngineDatabase implements HoraeDatabase {
  readonly dialect: Dialect;
  readonly url: string;
  readonly kysely: AnyKysely;
  readonly messages: DatabaseMessages | undefined;
  readonly nowSql: RawBuilder<number> | undefined;
  readonly #engine: Engine;
  readonly #options: ResolvedOptions;
  readonly #running = new Set<Promise<unknown>>();
  #core: Promise<unknown> | undefined;
  #closing: Promise<void> | undefined;

  constructor(engine: Engine, url: string, options: ResolvedOptions) {
    this.dialect = engine.dialect;
    this.url = url;
    this.kysely = engine.kysely;
    this.messages = engine.messages;
    this.nowSql = options.databaseClock === undefined ? engine.nowSql : undefined;
    this.#engine = engine;
    this.#options = options;
  }

  async migrate(packageName: string, migrations: readonly Migration[]): Promise<'migrated' | 'current'> {
    checkMigrations(packageName, migrations);
    await this.#ensureCore();
    return this.#migratePackage(packageName, migrations);
  }

  transaction<T>(work: (trx: AnyTransaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    const inside = (trx: AnyTransaction) => runInside(this.#engine, () => work(trx));
    const attempt = () => this.#engine.transact(inside, options.immediate ?? false, options.limits);
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

  async close({ limitMs = CLOSE_LIMIT_MS }: { limitMs?: number } = {}): Promise<void> {
    assertOutside(this.#engine, this.url);
    this.#closing ??= this.#close(limitMs);
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(limitMs: number): Promise<void> {
    const gently = async () => {
      while (this.#running.size > 0) await Promise.allSettled(this.#running);
      await this.kysely.destroy();
    };
    const closed = gently();
    if (await endsWithin(limitMs, closed)) return;
    this.#engine.abort?.();
    // Errors of the drivers about connections that were cut on purpose are ignored.
    const cut = closed.catch(() => {});
    await endsWithin(CUT_LIMIT_MS, cut);
  }

  /** Checks that the database answers. */
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

  /** The tables of this package itself, once per open database; a failure is not kept, so that the next call tries again. */
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

/** Whether `work` is over within the limit; what it rejects with is thrown. Real time: a manual clock may stand still. */
async function endsWithin(limitMs: number, work: Promise<void>): Promise<boolean> {
  const over = new AbortController();
  const late = systemClock()
    .sleepFor(limitMs, { signal: over.signal })
    .then(
      () => false,
      () => false,
    );
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    over.abort();
    work.catch(() => {});
  }
}
