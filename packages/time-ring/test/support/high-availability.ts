import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@horae/clock-store/storage';
import { startTestGalera, startTestPostgres, startTestStandby, type TestServer } from '@horae/clock-store/testing';
import { sql } from 'kysely';
import { clock } from './node-process.js';

/** Servers that fail, as the nodes of a ring reach them. */
export interface Outage {
  /** For each node its own way to the database. */
  readonly ways: readonly string[];
  /** A way that works before and after. */
  readonly way: string;
  /** What goes wrong; resolves when the servers are good again. */
  strike(): Promise<void>;
  stop(): Promise<void>;
}

const portOf = (url: string) => Number(new URL(url).port);
const three = (way: string) => [way, way, way];

/** A primary with a standby that has everything the primary has committed. */
async function synchronousPair(): Promise<{ primary: TestServer; standby: TestServer; promote(): Promise<void> }> {
  const primary = await startTestPostgres();
  const standby = await startTestStandby(primary);
  const database = await openDatabase(primary.url);
  await sql`alter system set synchronous_standby_names = '*'`.execute(database.kysely);
  await sql`select pg_reload_conf()`.execute(database.kysely);
  await database.close();
  const promote = async () => {
    await primary.halt();
    // What watches over the servers takes its time to be sure.
    await clock.sleepFor(2_000);
    const follower = await openDatabase(standby.url);
    await sql`select pg_promote(true, 30)`.execute(follower.kysely);
    // Nobody follows the new primary: it must not wait for one.
    await sql`alter system reset synchronous_standby_names`.execute(follower.kysely);
    await sql`select pg_reload_conf()`.execute(follower.kysely);
    await follower.close();
  };
  return { primary, standby, promote };
}

/** The primary dies and the standby is promoted; the nodes have both hosts in their URL. */
export async function promotedStandby(): Promise<Outage> {
  const { primary, standby, promote } = await synchronousPair();
  const { username, password, pathname } = new URL(primary.url);
  const hosts = [primary, standby].map(({ url }) => `127.0.0.1:${portOf(url)}`).join(',');
  const way = `postgres://${username}:${password}@${hosts}${pathname}?target_session_attrs=read-write`;
  const stop = async () => {
    await standby.stop();
    await primary.stop();
  };
  return { ways: three(way), way, strike: promote, stop };
}

/** The same behind HAProxy, which sends connections to the standby when the primary does not answer. */
export async function promotedBehindHaproxy(): Promise<Outage> {
  const { primary, standby, promote } = await synchronousPair();
  const port = await freePort();
  const proxy = await program('haproxy', ['-f'], port, [
    'defaults',
    '  mode tcp',
    '  timeout connect 2s',
    '  timeout client 1h',
    '  timeout server 1h',
    'frontend ring',
    `  bind 127.0.0.1:${port}`,
    '  default_backend postgres',
    'backend postgres',
    '  default-server check inter 200ms fall 2 rise 2 on-marked-down shutdown-sessions',
    `  server primary 127.0.0.1:${portOf(primary.url)}`,
    `  server standby 127.0.0.1:${portOf(standby.url)} backup`,
  ]);
  const way = primary.url.replace(`:${portOf(primary.url)}/`, `:${port}/`);
  const stop = async () => {
    await proxy.end();
    await standby.stop();
    await primary.stop();
  };
  return { ways: three(way), way, strike: promote, stop };
}

/** PgBouncer in transaction mode between the nodes and the server; it is killed and comes back. */
export async function restartedPgbouncer(): Promise<Outage> {
  const server = await startTestPostgres();
  const port = await freePort();
  const { username, password } = new URL(server.url);
  const start = () =>
    program(
      'pgbouncer',
      ['-u', 'nobody'],
      port,
      (folder) => [
        '[databases]',
        `* = host=127.0.0.1 port=${portOf(server.url)}`,
        '[pgbouncer]',
        `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =`,
        `auth_type = plain\nauth_file = ${join(folder, 'users')}`,
        'pool_mode = transaction\ndefault_pool_size = 20\nmax_client_conn = 200',
      ],
      { users: `"${username}" "${password}"\n` },
    );
  let bouncer = await start();
  const way = server.url.replace(`:${portOf(server.url)}/`, `:${port}/`);
  return {
    ways: three(way),
    way: server.url,
    async strike() {
      await bouncer.end('SIGKILL');
      await clock.sleepFor(1_000);
      bouncer = await start();
    },
    async stop() {
      await bouncer.end();
      await server.stop();
    },
  };
}

/** Three members, a node on each; the last member is killed and stays away. */
export async function killedGaleraMember(): Promise<Outage | 'unavailable'> {
  const cluster = await startTestGalera();
  if (cluster === 'unavailable') return cluster;
  const ways = await cluster.freshDatabase();
  const last = await openDatabase(ways.at(-1)!);
  const { rows } = await sql<{ file: string }>`select @@pid_file as file`.execute(last.kysely);
  await last.close();
  return {
    ways,
    way: ways[0]!,
    async strike() {
      process.kill(Number(await readFile(rows[0]!.file, 'utf8')), 'SIGKILL');
    },
    stop: () => cluster.stop(),
  };
}

/** Starts a program with a configuration file in a folder of its own, and waits until it accepts connections. */
async function program(
  name: string,
  words: readonly string[],
  port: number,
  lines: readonly string[] | ((folder: string) => readonly string[]),
  files: Readonly<Record<string, string>> = {},
): Promise<{ end(signal?: NodeJS.Signals): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), `horae-${name}-`));
  await chmod(folder, 0o755);
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
  const config = join(folder, 'config');
  await writeFile(config, `${(typeof lines === 'function' ? lines(folder) : lines).join('\n')}\n`);
  const child: ChildProcess = spawn(name, [...words, config], {
    stdio: 'ignore',
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', () => resolve());
    child.once('error', reject);
  });
  for (let look = 0; !(await accepts(port)); look++) {
    if (look > 100 || child.exitCode !== null) throw new Error(`${name} does not listen at ${port}`);
    await clock.sleepFor(100);
  }
  return {
    async end(signal = 'SIGTERM') {
      child.kill(signal);
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1');
    const answer = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => answer(true));
    socket.once('error', () => answer(false));
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
