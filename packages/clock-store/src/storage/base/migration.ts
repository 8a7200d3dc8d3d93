import { sql } from 'kysely';
import type { EpochMs } from '../../clock.js';
import type { Dialect } from './database-url.js';
import type { AnyKysely } from './engine.js';
import { MigrationMismatchError, NewerSchemaError, StorageInputError } from './storage-errors.js';

/**
 * One step of a package's schema. Steps are only ever added at the end of the list; a released step is never changed. On SQLite and
 * PostgreSQL the steps of one call are one transaction. MySQL and MariaDB commit every schema change at once: there a step must tolerate
 * being run again after a crash (`create table if not exists`). Tables made with `db.schema` compare text byte by byte there, as the others
 * do; SQL written by hand has to request it (`collate utf8mb4_bin`).
 */
export interface Migration {
  /** Unique within the package and never changed; the order of the list is the order of the steps. */
  readonly name: string;
  up(db: AnyKysely, dialect: Dialect): Promise<void>;
}

/** The lock rows. Recorded in the table of migrations like those of every other package. */
export const CORE_PACKAGE = 'clock-store';
export const CORE_MIGRATIONS: readonly Migration[] = [
  {
    name: '0001-locks',
    async up(db, dialect) {
      await sql`create table if not exists horae_locks (name ${sql.raw(nameColumn(dialect))} not null primary key)`.execute(
        db,
      );
    },
  },
  {
    name: '0002-taken-locks',
    async up(db, dialect) {
      if (dialect !== 'mysql' || !(await hasTakenColumn(db)))
        await sql`alter table horae_locks add column taken bigint not null default 0`.execute(db);
    },
  },
];

/** MySQL commits each statement, so an interrupted step is run again. */
async function hasTakenColumn(db: AnyKysely): Promise<boolean> {
  const { rows } = await sql`
    select 1 from information_schema.columns
    where table_schema = database() and table_name = 'horae_locks' and column_name = 'taken'`.execute(db);
  return rows.length > 0;
}

/** The steps that are missing, given what is applied. Throws when the database is ahead of the code or differs from it. */
export function missingMigrations(
  url: string,
  packageName: string,
  applied: readonly string[],
  migrations: readonly Migration[],
): readonly Migration[] {
  const known = migrations.map((migration) => migration.name);
  const unknown = applied.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new NewerSchemaError(
      `${url} was written by a newer version of ${packageName} (it has ${unknown.join(', ')}): upgrade ${packageName}, or open another database`,
      { url, packageName, unknown },
    );
  }
  if (applied.some((name, index) => name !== known[index])) {
    throw new MigrationMismatchError(
      `The migrations of ${packageName} in ${url} are not a beginning of those in the code: add new ones at the end of the list and never rename one`,
      { url, packageName, applied, known },
    );
  }
  return migrations.slice(applied.length);
}

/** Refuses names that a database would mangle, and lists with a duplicate name. */
export function checkMigrations(packageName: string, migrations: readonly Migration[]): void {
  checkName('packageName', packageName);
  const seen = new Set<string>();
  for (const { name } of migrations) {
    checkName('migration name', name);
    if (seen.has(name)) {
      throw new StorageInputError(`Two migrations of ${packageName} are called "${name}"`, {
        field: 'name',
        value: name,
      });
    }
    seen.add(name);
  }
}

/** Names are stored in columns whose comparison differs between databases for anything but these characters. */
export function checkName(field: string, name: string): void {
  if (typeof name === 'string' && /^[\w.:/@-]{1,190}$/.test(name)) return;
  throw new StorageInputError(
    `A ${field} has 1 to 190 of the characters A-Z a-z 0-9 _ . : / @ -, got ${JSON.stringify(name)}`,
    { field, value: name },
  );
}

/** Names of the applied steps in their order. */
export async function readApplied(db: AnyKysely, packageName: string): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from horae_migrations where package = ${packageName} order by position`.execute(db);
  return rows.map((row) => row.name);
}

/** Whether the table of migrations exists. */
export async function hasMigrationTable(db: AnyKysely, dialect: Dialect): Promise<boolean> {
  const { rows } = await TABLE_QUERIES[dialect].execute(db);
  return rows.length > 0;
}

/** Makes the table of migrations. Only while migrating alone. */
export async function createMigrationTable(db: AnyKysely, dialect: Dialect): Promise<void> {
  const name = sql.raw(nameColumn(dialect));
  await sql`
    create table if not exists horae_migrations (
      package ${name} not null, position integer not null, name ${name} not null, applied_at bigint not null,
      primary key (package, position))`.execute(db);
}

/** Runs `missing` one by one, each followed by its record. */
export async function applyMigrations(
  db: AnyKysely,
  dialect: Dialect,
  packageName: string,
  firstPosition: number,
  missing: readonly Migration[],
  now: EpochMs,
): Promise<void> {
  for (const [index, migration] of missing.entries()) {
    await migration.up(db, dialect);
    await sql`
      insert into horae_migrations (package, position, name, applied_at)
      values (${packageName}, ${firstPosition + index}, ${migration.name}, ${now})`.execute(db);
  }
}

const TABLE_QUERIES = {
  sqlite: sql`select 1 from sqlite_master where type = 'table' and name = 'horae_migrations'`,
  postgres: sql`select 1 where to_regclass('horae_migrations') is not null`,
  mysql: sql`
    select 1 from information_schema.tables where table_schema = database() and table_name = 'horae_migrations'`,
} as const;

function nameColumn(dialect: Dialect): string {
  // MySQL compares text without regard to case by default.
  return dialect === 'mysql' ? 'varchar(190) character set utf8mb4 collate utf8mb4_bin' : 'varchar(190)';
}
