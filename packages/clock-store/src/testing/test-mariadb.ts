import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:fs';
import { access, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { loaded } from '../storage/base/load-driver.js';
import { runProgram, startServer } from './server-process.js';
import { startTestServer, type TestServer, TestServerError, type TestServerOptions } from './test-server.js';

export const USER = 'horae';
export const PASSWORD = 'horae-test';
/** Run by a new server. */
export const SETUP = `create user if not exists ${USER}@'%' identified by '${PASSWORD}';
grant all on *.* to ${USER}@'%' with grant option;
`;
/** Durability costs time and a test server has nothing to keep. */
export const HASTY = [
  '--innodb-flush-log-at-trx-commit=0',
  '--innodb-doublewrite=0',
  '--innodb-buffer-pool-size=64M',
  '--innodb-log-file-size=16M',
  '--skip-log-bin',
  '--max-connections=200',
];

/**
 * Starts a real MariaDB from the `mariadbd` on the PATH, with its files in a temporary folder. `unavailable` when there is none, unless
 * HORAE_REQUIRE_MARIADB=1, which makes that a `TestServerError`. Start one per test file and use a `freshDatabase()` per test.
 */
export async function startTestMariadb({ tls }: TestServerOptions = {}): Promise<TestServer | 'unavailable'> {
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
    async prepare(folder) {
      await install(installer, folder);
      await writeFile(join(folder, 'server.crt'), tls?.cert ?? '');
      await writeFile(join(folder, 'server.key'), tls?.key ?? '', { mode: 0o600 });
    },
    launch: (folder, port) => launch(daemon, folder, port, tls !== undefined),
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

/** A server that starts removes what look like leftovers from the folder of temporary tables: those of other servers, if they share it. */
export function withOwnTmp(folder: string): { env: NodeJS.ProcessEnv } {
  return { env: { ...process.env, TMPDIR: folder } };
}

async function install(installer: string, folder: string): Promise<void> {
  await writeFile(join(folder, 'setup.sql'), SETUP);
  const data = `--datadir=${join(folder, 'data')}`;
  await runProgram(installer, ['--no-defaults', data, '--skip-test-db', ...asUser()], withOwnTmp(folder));
}

function launch(daemon: string, folder: string, port: number, offersTls: boolean): Promise<ChildProcess> {
  const files = [`--ssl-cert=${join(folder, 'server.crt')}`, `--ssl-key=${join(folder, 'server.key')}`];
  const settings = [
    '--no-defaults',
    `--datadir=${join(folder, 'data')}`,
    `--tmpdir=${folder}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    '--skip-name-resolve',
    `--socket=${join(folder, 'socket')}`,
    `--pid-file=${join(folder, 'pid')}`,
    `--init-file=${join(folder, 'setup.sql')}`,
  ];
  return startServer(
    daemon,
    [...settings, ...(offersTls ? files : []), ...HASTY, ...asUser()],
    'ready for connections',
  );
}

/** Where a program is, also in the folders that only root has on the PATH. */
export async function findProgram(name: string): Promise<string | undefined> {
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
