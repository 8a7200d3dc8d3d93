import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestMariadb, startTestPostgres } from '@horae/clock-store/testing';

/** Databases that several processes can open, one per test. */
export interface DatabaseServer {
  freshDatabase(): Promise<string>;
  stop(): Promise<void>;
}

/** SQLite files in a folder of their own. */
export async function sqliteFiles(): Promise<DatabaseServer> {
  const folder = await mkdtemp(join(tmpdir(), 'horae-console-'));
  let files = 0;
  return {
    freshDatabase: async () => `sqlite:${join(folder, `${++files}.db`)}`,
    stop: () => rm(folder, { recursive: true, force: true }),
  };
}

export const databases: readonly { name: string; start(): Promise<DatabaseServer | 'unavailable'> }[] = [
  { name: 'SQLite', start: sqliteFiles },
  { name: 'PostgreSQL', start: startTestPostgres },
  { name: 'MariaDB', start: startTestMariadb },
];
