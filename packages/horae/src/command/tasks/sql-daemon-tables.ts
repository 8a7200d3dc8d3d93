import type { HoraeDatabase, Migration } from '@horae/clock-store/storage';
import { sql } from 'kysely';

const migrations: readonly Migration[] = [
  {
    name: '0001-daemons-and-history',
    async up(db, dialect) {
      const isMysql = dialect === 'mysql';
      const key = sql.raw(isMysql ? 'varchar(190) character set utf8mb4 collate utf8mb4_bin' : 'varchar(190)');
      const text = sql.raw(isMysql ? 'longtext character set utf8mb4 collate utf8mb4_bin' : 'text');
      const serial = sql.raw(serials[dialect]);
      await sql`
        create table if not exists horae_daemon_claims (
          namespace ${key} not null primary key,
          owner ${key} not null,
          host ${key} not null,
          pid integer not null,
          beat_at double precision not null
        )`.execute(db);
      await sql`
        create table if not exists horae_task_history (
          id ${serial},
          namespace ${key} not null,
          at double precision not null,
          event ${key} not null,
          task ${text},
          facts ${text} not null
        )`.execute(db);
    },
  },
  {
    // The lease of the scheduler itself has taken their place.
    name: '0002-no-claims',
    async up(db) {
      await sql`drop table if exists horae_daemon_claims`.execute(db);
    },
  },
];

const serials = {
  sqlite: 'integer primary key autoincrement',
  postgres: 'bigserial primary key',
  mysql: 'bigint auto_increment primary key',
} as const;

/** Brings the tables of the daemon up to date. */
export async function prepareDaemonTables(database: HoraeDatabase): Promise<void> {
  await database.migrate('horae', migrations);
}
