import { type RawBuilder, sql } from 'kysely';

/** The statement that makes the lock row `name` exist, and that waits while another transaction is creating it. */
export function insertLockSql(name: string): RawBuilder<unknown> {
  return sql`insert into horae_locks (name) values (${name}) on conflict (name) do nothing`;
}

/** The statement that takes the lock row `name` for the rest of the transaction. */
export function selectLockSql(name: string): RawBuilder<{ name: string }> {
  return sql<{ name: string }>`select name from horae_locks where name = ${name} for update`;
}

/**
 * The same for MySQL and MariaDB, by a change of the row: the members of a Galera cluster compare what transactions wrote, not what they
 * locked, so two that only lock the row would both commit.
 */
export function writeLockSql(name: string): RawBuilder<unknown> {
  return sql`update horae_locks set taken = taken + 1 where name = ${name}`;
}

/** Makes the lock row `name` of MySQL and MariaDB, and takes it. */
export function insertWrittenLockSql(name: string): RawBuilder<unknown> {
  return sql`insert into horae_locks (name, taken) values (${name}, 1) on duplicate key update taken = taken + 1`;
}
