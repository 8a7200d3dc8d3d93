import type { Kysely, RawBuilder, Transaction } from 'kysely';
import type { EpochMs } from '../../clock.js';
import type { Dialect } from './database-url.js';
import type { RetryPolicy } from './retry.js';
import type { TransactionLimits } from './transaction-limits.js';

/** A kysely instance of any schema: each package declares its own tables only. */
// biome-ignore lint/suspicious/noExplicitAny: the tables belong to the packages above, one database holds those of several
export type AnyKysely = Kysely<any>;

/** A running transaction of any schema. */
// biome-ignore lint/suspicious/noExplicitAny: as above
export type AnyTransaction = Transaction<any>;

/** Messages between the processes of a database. Available on PostgreSQL only. */
export interface DatabaseMessages {
  /** Sends a text of less than 8,000 bytes; inside a transaction it is sent with the commit. */
  send(db: AnyKysely, channel: string, text: string): Promise<void>;
  /**
   * Calls `onMessage` with every text that is sent to the channel, until the returned function is called. Null means that the connection
   * was lost and restored: messages sent in between are lost. Uses one connection besides the pool. A pooler in transaction mode delivers
   * nothing.
   */
  listen(channel: string, onMessage: (text: string | null) => void): Promise<() => void>;
  /** Whether the listening connection is up. */
  readonly isListening: boolean;
  /** The name of a channel in the database, for statements that other programs run. */
  channelName(channel: string): string;
}

/** The part of a database that differs between the three kinds. */
export interface Engine {
  readonly dialect: Dialect;
  readonly kysely: AnyKysely;
  readonly retry: RetryPolicy;
  readonly messages?: DatabaseMessages | undefined;
  /** Resolves when the blocking writer of this process is done; undefined when there is none. */
  cleared?(signal: AbortSignal): Promise<void> | undefined;
  /** Creates what everything else requires, once, when the database is opened. */
  prepare?(): Promise<void>;
  /** Begins a transaction, runs `work` in it and commits. `immediate` takes the write lock first where there is one. */
  transact<T>(
    work: (trx: AnyTransaction) => Promise<T>,
    immediate: boolean,
    limits?: Partial<TransactionLimits>,
  ): Promise<T>;
  /** Runs `work` while no other process migrates this database: in one transaction where schema changes can be part of one. */
  migrateAlone<T>(work: (db: AnyKysely) => Promise<T>): Promise<T>;
  /** Makes sure that the lock row `name` exists and holds it until the transaction ends. */
  holdLock(trx: AnyTransaction, name: string): Promise<void>;
  /** Cuts all connections: statements under way reject, and a close need not wait for them. */
  abort?(): void;
  /** The server's clock as an expression of SQL; SQLite has none of its own. */
  readonly nowSql?: RawBuilder<number> | undefined;
  /** The time of the database. */
  readNow(db: AnyKysely): Promise<EpochMs>;
}
