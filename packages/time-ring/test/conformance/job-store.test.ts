import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@horae/clock-store/storage';
import { startTestMariadb, startTestPostgres } from '@horae/clock-store/testing';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type JobStore, memoryJobStore, sqlJobStore } from '../../src/index.js';
import { jobStoreConformance } from '../../src/testing.js';

interface Place {
  freshDatabase(): Promise<string>;
  stop(): Promise<void>;
}

describe('in memory', () => {
  test.each(jobStoreConformance(async () => memoryJobStore()))('a job store $name', ({ run }) => run());
});

/** The store leaves its database open; the case, which knows the store alone, closes both. */
async function openStore(url: string): Promise<JobStore> {
  const database = await openDatabase(url);
  const store = await sqlJobStore(database);
  const close = async () => {
    await store.close();
    await database.close();
  };
  return { ...store, close, [Symbol.asyncDispose]: close };
}

/** One server for all cases, a database for each; the server is started by the hook, so the cases learn its URL late. */
function conformsTo(name: string, start: () => Promise<Place | 'unavailable'>): void {
  describe(`on ${name}`, () => {
    let place: Place | 'unavailable' | undefined;
    beforeAll(async () => {
      place = await start();
    });
    afterAll(async () => {
      if (place !== undefined && place !== 'unavailable') await place.stop();
    });
    const cases = jobStoreConformance(async () => openStore(await (place as Place).freshDatabase()));
    for (const { name: requirement, run } of cases) {
      test(`a job store ${requirement}`, async (context) => {
        if (place === 'unavailable')
          context.skip(`${name} is not installed here; HORAE_REQUIRE_MARIADB=1 makes this a failure`);
        await run();
      });
    }
  });
}

conformsTo('SQLite in memory', async () => ({
  freshDatabase: async () => 'sqlite::memory:',
  stop: async () => {},
}));
conformsTo('a SQLite file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'horae-ring-'));
  let files = 0;
  return {
    freshDatabase: async () => `sqlite:${join(folder, `${++files}.db`)}`,
    stop: () => rm(folder, { recursive: true, force: true }),
  };
});
conformsTo('PostgreSQL', startTestPostgres);
conformsTo('MariaDB', startTestMariadb);
