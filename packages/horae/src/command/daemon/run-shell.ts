import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { type Clock, HoraeError, systemClock } from '@horae/clock-store';
import { createLineSplitter } from './output-lines.js';
import { groupIsAlive, killGroup } from './process-group.js';

/** How long an aborted command has between SIGTERM and SIGKILL. */
const GRACE_MS = 5_000;
const LOOK_AGAIN_MS = 20;
/** Output is read until this long has passed without any, but no longer than `MAX_DRAIN_ROUNDS` times as long. */
const DRAIN_MS = 50;
const MAX_DRAIN_ROUNDS = 20;

/** The secrets of the scheduler itself, which commands do not inherit. */
const ownSecrets = new Set(['HORAE_TOKEN', 'HORAE_ADMIN_TOKEN']);

/** A shell command ended with an exit code other than 0, or could not be started. */
export class ShellCommandError extends HoraeError<{ command: string; exitCode: number | null; signal: string | null }> {
  readonly code = 'command-failed';
}

const running = new Set<ChildProcess>();

/**
 * Runs a command in the system's shell and resolves with its last line of output as soon as the shell has ended. An abort sends
 * SIGTERM to the command and everything it started, and SIGKILL five seconds later. A background process that the command leaves
 * behind is not waited for: it loses its output, and lives on unless the command was aborted. The environment is that of this
 * process, without the scheduler's own tokens, with `env` on top.
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
  const clock = systemClock();
  // A group of its own: an interrupt typed at the terminal reaches the daemon alone, and a kill reaches the whole group.
  const child = spawn(command, {
    shell: true,
    cwd: options.cwd,
    env: { ...inheritedEnvironment(), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  running.add(child);
  let killing: Promise<void> | null = null;
  const abort = () => {
    killing = killGently(child, clock);
  };
  options.signal.addEventListener('abort', abort, { once: true });
  let lastLine = '';
  const keep = (line: string) => {
    lastLine = line;
    options.log(line);
  };
  const outputs = [readLines(child.stdout!, keep), readLines(child.stderr!, keep)];
  try {
    const outcome = await exitOf(child);
    await drain(outputs, clock);
    await killing;
    if (outcome.exitCode === 0) return lastLine;
    throw failure(command, outcome, lastLine);
  } finally {
    running.delete(child);
    options.signal.removeEventListener('abort', abort);
  }
}

/** Ends every command at once. For a process that has received a second stop signal. */
export function killCommands(): void {
  for (const child of running) killGroup(child, 'SIGKILL');
}

function inheritedEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ownSecrets.has(name.toUpperCase())));
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

/** One output of a command while it is read. */
interface Output {
  readonly ended: Promise<void>;
  bytesRead(): number;
  close(): void;
}

function readLines(stream: Readable, take: (line: string) => void): Output {
  const lines = createLineSplitter(take);
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    lines.push(chunk);
  });
  const ended = new Promise<void>((resolve) => {
    stream.on('error', () => {}).once('close', resolve);
  });
  return {
    ended,
    bytesRead: () => bytes,
    close() {
      stream.destroy();
      lines.end();
    },
  };
}

/** Reads what the command has left in its pipes. They stay open for as long as a background process holds them, so this has a limit. */
async function drain(outputs: readonly Output[], clock: Clock): Promise<void> {
  const over = new AbortController();
  const ended = Promise.all(outputs.map((output) => output.ended)).then(() => over.abort());
  const total = () => outputs.reduce((sum, output) => sum + output.bytesRead(), 0);
  for (let round = 0; round < MAX_DRAIN_ROUNDS && !over.signal.aborted; round++) {
    const before = total();
    await clock.sleepFor(DRAIN_MS, { signal: over.signal }).catch(() => {});
    // After a stall of the event loop the time is up before the pipes were read: they get another turn.
    await clock.sleepFor(0);
    if (total() === before) break;
  }
  for (const output of outputs) output.close();
  await ended;
}

function failure(command: string, { exitCode, signal }: Outcome, lastLine: string): ShellCommandError {
  const how = signal === null ? `exit code ${exitCode}` : `ended by ${signal}`;
  return new ShellCommandError(lastLine === '' ? how : `${how}: ${lastLine}`, { command, exitCode, signal });
}

/** Resolves when nothing of the group is left, after SIGKILL at the latest. */
async function killGently(child: ChildProcess, clock: Clock): Promise<void> {
  const endMs = clock.monotonicMs() + GRACE_MS;
  killGroup(child, 'SIGTERM');
  while (groupIsAlive(child) && clock.monotonicMs() < endMs) await clock.sleepFor(LOOK_AGAIN_MS);
  if (groupIsAlive(child)) killGroup(child, 'SIGKILL');
}
