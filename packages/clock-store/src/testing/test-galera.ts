import type { ChildProcess } from 'node:child_process';
import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loaded } from '../storage/base/load-driver.js';
import { endServer, type RunAs, runProgram, startServer } from './server-process.js';
import { findProgram, HASTY, PASSWORD, SETUP, USER, withOwnTmp } from './test-mariadb.js';
import { freePort, TestServerError } from './test-server.js';

/** A cluster of MariaDB servers that belongs to a test. Every member takes writes. */
export interface TestCluster {
  /** The URLs of one empty database, one per member. */
  readonly urls: readonly string[];
  /** Another empty database on the same cluster. */
  freshDatabase(): Promise<readonly string[]>;
  /** Ends the members and removes their files. May be called twice. */
  stop(): Promise<void>;
}

interface Programs {
  readonly daemon: string;
  readonly installer: string;
  readonly provider: string;
  /** The server's own program that copies files to a new member refuses to do so as root. */
  readonly as: RunAs;
}

const PROVIDERS = ['/usr/lib/galera/libgalera_smm.so', '/usr/lib64/galera-4/libgalera_smm.so'];

/**
 * Starts a real Galera cluster of MariaDB servers in temporary folders, which takes some ten seconds. `unavailable` where MariaDB, the
 * library of Galera, rsync or, for root, the user `mysql` is missing, unless HORAE_REQUIRE_GALERA=1, which makes that a
 * `TestServerError`.
 */
export async function startTestGalera(members = 3): Promise<TestCluster | 'unavailable'> {
  const programs = await findPrograms();
  if (programs === undefined) {
    if (process.env.HORAE_REQUIRE_GALERA !== '1') return 'unavailable';
    throw new TestServerError(
      'HORAE_REQUIRE_GALERA=1 but a part is missing: install it, on Debian with `apt-get install mariadb-server galera-4 rsync`',
      { server: 'galera', log: '' },
    );
  }
  const mysql = await loaded(
    'startTestGalera()',
    'mysql2',
    'npm install --save-dev mysql2',
    () => import('mysql2/promise'),
  );
  const folder = await mkdtemp(join(tmpdir(), 'horae-galera-'));
  const servers: ChildProcess[] = [];
  const stop = async () => {
    // The first member ends last, so that the others need not notice that they have lost their majority.
    for (const server of [...servers].reverse()) await endServer(server);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const addresses = await launchAll(programs, folder, members, servers);
    let databases = 0;
    const freshDatabase = async () => {
      databases += 1;
      const name = `horae_test_${databases}`;
      for (const address of addresses) {
        const connection = await mysql.createConnection(address);
        // Waits until this member has applied what the others did.
        await connection.query('set session wsrep_sync_wait = 15');
        await connection.query(`create database if not exists ${name}`);
        await connection.end();
      }
      return addresses.map((address) => `${address}/${name}`);
    };
    return { urls: await freshDatabase(), freshDatabase, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function launchAll(programs: Programs, folder: string, members: number, servers: ChildProcess[]) {
  await own(folder, programs.as);
  const addresses: string[] = [];
  let first: number | undefined;
  for (let member = 0; member < members; member++) {
    const home = join(folder, String(member));
    await mkdir(join(home, 'data'), { recursive: true });
    for (const path of [home, join(home, 'data')]) await own(path, programs.as);
    const [port, base, transfer, copy] = [await freePort(), await freePort(), await freePort(), await freePort()];
    if (first === undefined) await install(programs, home);
    const parameters = memberSettings(programs.provider, home, { port, base, transfer, copy, first });
    servers.push(await startServer(programs.daemon, parameters, 'ready for connections', programs.as));
    first ??= base;
    addresses.push(`mysql://${USER}:${PASSWORD}@127.0.0.1:${port}`);
  }
  return addresses;
}

/** Only the first member has files of its own; the others copy theirs from it. */
async function install({ installer, as }: Programs, home: string): Promise<void> {
  await writeFile(join(home, 'setup.sql'), SETUP);
  await runProgram(installer, ['--no-defaults', `--datadir=${join(home, 'data')}`, '--skip-test-db'], {
    ...as,
    ...withOwnTmp(home),
  });
}

interface Ports {
  readonly port: number;
  readonly base: number;
  readonly transfer: number;
  readonly copy: number;
  /** The address of the first member; undefined for that one itself. */
  readonly first: number | undefined;
}

function memberSettings(provider: string, home: string, { port, base, transfer, copy, first }: Ports): string[] {
  const options = [
    `base_port=${base}`,
    `gmcast.listen_addr=tcp://127.0.0.1:${base}`,
    `ist.recv_addr=127.0.0.1:${transfer}`,
    'gcache.size=16M',
  ];
  return [
    '--no-defaults',
    `--datadir=${join(home, 'data')}`,
    `--tmpdir=${home}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    '--skip-name-resolve',
    `--socket=${join(home, 'socket')}`,
    `--pid-file=${join(home, 'pid')}`,
    '--binlog-format=ROW',
    '--innodb-autoinc-lock-mode=2',
    '--wsrep-on=ON',
    `--wsrep-provider=${provider}`,
    '--wsrep-node-address=127.0.0.1',
    '--wsrep-sst-method=rsync',
    `--wsrep-sst-receive-address=127.0.0.1:${copy}`,
    `--wsrep-provider-options=${options.join(';')}`,
    `--wsrep-cluster-address=gcomm://${first === undefined ? '' : `127.0.0.1:${first}`}`,
    ...(first === undefined ? [`--init-file=${join(home, 'setup.sql')}`] : []),
    ...HASTY,
  ];
}

async function findPrograms(): Promise<Programs | undefined> {
  const [daemon, installer, rsync] = await Promise.all(
    ['mariadbd', 'mariadb-install-db', 'rsync'].map((name) => findProgram(name)),
  );
  const found = await Promise.all(
    PROVIDERS.map((path) =>
      readFile(path).then(
        () => path,
        () => undefined,
      ),
    ),
  );
  const provider = found.find((path) => path !== undefined);
  const as = await serverUser();
  if (daemon === undefined || installer === undefined || rsync === undefined) return undefined;
  return provider === undefined || as === undefined ? undefined : { daemon, installer, provider, as };
}

/** The user that the members run as: that of this process, and instead of root that of Debian's package; undefined when there is none. */
async function serverUser(): Promise<RunAs | undefined> {
  if (process.getuid?.() !== 0) return {};
  const line = /^mysql:[^:]*:(\d+):(\d+):/m.exec(await readFile('/etc/passwd', 'utf8').catch(() => ''));
  return line === null ? undefined : { uid: Number(line[1]), gid: Number(line[2]) };
}

async function own(path: string, { uid, gid }: RunAs): Promise<void> {
  if (uid !== undefined && gid !== undefined) await chown(path, uid, gid);
}
