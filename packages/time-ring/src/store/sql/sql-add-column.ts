import type { AnyKysely, Dialect } from '@horae/clock-store/storage';
import { sql } from 'kysely';

/** A column that a migration adds to a table of the ring. */
export interface NewColumn {
  readonly table: string;
  readonly name: string;
  /** The column type, with its default if it has one. */
  readonly type: string;
}

/** Adds a column unless it exists: MySQL commits each statement, so an interrupted migration runs again. */
export async function addColumn(db: AnyKysely, dialect: Dialect, { table, name, type }: NewColumn): Promise<void> {
  if (dialect === 'postgres') {
    await sql.raw(`alter table ${table} add column if not exists ${name} ${type}`).execute(db);
    return;
  }
  if (!(await hasColumn(db, dialect, table, name))) {
    await sql.raw(`alter table ${table} add column ${name} ${type}`).execute(db);
  }
}

async function hasColumn(db: AnyKysely, dialect: 'sqlite' | 'mysql', table: string, name: string): Promise<boolean> {
  const found =
    dialect === 'sqlite'
      ? sql`select 1 from pragma_table_xinfo(${table}) where name = ${name}`
      : sql`select 1 from information_schema.columns
            where table_schema = database() and table_name = ${table} and column_name = ${name}`;
  return (await found.execute(db)).rows.length > 0;
}
