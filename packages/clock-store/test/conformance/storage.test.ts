import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OpenDatabaseOptions, openDatabase } from '@horae/clock-store/storage';
import { startTestMariadb, startTestPostgres, storageConformance, type TestServer } from '@horae/clock-store/testing';
import { afterAll, beforeAll, describe, test } from 'vitest';

/** A place for databases; for SQLite a folder. */
type Place = Pick<TestServer, 'url' | 'stop'>;

/** The server is started by the hook; the cases are named before that, so they learn the URL late. */
function conformsTo(name: string, start: () => Promise<Place | 'unavailable'>, shared: OpenDatabaseOptions): void {
  describe(name, () => {
    let server: Place | 'unavailable' | undefined;
    beforeAll(async () => {
      server = await start();
    });
    afterAll(async () => {
      if (server !== undefined && server !== 'unavailable') await server.stop();
    });
    describe.each([{ options: {} }, { options: shared }])('opened with $options', ({ options }) => {
      for (const { name: requirement, run } of storageConformance(() => openDatabase((server as Place).url, options))) {
        test(requirement, async (context) => {
          if (server === 'unavailable')
            context.skip(`${name} is not installed here; HORAE_REQUIRE_MARIADB=1 makes this a failure`);
          await run();
        });
      }
    });
  });
}

async function folderForSqlite(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'horae-conformance-'));
  const url = `sqlite:${join(folder, 'horae.db')}`;
  return { url, stop: () => rm(folder, { recursive: true, force: true }) };
}

conformsTo('SQLite', folderForSqlite, { tablePrefix: 'x_' });
conformsTo('PostgreSQL', startTestPostgres, { schema: 'Horae', tablePrefix: 'x_' });
conformsTo('MariaDB', startTestMariadb, { tablePrefix: 'x_' });
