export type { Dialect } from './base/database-url.js';
export type { AnyKysely, AnyTransaction, DatabaseMessages } from './base/engine.js';
export type { Migration } from './base/migration.js';
export type { OpenDatabaseOptions, StorageLog } from './base/options.js';
export {
  ClusterNotReadyError,
  CommitFailedError,
  DatabaseBusyError,
  DatabaseClosedError,
  DatabaseCredentialsError,
  DatabaseFolderMissingError,
  DatabaseIsDirectoryError,
  DatabaseMissingError,
  DatabaseReadOnlyError,
  DatabaseTlsError,
  DatabaseUnreachableError,
  DatabaseUrlError,
  DiskFullError,
  DriverMissingError,
  DriverVersionError,
  MigrationMismatchError,
  NestedTransactionError,
  NewerSchemaError,
  NotADatabaseError,
  PoolExhaustedError,
  SchemaMissingError,
  ServerReadOnlyError,
  StatementTimeoutError,
  StorageInputError,
  TooManyConnectionsError,
  TransactionTimeoutError,
} from './base/storage-errors.js';
export type { SslOptions } from './base/tls-settings.js';
export type { TransactionLimits } from './base/transaction-limits.js';
export type { ClockSkew } from './clock-skew.js';
export { measureClockSkew } from './clock-skew.js';
export type { HoraeDatabase } from './horae-database.js';
export { openDatabase } from './open-database.js';
