import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { HoraeError, systemClock } from '@horae/clock-store';

const GRACE_MS = 5_000;
const MOST_LINE = 8_192;

/** A shell command ended with something else than 0, or could not be started. */
export class ShellCommandError extends HoraeError<{ command: string; exitCode: number | null; signal: string | null }> {
  readonly code = 'command-failed';
}

const running = new Set<ChildProcess>();

/**
 * Runs a command in the system's shell and resolves with its last line of output. An abort sends SIGTERM to the command and
 * everything it started, and SIGKILL five seconds later. Its environment is that of the process with `env` on top.
 */
export async function runShell(
  command: string,
  options: {
    readonly cwd?: string | undefined;
    readonly env: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
    log(line: string): void;
  },
): Promise<string> {
  options.signal.throwIfAborted();
  // A group of its own: an interrupt typed at the terminal reaches the daemon alone, and a kill reaches the whole group.
  const child = spawn(command, {
    shell: true,
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  running.add(child);
  const ended = new AbortController();
  const end = () => void killGently(child, ended.signal);
  options.signal.addEventListener('abort', end, { once: true });
  let lastLine = '';
  const keep = (line: string) => {
    lastLine = line;
    options.log(line);
  };
  try {
    const [outcome] = await Promise.all([exitOf(child), eachLine(child.stdout!, keep), eachLine(child.stderr!, keep)]);
    if (outcome.exitCode === 0) return lastLine;
    throw failure(command, outcome, lastLine);
  } finally {
    running.delete(child);
    ended.abort();
    options.signal.removeEventListener('abort', end);
  }
}

/** Ends every command at once. For a process that was told twice to stop. */
export function killCommands(): void {
  for (const child of running) send(child, 'SIGKILL');
}

interface Outcome {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

function exitOf(child: ChildProcess): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
  });
}

async function eachLine(stream: Readable, take: (line: string) => void): Promise<void> {
  for await (const line of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line !== '') take(line.length > MOST_LINE ? `${line.slice(0, MOST_LINE)}…` : line);
  }
}

function failure(command: string, { exitCode, signal }: Outcome, lastLine: string): ShellCommandError {
  const how = signal === null ? `exit code ${exitCode}` : `ended by ${signal}`;
  return new ShellCommandError(lastLine === '' ? how : `${how}: ${lastLine}`, { command, exitCode, signal });
}

async function killGently(child: ChildProcess, ended: AbortSignal): Promise<void> {
  send(child, 'SIGTERM');
  await systemClock()
    .sleepFor(GRACE_MS, { signal: ended })
    .then(
      () => send(child, 'SIGKILL'),
      () => {},
    );
}

function send(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (process.platform === 'win32' || child.pid === undefined) child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // It has ended in the meantime.
  }
}
