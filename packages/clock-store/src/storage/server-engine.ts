import { Kysely, type Dialect as KyselyDialect, type RawBuilder } from 'kysely';
import type { DatabaseUrl } from './database-url.js';
import type { AnyKysely, AnyTransaction, Engine } from './engine.js';
import { type DriverGuard, GuardedDriver } from './guarded-driver.js';
import { insertLockSql, selectLockSql } from './lock-row.js';
import type { ResolvedOptions } from './options.js';
import type { RetryPolicy } from './retry.js';
import { translateServerError } from './server-faults.js';

/** What differs between the two servers. */
export interface ServerKind {
  readonly dialect: 'postgres' | 'mysql';
  readonly kyselyDialect: KyselyDialect;
  /** Whether an error inside a transaction leaves nothing of it to commit. */
  endsTransaction(error: unknown): boolean;
  migrateAlone<T>(engine: Engine, work: (db: AnyKysely) => Promise<T>): Promise<T>;
  readonly nowSql: RawBuilder<{ now: number | string }>;
}

/** The engine of a database server: kysely's own driver, guarded. */
export class ServerEngine implements Engine {
  readonly dialect: 'postgres' | 'mysql';
  readonly kysely: AnyKysely;
  readonly retry: RetryPolicy;
  readonly #kind: ServerKind;

  constructor(kind: ServerKind, url: DatabaseUrl, options: ResolvedOptions) {
    const guard: DriverGuard = {
      translate: (error) => translateServerError(error, url.printable),
      endsTransaction: kind.endsTransaction,
      isRemote: true,
    };
    const { kyselyDialect } = kind;
    this.#kind = kind;
    this.dialect = kind.dialect;
    this.retry = options.retry;
    this.kysely = new Kysely({
      dialect: {
        createDriver: () => new GuardedDriver(kyselyDialect.createDriver(), guard),
        createAdapter: () => kyselyDialect.createAdapter(),
        createQueryCompiler: () => kyselyDialect.createQueryCompiler(),
        createIntrospector: (db) => kyselyDialect.createIntrospector(db),
      },
    });
  }

  transact<T>(work: (trx: AnyTransaction) => Promise<T>): Promise<T> {
    return this.kysely.transaction().execute(work);
  }

  migrateAlone<T>(work: (db: AnyKysely) => Promise<T>): Promise<T> {
    return this.#kind.migrateAlone(this, work);
  }

  async holdLock(trx: AnyTransaction, name: string): Promise<void> {
    const { rows } = await selectLockSql(name).execute(trx);
    if (rows.length > 0) return;
    // Whoever creates the row holds it; whoever finds that another is creating it waits here and then takes it.
    await insertLockSql(this.dialect, name).execute(trx);
    await selectLockSql(name).execute(trx);
  }

  async readNow(db: AnyKysely): Promise<number> {
    const { rows } = await this.#kind.nowSql.execute(db);
    return Number(rows[0]?.now);
  }
}
