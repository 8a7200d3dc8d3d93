import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HoraeDatabase, openDatabase } from '@horae/clock-store/storage';
import { startTestMariadb, startTestPostgres } from '@horae/clock-store/testing';
import type { KyselyPlugin } from 'kysely';
import { expect, test } from 'vitest';
import { sqlTaskStore } from '../../src/sql.js';
import { createWorld } from '../support/world.js';

/** The same database, with its statements and transactions counted. */
function counted(database: HoraeDatabase) {
  const seen = { statements: 0, transactions: 0 };
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      seen.statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const kysely = database.kysely.withPlugin(plugin);
  const wrapped = new Proxy(database, {
    get(target, key) {
      if (key === 'kysely') return kysely;
      if (key === 'transaction') seen.transactions += 1;
      const value = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { database: wrapped, seen };
}

test.for([
  {
    name: 'SQLite',
    start: async () => {
      const folder = await mkdtemp(join(tmpdir(), 'horae-cost-'));
      return { url: `sqlite:${join(folder, 'tasks.db')}`, stop: () => rm(folder, { recursive: true, force: true }) };
    },
  },
  { name: 'PostgreSQL', start: startTestPostgres },
  { name: 'MariaDB', start: startTestMariadb },
])(
  'I12: an idle instance on $name costs at most one statement a second, leading or not',
  { timeout: 120_000 },
  async ({ name, start }, context) => {
    const place = await start();
    if (place === 'unavailable')
      return context.skip(`${name} is not installed here; HORAE_REQUIRE_MARIADB=1 makes this a failure`);
    const databases = [await openDatabase(place.url), await openDatabase(place.url)];
    const [first, second] = databases.map(counted) as [ReturnType<typeof counted>, ReturnType<typeof counted>];
    const world = createWorld('2026-03-01T10:00:30Z');
    const a = world.scheduler({ store: sqlTaskStore(first.database) });
    const b = world.scheduler({ store: sqlTaskStore(second.database) });
    await a.scheduler.initialize([world.task('a', '0 0 1 1 *')]);
    await b.scheduler.initialize([world.task('a', '0 0 1 1 *')]);
    for (const { seen } of [first, second]) Object.assign(seen, { statements: 0, transactions: 0 });
    await world.clock.advanceBy(60_000);
    expect([a.watch.role(), b.watch.role()]).toEqual(['leader', 'standby']);
    for (const { seen } of [first, second]) {
      expect(seen.statements).toBeGreaterThan(50);
      expect(seen.statements).toBeLessThanOrEqual(60);
      expect(seen.transactions).toBe(0);
    }
    await a.scheduler.stop();
    await b.scheduler.stop();
    for (const database of databases) await database.close();
    await place.stop();
  },
);
