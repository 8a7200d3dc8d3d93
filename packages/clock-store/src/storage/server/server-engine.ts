import { Kysely, type Dialect as KyselyDialect, type RawBuilder, sql } from 'kysely';
import type { DatabaseUrl } from '../base/database-url.js';
import type { AnyKysely, AnyTransaction, DatabaseMessages, Engine } from '../base/engine.js';
import { type DriverGuard, GuardedDriver } from '../base/guarded-driver.js';
import { insertLockSql, insertWrittenLockSql, selectLockSql, writeLockSql } from '../base/lock-row.js';
import type { ResolvedOptions } from '../base/options.js';
import type { RetryPolicy } from '../base/retry.js';
import { tablePrefix } from '../base/table-prefix.js';
import { MIGRATION_LIMITS, type TransactionLimits, withLimits } from '../base/transaction-limits.js';
import { createLockWaitReport } from './lock-waits.js';
import { translateServerError } from './server-faults.js';
import type { ServerPool } from './server-pool.js';

/** The part of an engine that differs between the two servers. */
export interface ServerKind {
  readonly dialect: 'postgres' | 'mysql';
  readonly kyselyDialect: KyselyDialect;
  readonly pool: ServerPool;
  readonly messages?: DatabaseMessages;
  /** Begins a transaction, and ends one, with the limits in force. */
  readonly begin: NonNullable<DriverGuard['begin']>;
  readonly end?: DriverGuard['end'];
  /** Whether an error inside a transaction leaves nothing of it to commit. */
  endsTransaction(error: unknown): boolean;
  /** As `Engine.prepare`. */
  prepare?(db: AnyKysely): Promise<void>;
  migrateAlone<T>(engine: Engine, work: (db: AnyKysely) => Promise<T>): Promise<T>;
  /** The server's clock, in milliseconds. */
  readonly nowSql: RawBuilder<number>;
}

/** The engine of a database server: kysely's own driver, guarded. */
export class ServerEngine implements Engine {
  readonly dialect: 'postgres' | 'mysql';
  readonly kysely: AnyKysely;
  readonly retry: RetryPolicy;
  readonly messages: DatabaseMessages | undefined;
  readonly nowSql: RawBuilder<number>;
  readonly #kind: ServerKind;
  readonly #limits: TransactionLimits;

  constructor(kind: ServerKind, url: DatabaseUrl, options: ResolvedOptions) {
    const { plugins, rewrite } = tablePrefix(options.tablePrefix);
    const guard: DriverGuard = {
      rewrite,
      translate: (error) => translateServerError(error, url.printable),
      endsTransaction: kind.endsTransaction,
      begin: kind.begin,
      ...(kind.end === undefined ? {} : { end: kind.end }),
      isRemote: true,
    };
    const { kyselyDialect } = kind;
    this.#kind = kind;
    this.#limits = options.limits;
    this.dialect = kind.dialect;
    this.retry = options.retry;
    this.messages = kind.messages;
    this.nowSql = kind.nowSql;
    this.kysely = new Kysely({
      dialect: {
        createDriver: () => new GuardedDriver(kyselyDialect.createDriver(), guard),
        createAdapter: () => kyselyDialect.createAdapter(),
        createQueryCompiler: () => kyselyDialect.createQueryCompiler(),
        createIntrospector: (db) => kyselyDialect.createIntrospector(db),
      },
      plugins,
    });
    const { log } = options;
    if (log === undefined) return;
    const report = createLockWaitReport(this.kysely, { dialect: kind.dialect, url: url.printable, log });
    kind.pool.onSlow = (session, waitedMs, nowMs) => void report(session, waitedMs, nowMs);
  }

  transact<T>(
    work: (trx: AnyTransaction) => Promise<T>,
    _immediate: boolean,
    limits: Partial<TransactionLimits> = {},
  ): Promise<T> {
    return withLimits({ ...this.#limits, ...limits }, () => this.kysely.transaction().execute(work));
  }

  migrateAlone<T>(work: (db: AnyKysely) => Promise<T>): Promise<T> {
    return withLimits(MIGRATION_LIMITS, () => this.#kind.migrateAlone(this, work));
  }

  async prepare(): Promise<void> {
    await this.#kind.prepare?.(this.kysely);
  }

  abort(): void {
    this.#kind.pool.cutAll();
  }

  holdLock(trx: AnyTransaction, name: string): Promise<void> {
    return this.dialect === 'mysql' ? writeLock(trx, name) : selectLock(trx, name);
  }

  async readNow(db: AnyKysely): Promise<number> {
    const { rows } = await sql<{ now: number | string }>`select ${this.nowSql} as now`.execute(db);
    return Number(rows[0]?.now);
  }
}

async function selectLock(trx: AnyTransaction, name: string): Promise<void> {
  const { rows } = await selectLockSql(name).execute(trx);
  if (rows.length > 0) return;
  // The transaction that creates the row holds it; one that finds another creating it waits here and then takes it.
  await insertLockSql(name).execute(trx);
  await selectLockSql(name).execute(trx);
}

async function writeLock(trx: AnyTransaction, name: string): Promise<void> {
  const { numAffectedRows } = await writeLockSql(name).execute(trx);
  if ((numAffectedRows ?? 0n) === 0n) await insertWrittenLockSql(name).execute(trx);
}
