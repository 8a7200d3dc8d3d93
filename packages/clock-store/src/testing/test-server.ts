import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HoraeError } from '../errors.js';

/** A database server that belongs to a test. */
export interface TestServer {
  /** The URL of an empty database on the server. */
  readonly url: string;
  /** The URL of another empty database on the same server: starting a server takes seconds, this takes milliseconds. */
  freshDatabase(): Promise<string>;
  /** Stops the server and removes its files. Twice is fine. */
  stop(): Promise<void>;
}

/** A database server for tests could not be started. */
export class TestServerError extends HoraeError<{ server: string; log: string }> {
  readonly code = 'test-server';
}

const MOST_START_ATTEMPTS = 5;

/** A folder of its own. */
function temporaryFolder(name: string, within: string): Promise<string> {
  return mkdtemp(join(within, `horae-${name}-`));
}

/**
 * Starts a server on a port that was free a moment ago, and on another one when somebody else was quicker. `start` gets a
 * fresh folder and must leave nothing running when it throws.
 */
export async function startOnFreePort<Server>(
  name: string,
  start: (folder: string, port: number) => Promise<Server>,
  within = tmpdir(),
): Promise<{ server: Server; folder: string; port: number }> {
  const failures: unknown[] = [];
  for (let attempt = 1; attempt <= MOST_START_ATTEMPTS; attempt++) {
    const folder = await temporaryFolder(name, within);
    const port = await freePort();
    try {
      return { server: await start(folder, port), folder, port };
    } catch (error) {
      failures.push(error);
      await rm(folder, { recursive: true, force: true });
    }
  }
  const last = failures.at(-1);
  const log = last instanceof Error ? last.message : String(last);
  throw new TestServerError(
    `${name} did not start in ${MOST_START_ATTEMPTS} attempts: ${log}`,
    { server: name, log },
    { cause: last },
  );
}

function freePort(): Promise<number> {
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
