import { openDatabase } from '@horae/clock-store/storage';
import { startTestMariadb, startTestPostgres } from '@horae/clock-store/testing';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { createLedger } from '../../src/index.js';
import { chainViewConformance, ledgerConformance } from '../../src/testing/index.js';

const inMemory = ledgerConformance(async (start) => ({ chain: await createLedger(start) }));
test.each(inMemory)('in memory: $name', ({ run }) => run());

const asView = chainViewConformance(async (start) => ({ chain: await createLedger(start) }));
test.each(asView)('as a chain view: $name', ({ run }) => run());

interface Place {
  freshDatabase(): Promise<string>;
  stop(): Promise<void>;
}

/** One server for all cases, a database for each; the server is started by the hook, so the cases learn its URL late. */
function conformsOn(name: string, start: () => Promise<Place | 'unavailable'>): void {
  describe(`on ${name}`, () => {
    let place: Place | 'unavailable' | undefined;
    beforeAll(async () => {
      place = await start();
    });
    afterAll(async () => {
      if (place !== undefined && place !== 'unavailable') await place.stop();
    });
    const cases = ledgerConformance(async (begin) => {
      const database = await openDatabase(await (place as Place).freshDatabase());
      return { chain: await createLedger({ ...begin, database }), close: () => database.close() };
    });
    for (const { name: requirement, run } of cases) {
      test(requirement, async (context) => {
        if (place === 'unavailable')
          context.skip(`${name} is not installed here; HORAE_REQUIRE_MARIADB=1 makes this a failure`);
        await run();
      });
    }
  });
}

conformsOn('SQLite', async () => ({ freshDatabase: async () => 'sqlite::memory:', stop: async () => {} }));
conformsOn('PostgreSQL', startTestPostgres);
conformsOn('MariaDB', startTestMariadb);
