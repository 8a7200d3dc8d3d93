import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestMariadb, startTestPostgres } from '@horae/clock-store/testing';
import { afterAll, beforeAll, beforeEach, describe } from 'vitest';

/** Where a test of the network side runs. */
export interface NetworkPlace {
  readonly database: string;
  readonly claim: 'lock-row' | 'buckets';
}

interface Server {
  freshDatabase(): Promise<string>;
  stop(): Promise<void>;
}

const kinds: readonly { name: string; start(): Promise<Server | 'unavailable'> }[] = [
  { name: 'SQLite', start: sqliteFiles },
  { name: 'PostgreSQL', start: startTestPostgres },
  { name: 'MariaDB', start: startTestMariadb },
];

/** The database and the mode of the test that is running; tests of one file run one after the other. */
let current: NetworkPlace | null = null;

export function networkPlace(): NetworkPlace {
  return current ?? { database: 'sqlite::memory:', claim: 'lock-row' };
}

async function sqliteFiles(): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'horae-network-'));
  let files = 0;
  return {
    freshDatabase: async () => `sqlite:${join(folder, `${++files}.db`)}`,
    stop: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Declares the tests once per database and claim mode, with one server of each kind per file and one database per test. */
export function onEveryDatabase(
  declare: () => void,
  modes: readonly NetworkPlace['claim'][] = ['lock-row', 'buckets'],
): void {
  for (const { name, start } of kinds) {
    describe(`on ${name}`, () => {
      let server: Server | 'unavailable';
      beforeAll(async () => {
        server = await start();
      });
      afterAll(async () => {
        current = null;
        if (server !== 'unavailable') await server?.stop();
      });
      describe.each(modes)('in the mode %s', (claim) => {
        beforeEach(async (context) => {
          if (server === 'unavailable')
            return context.skip(`${name} is not installed here; HORAE_REQUIRE_MARIADB=1 makes this a failure`);
          current = { database: await server.freshDatabase(), claim };
        });
        declare();
      });
    });
  }
}
