import { closeSync, openSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type SqliteDatabase from 'better-sqlite3';
import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely';
import type { DatabaseUrl } from '../base/database-url.js';
import type { AnyKysely, AnyTransaction, Engine } from '../base/engine.js';
import { GuardedDriver } from '../base/guarded-driver.js';
import { insertLockSql } from '../base/lock-row.js';
import type { ResolvedOptions } from '../base/options.js';
import { retryWhileBusy } from '../base/retry.js';
import { DatabaseBusyError, DatabaseClosedError, DiskFullError } from '../base/storage-errors.js';
import { tablePrefix } from '../base/table-prefix.js';
import { assertOutside } from '../base/transaction-context.js';
import { SqliteConnection } from './sqlite-connection.js';
import { SqliteDriver } from './sqlite-driver.js';
import { checkSqlitePath, sqliteBusy, translateSqliteError } from './sqlite-faults.js';
import { openWriteGate, WriteGate } from './write-gate.js';

/** SQLite's own wait blocks the thread, so it is kept short; the rest of the limit is waited out between turns. */
const BLOCKING_WAIT_MS = 50;

type SqliteConstructor = new (path: string, options?: SqliteDatabase.Options) => SqliteDatabase.Database;

/** Opens a SQLite file, or a database in memory, with what durability needs. */
export async function openSqliteEngine(
  url: DatabaseUrl & { dialect: 'sqlite' },
  options: ResolvedOptions,
  Database: SqliteConstructor,
): Promise<Engine> {
  const path = url.isMemory ? url.path : resolve(url.path);
  const translate = (error: unknown) => translateSqliteError(error, url.printable, path);
  if (!url.isMemory) checkSqlitePath(url.printable, path);
  const database = await openFile(Database, path, options, translate);
  const { gate, close } = url.isMemory ? { gate: new WriteGate(), close() {} } : openWriteGate(realpathSync(path));
  const busyError = () => sqliteBusy(url.printable);
  const connection = new SqliteConnection(database, gate, options.retry, busyError, translate);
  return new SqliteEngine(connection, options, url.printable, close);
}

class SqliteEngine implements Engine {
  readonly dialect = 'sqlite';
  readonly kysely: AnyKysely;
  readonly retry;
  readonly #options: ResolvedOptions;
  readonly #gate: WriteGate;

  constructor(connection: SqliteConnection, options: ResolvedOptions, url: string, onClosed: () => void) {
    this.#options = options;
    this.#gate = connection.gate;
    this.retry = options.retry;
    const owner = {
      assertOutside: () => assertOutside(this, url),
      closedError: () => new DatabaseClosedError(`${url} is closed`, { url }),
      onClosed,
    };
    const { plugins, rewrite } = tablePrefix(options.tablePrefix);
    const guard = {
      rewrite,
      translate: connection.translate,
      endsTransaction: (error: unknown) => error instanceof DatabaseBusyError || error instanceof DiskFullError,
      isRemote: false,
    };
    this.kysely = new Kysely({
      dialect: {
        createDriver: () => new GuardedDriver(new SqliteDriver(connection, owner), guard),
        createAdapter: () => new SqliteAdapter(),
        createQueryCompiler: () => new SqliteQueryCompiler(),
        createIntrospector: (db) => new SqliteIntrospector(db),
      },
      plugins,
    });
  }

  cleared(signal: AbortSignal): Promise<void> | undefined {
    return this.#gate.free(signal);
  }

  transact<T>(work: (trx: AnyTransaction) => Promise<T>, immediate: boolean): Promise<T> {
    const transaction = this.kysely.transaction();
    return (immediate ? transaction.setIsolationLevel('serializable') : transaction).execute(work);
  }

  migrateAlone<T>(work: (db: AnyKysely) => Promise<T>): Promise<T> {
    return this.transact(work, true);
  }

  async holdLock(trx: AnyTransaction, name: string): Promise<void> {
    // The immediate transaction is the lock; the row is there so that all three kinds of database show the same.
    await insertLockSql(name).execute(trx);
  }

  async readNow(db: AnyKysely): Promise<number> {
    // The database lives in this process: its clock is the clock of the process. The query rejects when the database is closed.
    await sql`select 1`.execute(db);
    return this.#options.clock.now();
  }
}

async function openFile(
  Database: SqliteConstructor,
  path: string,
  options: ResolvedOptions,
  translate: (error: unknown) => unknown,
): Promise<SqliteDatabase.Database> {
  // Two processes that create the same file at the same moment meet in the switch to WAL.
  return retryWhileBusy(options.retry, async () => {
    let database: SqliteDatabase.Database | undefined;
    try {
      if (path !== ':memory:') makeOwnFile(path);
      database = new Database(path, { timeout: BLOCKING_WAIT_MS });
      database.pragma('journal_mode = WAL');
      database.pragma(`synchronous = ${options.synchronous}`);
      database.pragma('foreign_keys = ON');
      probeWritable(database);
      return database;
    } catch (error) {
      database?.close();
      throw translate(error);
    }
  });
}

/**
 * A database holds data that is not for every user of the machine. SQLite creates its other files with the permissions of this one; an
 * existing file keeps its own.
 */
function makeOwnFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch {
    // It exists already, or cannot be created: opening it reports why.
  }
}

/** A file without write permission opens without complaint; better to report that now than at the first write. */
function probeWritable(database: SqliteDatabase.Database): void {
  try {
    database.exec('begin immediate; rollback');
  } catch (error) {
    // Another connection is writing, so the file can be written.
    if (!String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) throw error;
  }
}
