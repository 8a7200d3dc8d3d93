import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HoraeError } from '../errors.js';
import { endServer } from './server-process.js';

/** A database server that belongs to a test. */
export interface TestServer {
  /** The URL of an empty database on the server. */
  readonly url: string;
  /** Where its files are. */
  readonly folder: string;
  /** The URL of another empty database on the same server: starting a server takes seconds, this takes milliseconds. */
  freshDatabase(): Promise<string>;
  /** Ends the server but keeps its files, as a restart or an outage does. */
  halt(): Promise<void>;
  /** Starts a halted server again, at the same address with the same files. */
  resume(): Promise<void>;
  /** Stops the server and removes its files. May be called twice. */
  stop(): Promise<void>;
}

/** How a server for tests is started. */
export interface TestServerOptions {
  /** Its certificate and key, in PEM; without them it offers no encryption. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** The operations of one kind of server. */
export interface ServerKind {
  readonly name: string;
  /** Signals the server to end without waiting for its clients. */
  readonly endSignal: 'SIGTERM' | 'SIGINT';
  /** Where its folder is made. */
  readonly within?: string;
  /** Lays out the files of a new server. */
  prepare(folder: string): Promise<void>;
  /** Runs the server on its files. Leaves nothing running when it throws. */
  launch(folder: string, port: number): Promise<ChildProcess>;
  urlAt(port: number): string;
  createDatabase(serverUrl: string, name: string): Promise<void>;
  /** Removes what else was made for the server. */
  dispose(): Promise<void>;
}

/** Starts a server in a folder of its own, with one empty database. */
export async function startTestServer(kind: ServerKind): Promise<TestServer> {
  const started = await startOnFreePort(kind).catch(async (error: unknown) => {
    await kind.dispose();
    throw error;
  });
  const { folder, port } = started;
  let { server } = started;
  const serverUrl = kind.urlAt(port);
  let databases = 0;
  const freshDatabase = async () => {
    databases += 1;
    const name = `horae_test_${databases}`;
    await kind.createDatabase(serverUrl, name);
    return `${serverUrl}/${name}`;
  };
  const halt = () => endServer(server, kind.endSignal);
  const stop = async () => {
    await halt();
    await rm(folder, { recursive: true, force: true });
    await kind.dispose();
  };
  let stopping: Promise<void> | undefined;
  return {
    url: await freshDatabase(),
    folder,
    freshDatabase,
    halt,
    async resume() {
      server = await kind.launch(folder, port);
    },
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

/** A database server for tests could not be started. */
export class TestServerError extends HoraeError<{ server: string; log: string }> {
  readonly code = 'test-server';
}

const MAX_START_ATTEMPTS = 5;

/** Starts a server on a port that was free a moment ago, and on another one when another process was quicker. */
async function startOnFreePort(kind: ServerKind): Promise<{ server: ChildProcess; folder: string; port: number }> {
  const failures: unknown[] = [];
  for (let attempt = 1; attempt <= MAX_START_ATTEMPTS; attempt++) {
    const folder = await mkdtemp(join(kind.within ?? tmpdir(), `horae-${kind.name}-`));
    const port = await freePort();
    try {
      await kind.prepare(folder);
      return { server: await kind.launch(folder, port), folder, port };
    } catch (error) {
      failures.push(error);
      await rm(folder, { recursive: true, force: true });
    }
  }
  const last = failures.at(-1);
  const log = last instanceof Error ? last.message : String(last);
  throw new TestServerError(
    `${kind.name} did not start in ${MAX_START_ATTEMPTS} attempts: ${log}`,
    { server: kind.name, log },
    { cause: last },
  );
}

/** A port that is free at this moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
