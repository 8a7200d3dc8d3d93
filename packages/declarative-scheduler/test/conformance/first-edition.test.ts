import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@horae/clock-store/storage';
import { startTestMariadb, startTestPostgres } from '@horae/clock-store/testing';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { sqlTaskStore } from '../../src/sql.js';
import { taskMigrations } from '../../src/store/sql-task-migrations.js';
import { createWorld } from '../support/world.js';

const places = [
  {
    name: 'SQLite',
    start: async () => {
      const folder = await mkdtemp(join(tmpdir(), 'horae-first-'));
      return { url: `sqlite:${join(folder, 'tasks.db')}`, stop: () => rm(folder, { recursive: true, force: true }) };
    },
  },
  { name: 'PostgreSQL', start: startTestPostgres },
  { name: 'MariaDB', start: startTestMariadb },
];

test.for(places)(
  'I15: a database of the first edition opens on $name and goes on',
  { timeout: 120_000 },
  async (place, context) => {
    const started = await place.start();
    if (started === 'unavailable')
      return context.skip(`${place.name} is not installed here; HORAE_REQUIRE_MARIADB=1 makes this a failure`);
    try {
      const database = await openDatabase(started.url);
      await database.migrate('declarative-scheduler', taskMigrations.slice(0, 1));
      const at = Date.parse('2026-03-01T09:00:00Z');
      await sql`
      insert into horae_tasks (namespace, task_key, name, cron, retry_delay_ms, registered_at, handled_until,
        last_attempt_at, last_success_at, attempt)
      values ('default', 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb', '"a"', '0 * * * *', 60000,
        ${at}, ${at}, ${at}, ${at + 5}, 1)`.execute(database.kysely);
      // As after a crash between a change of the schema and its record, which only MySQL and MariaDB can leave behind.
      if (database.dialect === 'mysql')
        await sql`alter table horae_tasks add column paused integer not null default 0`.execute(database.kysely);
      const world = createWorld('2026-03-01T11:30:00Z', { store: sqlTaskStore(database) });
      const { scheduler, watch } = world.scheduler();
      await scheduler.initialize([world.task('a', '0 * * * *')]);
      expect(world.runs).toEqual(['a catch-up 11:30:00']);
      expect(watch.tasks()).toMatchObject([{ name: 'a', origin: 'preserved', paused: false }]);
      await scheduler.stop();
      await database.close();
    } finally {
      await started.stop();
    }
  },
);
