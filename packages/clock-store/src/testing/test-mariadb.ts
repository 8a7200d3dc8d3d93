import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:fs';
import { access, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { loaded } from '../storage/load-driver.js';
import { runProgram, startServer } from './server-process.js';
import { startTestServer, type TestServer, TestServerError } from './test-server.js';

const USER = 'horae';
const PASSWORD = 'horae-test';
/** Durability costs time and a test server has nothing to keep. */
const HASTY = [
  '--innodb-flush-log-at-trx-commit=0',
  '--innodb-doublewrite=0',
  '--innodb-buffer-pool-size=64M',
  '--innodb-log-file-size=16M',
  '--skip-log-bin',
  '--max-connections=200',
];

/**
 * Starts a real MariaDB from the `mariadbd` on the PATH, with its files in a temporary folder. `unavailable` when there is
 * none, unless HORAE_REQUIRE_MARIADB=1, which makes that a `TestServerError`. Start one for a test file and give every test its
 * own `freshDatabase()`.
 */
export async function startTestMariadb(): Promise<TestServer | 'unavailable'> {
  const daemon = await findProgram('mariadbd');
  const installer = await findProgram('mariadb-install-db');
  if (daemon === undefined || installer === undefined) {
    if (process.env.HORAE_REQUIRE_MARIADB !== '1') return 'unavailable';
    throw new TestServerError(
      'HORAE_REQUIRE_MARIADB=1 but there is no mariadbd on the PATH: install it, on Debian with `apt-get install mariadb-server`',
      { server: 'mariadb', log: '' },
    );
  }
  const mysql = await loaded(
    'startTestMariadb()',
    'mysql2',
    'npm install --save-dev mysql2',
    () => import('mysql2/promise'),
  );
  return startTestServer({
    name: 'mariadb',
    endSignal: 'SIGTERM',
    prepare: (folder) => install(installer, folder),
    launch: (folder, port) => launch(daemon, folder, port),
    urlAt: (port) => `mysql://${USER}:${PASSWORD}@127.0.0.1:${port}`,
    async createDatabase(serverUrl, name) {
      const connection = await mysql.createConnection(serverUrl);
      await connection.query(`create database ${name}`);
      await connection.end();
    },
    dispose: async () => {},
  });
}

const asUser = () => (process.getuid?.() === 0 ? ['--user=root'] : []);

async function install(installer: string, folder: string): Promise<void> {
  const users = [
    `create user if not exists ${USER}@'%' identified by '${PASSWORD}';`,
    `grant all on *.* to ${USER}@'%';`,
  ];
  await writeFile(join(folder, 'setup.sql'), `${users.join('\n')}\n`);
  const data = `--datadir=${join(folder, 'data')}`;
  await runProgram(installer, ['--no-defaults', data, '--skip-test-db', ...asUser()]);
}

function launch(daemon: string, folder: string, port: number): Promise<ChildProcess> {
  const settings = [
    '--no-defaults',
    `--datadir=${join(folder, 'data')}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    '--skip-name-resolve',
    `--socket=${join(folder, 'socket')}`,
    `--pid-file=${join(folder, 'pid')}`,
    `--init-file=${join(folder, 'setup.sql')}`,
  ];
  return startServer(daemon, [...settings, ...HASTY, ...asUser()], 'ready for connections');
}

async function findProgram(name: string): Promise<string | undefined> {
  // Servers are often in a folder that only root has on the PATH.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', '/usr/libexec'];
  for (const folder of folders) {
    const path = join(folder, name);
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (folder !== '' && isThere) return path;
  }
  return undefined;
}
