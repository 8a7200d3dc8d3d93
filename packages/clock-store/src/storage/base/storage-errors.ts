import { HoraeError } from '../../errors.js';

/** The text given to open a database is not a database URL. The details carry it without any password. */
export class DatabaseUrlError extends HoraeError<{ url: string; parameter?: string }> {
  readonly code = 'bad-database-url';
}

/** A package that this kind of database needs is not installed, or cannot be loaded. `install` is the command that helps. */
export class DriverMissingError extends HoraeError<{ url: string; packageName: string; install: string }> {
  readonly code = 'driver-missing';
}

/** An installed driver has a version that is not known to work here. `install` is the command that helps. */
export class DriverVersionError extends HoraeError<{
  url: string;
  packageName: string;
  version: string;
  install: string;
}> {
  readonly code = 'driver-version';
}

/** The file holds something else than a SQLite database. It was not changed. */
export class NotADatabaseError extends HoraeError<{ url: string; path: string }> {
  readonly code = 'not-a-database';
}

/** The path of a SQLite database is a folder. */
export class DatabaseIsDirectoryError extends HoraeError<{ url: string; path: string }> {
  readonly code = 'database-is-directory';
}

/** The folder in which a SQLite database should be does not exist. */
export class DatabaseFolderMissingError extends HoraeError<{ url: string; path: string; folder: string }> {
  readonly code = 'database-folder-missing';
}

/** A SQLite file, or the folder around it, cannot be written by this process. */
export class DatabaseReadOnlyError extends HoraeError<{ url: string; path: string }> {
  readonly code = 'database-read-only';
}

/** The disk has no room left for a write. Nothing of the transaction was kept. */
export class DiskFullError extends HoraeError<{ url: string }> {
  readonly code = 'disk-full';
}

/** The server does not answer, or the connection to it was lost. Work under way may or may not have been committed. */
export class DatabaseUnreachableError extends HoraeError<{ url: string }> {
  readonly code = 'database-unreachable';
}

/**
 * A statement went over its limit. `limitMs` is null when the server ended it; otherwise the client dropped the connection, and work under
 * way may or may not have been committed.
 */
export class StatementTimeoutError extends HoraeError<{ url: string; limitMs: number | null }> {
  readonly code = 'statement-timeout';
}

/** The server has ended a transaction that was idle for longer than its limit. Nothing of it was kept. */
export class TransactionTimeoutError extends HoraeError<{ url: string }> {
  readonly code = 'transaction-timeout';
}

/** The server has no connection left for this process (53300, 1040, 1203, 1226). */
export class TooManyConnectionsError extends HoraeError<{ url: string }> {
  readonly code = 'too-many-connections';
}

/** All connections of this process were in use for longer than the wait for one may take. */
export class PoolExhaustedError extends HoraeError<{ url: string; poolSize: number; waitedMs: number }> {
  readonly code = 'pool-exhausted';
}

/** The server takes no writes: a standby of PostgreSQL, or a MySQL or MariaDB server that is set to read-only. */
export class ServerReadOnlyError extends HoraeError<{ url: string }> {
  readonly code = 'server-read-only';
}

/** A member of a Galera cluster that does not belong to its primary component refuses every statement (1047). */
export class ClusterNotReadyError extends HoraeError<{ url: string }> {
  readonly code = 'cluster-not-ready';
}

/** The server failed while committing (1180). Work under way may or may not have been committed. */
export class CommitFailedError extends HoraeError<{ url: string }> {
  readonly code = 'commit-failed';
}

/** The schema of the options does not exist, and this user may not make it. */
export class SchemaMissingError extends HoraeError<{ url: string; schema: string }> {
  readonly code = 'schema-missing';
}

/** The server refuses the user or the password of the URL. */
export class DatabaseCredentialsError extends HoraeError<{ url: string }> {
  readonly code = 'database-credentials';
}

/** The connection cannot be encrypted as it should be: the server does not offer it, or its certificate fails the check. */
export class DatabaseTlsError extends HoraeError<{ url: string; isOffered: boolean }> {
  readonly code = 'database-tls';
}

/** The server answers but has no database of that name. */
export class DatabaseMissingError extends HoraeError<{ url: string }> {
  readonly code = 'database-missing';
}

/** Other transactions held what a transaction needs (SQLITE_BUSY, a deadlock, a failed serialisation) for longer than the retry limit. */
export class DatabaseBusyError extends HoraeError<{ url: string; attempts: number; waitedMs: number }> {
  readonly code = 'database-busy';
}

/** The database was closed before or during the call. */
export class DatabaseClosedError extends HoraeError<{ url: string }> {
  readonly code = 'database-closed';
}

/** Code inside a transaction queried the database, not the transaction: it would wait for itself. */
export class NestedTransactionError extends HoraeError<{ url: string }> {
  readonly code = 'nested-transaction';
}

/** A lock, package or migration name, or a list of migrations, that cannot be used. */
export class StorageInputError extends HoraeError<{ field: string; value: unknown }> {
  readonly code = 'bad-storage-input';
}

/** The database holds migrations that this version of the package does not contain. */
export class NewerSchemaError extends HoraeError<{ url: string; packageName: string; unknown: readonly string[] }> {
  readonly code = 'newer-schema';
}

/** The migrations in the database are not a beginning of the migrations in the code: names or their order were changed. */
export class MigrationMismatchError extends HoraeError<{
  url: string;
  packageName: string;
  applied: readonly string[];
  known: readonly string[];
}> {
  readonly code = 'migration-mismatch';
}
