import type { AnyKysely, Dialect, Migration } from '@horae/clock-store/storage';
import { sql } from 'kysely';

/**
 * Instants are doubles, exact far beyond any calendar and the same number in every driver. Names are stored as ASCII JSON text under
 * the digest of the name: any name fits, whatever its length and characters, and no collation makes two names one.
 */
export const taskMigrations: readonly Migration[] = [
  {
    name: '0001-tasks',
    async up(db, dialect) {
      const text = sql.raw(dialect === 'mysql' ? 'longtext character set utf8mb4 collate utf8mb4_bin' : 'text');
      const key = keyColumn(dialect);
      const instant = sql.raw('double precision');
      await sql`
        create table if not exists horae_tasks (
          namespace ${key} not null,
          task_key ${key} not null,
          name ${text} not null,
          cron ${text} not null,
          retry_delay_ms ${instant} not null,
          registered_at ${instant} not null,
          handled_until ${instant} not null,
          last_attempt_at ${instant},
          last_success_at ${instant},
          last_failure_at ${instant},
          pending_retry_until ${instant},
          attempt integer not null,
          running_scheduler_id ${key},
          primary key (namespace, task_key)
        )`.execute(db);
    },
  },
  {
    name: '0002-leases-and-pauses',
    async up(db, dialect) {
      const key = keyColumn(dialect);
      // MySQL commits each statement, so an interrupted step runs again and finds its own column.
      if (dialect !== 'mysql' || !(await hasPausedColumn(db)))
        await sql`alter table horae_tasks add column paused integer not null default 0`.execute(db);
      await sql`
        create table if not exists horae_task_leases (
          namespace ${key} not null primary key,
          owner ${key},
          host ${key} not null,
          pid integer not null,
          machine ${key} not null,
          process_start ${key} not null,
          fence bigint not null,
          heartbeat bigint not null
        )`.execute(db);
    },
  },
];

async function hasPausedColumn(db: AnyKysely): Promise<boolean> {
  const { rows } = await sql`
    select 1 from information_schema.columns
    where table_schema = database() and table_name = 'horae_tasks' and column_name = 'paused'`.execute(db);
  return rows.length > 0;
}

function keyColumn(dialect: Dialect) {
  return sql.raw(dialect === 'mysql' ? 'varchar(190) character set utf8mb4 collate utf8mb4_bin' : 'varchar(190)');
}
