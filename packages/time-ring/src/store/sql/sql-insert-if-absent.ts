import type { AnyKysely, Dialect } from '@horae/clock-store/storage';
import { sql } from 'kysely';

/** Inserts a row unless its key, the first column, exists; returns whether it did. Waits for transactions inserting the same key. */
export async function insertIfAbsent(
  db: AnyKysely,
  dialect: Dialect,
  table: string,
  row: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const columns = Object.keys(row);
  const into = sql`${sql.raw(`${table} (${columns.join(', ')})`)} values (${sql.join(Object.values(row))})`;
  const key = sql.raw(columns[0]!);
  if (dialect !== 'mysql') {
    const { rows } = await sql`insert into ${into} on conflict do nothing returning ${key}`.execute(db);
    return rows.length > 0;
  }
  const { numAffectedRows } = await sql`insert ignore into ${into}`.execute(db);
  return numAffectedRows === 1n;
}
