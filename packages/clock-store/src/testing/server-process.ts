import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { systemClock } from '../system-clock.js';

const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 20_000;
const LOG_CHARACTERS = 4_000;

/** The user and environment of a program; without them those of this process. */
export type RunAs = Pick<SpawnOptions, 'uid' | 'gid' | 'env'>;

/** Runs a program to its end. Rejects with its last output when it fails or cannot be started. */
export function runProgram(program: string, parameters: readonly string[], as: RunAs = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, parameters, { stdio: ['ignore', 'pipe', 'pipe'], ...as });
    let log = '';
    const keep = (chunk: unknown) => {
      log = `${log}${String(chunk)}`.slice(-LOG_CHARACTERS);
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}\n${log}`))));
  });
}

/**
 * Starts a server and resolves when its log contains `readyText`. Rejects when the server ends or stays silent, and leaves nothing running.
 * It does not outlive this process.
 */
export async function startServer(
  program: string,
  parameters: readonly string[],
  readyText: string,
  as: RunAs = {},
): Promise<ChildProcess> {
  const server = spawn(program, parameters, { stdio: ['ignore', 'ignore', 'pipe'], ...as });
  const killAtExit = () => server.kill('SIGKILL');
  process.once('exit', killAtExit);
  server.once('exit', () => process.removeListener('exit', killAtExit));
  try {
    await untilReady(program, server, readyText);
    return server;
  } catch (error) {
    await endServer(server);
    throw error;
  }
}

async function untilReady(program: string, server: ChildProcess, readyText: string): Promise<void> {
  let log = '';
  let isUp = false;
  server.stderr?.on('data', (chunk) => {
    log = `${log}${String(chunk)}`.slice(-LOG_CHARACTERS);
    isUp ||= log.includes(readyText);
  });
  server.on('error', (error) => {
    log += error.message;
  });
  const clock = systemClock();
  for (const startMs = clock.monotonicMs(); !isUp; await clock.sleepFor(20)) {
    if (hasEnded(server)) throw new Error(`${program} ended while starting\n${log}`);
    if (clock.monotonicMs() - startMs > START_LIMIT_MS) {
      throw new Error(`${program} was not ready after ${START_LIMIT_MS} ms\n${log}`);
    }
  }
}

/** Ends a server: with a polite signal first, then by force. */
export async function endServer(server: ChildProcess, signal: 'SIGTERM' | 'SIGINT' = 'SIGTERM'): Promise<void> {
  if (hasEnded(server)) return;
  const exit = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const giveUp = new AbortController();
  server.kill(signal);
  systemClock()
    .sleepFor(STOP_LIMIT_MS, { signal: giveUp.signal })
    .then(
      () => server.kill('SIGKILL'),
      () => {},
    );
  await exit;
  giveUp.abort();
}

function hasEnded(server: ChildProcess): boolean {
  return server.pid === undefined || server.exitCode !== null || server.signalCode !== null;
}
