export type { Dialect } from './database-url.js';
export type { AnyKysely, AnyTransaction } from './engine.js';
export type { HoraeDatabase } from './horae-database.js';
export type { Migration } from './migration.js';
export { openDatabase } from './open-database.js';
export type { OpenDatabaseOptions } from './options.js';
export {
  DatabaseBusyError,
  DatabaseClosedError,
  DatabaseCredentialsError,
  DatabaseFolderMissingError,
  DatabaseIsDirectoryError,
  DatabaseMissingError,
  DatabaseReadOnlyError,
  DatabaseUnreachableError,
  DatabaseUrlError,
  DiskFullError,
  DriverMissingError,
  MigrationMismatchError,
  NestedTransactionError,
  NewerSchemaError,
  NotADatabaseError,
  StorageInputError,
} from './storage-errors.js';
