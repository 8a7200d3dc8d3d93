import type { Kysely, Transaction } from 'kysely';
import type { EpochMs } from '../clock.js';
import type { Dialect } from './database-url.js';
import type { RetryPolicy } from './retry.js';

/** A kysely instance of any schema: each package knows its own tables only. */
// biome-ignore lint/suspicious/noExplicitAny: the tables belong to the packages above, one database holds those of several
export type AnyKysely = Kysely<any>;

/** A running transaction of any schema. */
// biome-ignore lint/suspicious/noExplicitAny: as above
export type AnyTransaction = Transaction<any>;

/** What differs between the three kinds of database. */
export interface Engine {
  readonly dialect: Dialect;
  readonly kysely: AnyKysely;
  readonly retry: RetryPolicy;
  /** Resolves when whoever was in the way inside this process is gone; undefined when that is nobody. */
  cleared?(signal: AbortSignal): Promise<void> | undefined;
  /** Begins a transaction, runs `work` in it and commits. `immediate` takes the write lock first where there is one. */
  transact<T>(work: (trx: AnyTransaction) => Promise<T>, immediate: boolean): Promise<T>;
  /** Runs `work` while no other process migrates this database: in one transaction where schema changes can be part of one. */
  migrateAlone<T>(work: (db: AnyKysely) => Promise<T>): Promise<T>;
  /** Makes sure that the lock row `name` exists and holds it until the transaction ends. */
  holdLock(trx: AnyTransaction, name: string): Promise<void>;
  /** The time of the database. */
  readNow(db: AnyKysely): Promise<EpochMs>;
}
