import type { Migration } from '@horae/clock-store/storage';
import { sql } from 'kysely';

/**
 * One row per step, and the lists in rows of their own under the digest of their content: most steps change the datum alone and share the
 * lists of the step before. Instants are doubles, exact for whole milliseconds and the same number in every driver.
 */
export const ledgerMigrations: readonly Migration[] = [
  {
    name: '0001-ledger',
    async up(db, dialect) {
      const text = sql.raw(dialect === 'mysql' ? 'longtext character set utf8mb4 collate utf8mb4_bin' : 'text');
      await sql`
        create table if not exists horae_shift_lists (
          id varchar(64) not null primary key,
          active ${text} not null,
          registered ${text} not null,
          retired ${text} not null
        )`.execute(db);
      await sql`
        create table if not exists horae_shift_steps (
          height integer not null primary key,
          operator varchar(56),
          shift_start double precision,
          hub_oracle integer not null,
          lists_id varchar(64) not null
        )`.execute(db);
    },
  },
];
