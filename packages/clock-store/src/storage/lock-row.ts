import { type RawBuilder, sql } from 'kysely';
import type { Dialect } from './database-url.js';

/** The statement that makes the lock row `name` exist, and that waits while another transaction is creating it. */
export function insertLockSql(dialect: Dialect, name: string): RawBuilder<unknown> {
  if (dialect === 'mysql') {
    // A plain "insert ignore" would leave a shared lock on the row, and two of those are a deadlock waiting to happen.
    return sql`insert into horae_locks (name) values (${name}) on duplicate key update name = name`;
  }
  return sql`insert into horae_locks (name) values (${name}) on conflict (name) do nothing`;
}

/** The statement that takes the lock row `name` for the rest of the transaction. */
export function selectLockSql(name: string): RawBuilder<{ name: string }> {
  return sql<{ name: string }>`select name from horae_locks where name = ${name} for update`;
}
