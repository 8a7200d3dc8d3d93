import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** The built command. */
export const command = fileURLToPath(new URL('../../dist/horae.js', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const environment = (extra: Readonly<Record<string, string>> = {}) => ({
  ...process.env,
  TZ: 'UTC',
  NO_COLOR: '1',
  ...extra,
});

/** Runs `horae` as a child process with its output in pipes. */
export function horae(words: readonly string[], { cwd, input = '', env }: RunOptions = {}): Ended {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...words], {
    cwd,
    input,
    env: environment(env),
    encoding: 'utf8',
    timeout: 60_000,
    maxBuffer: 256 * 1024 * 1024,
  });
  return { code: status, stdout, stderr };
}

/** Runs a line of the shell in which `horae` is the command. */
export function horaeInShell(line: string, { cwd, env }: RunOptions = {}): Ended {
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', `horae() { "$NODE" "$HORAE" "$@"; }\n${line}`], {
    cwd,
    env: environment({ ...env, NODE: process.execPath, HORAE: command }),
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { code: status, stdout, stderr };
}

/** Of util-linux: runs a command on a pseudo-terminal and copies what it shows. */
const recorder = 'script';

/** Why there is no pseudo-terminal here, or undefined when there is. */
export function noTerminal(): string | undefined {
  const tried = spawnSync(recorder, ['-qec', 'true', '/dev/null'], { stdio: 'ignore', timeout: 20_000 });
  return tried.status === 0 ? undefined : 'needs "script" of util-linux for a pseudo-terminal';
}

/** Runs `horae` on a pseudo-terminal; what a person would see, both streams together. */
export function horaeOnTerminal(
  words: readonly string[],
  { cwd, env, pidFile }: RunOptions & { readonly pidFile?: string } = {},
): { code: number | null; screen: string } {
  const quoted = [process.execPath, command, ...words].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const line = `${pidFile === undefined ? '' : `echo $$ > ${pidFile}; `}exec ${quoted}`;
  const { status, stdout } = spawnSync(recorder, ['-qec', line, '/dev/null'], {
    cwd,
    env: environment(env),
    encoding: 'utf8',
    timeout: 60_000,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { code: status, screen: stdout.replaceAll('\r\n', '\n') };
}

/** A folder of its own for a test. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'horae-command-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

type LogLine = Readonly<Record<string, unknown>>;

/** A daemon under test: its JSON log, line by line. */
export interface Daemon {
  readonly child: ChildProcess;
  readonly lines: readonly LogLine[];
  /** Resolves with the first line, of those seen and those to come, that fits. Rejects when the daemon ends before. */
  line(fits: (line: LogLine) => boolean): Promise<LogLine>;
  /** Sends a signal. */
  kill(signal: NodeJS.Signals): void;
  /** Resolves when it has ended. */
  readonly ended: Promise<Ended>;
}

/** Starts a daemon; it is killed when the test ends. */
export function startDaemon(words: readonly string[], { cwd, env }: RunOptions = {}): Daemon {
  const child = spawn(process.execPath, [command, ...words], {
    cwd,
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: LogLine[] = [];
  const waiting = new Set<() => void>();
  let stdout = '';
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const output = createInterface({ input: child.stdout });
  output.on('line', (text) => {
    stdout += `${text}\n`;
    try {
      lines.push(JSON.parse(text) as LogLine);
    } catch {
      lines.push({ text });
    }
    for (const look of [...waiting]) look();
  });
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => {
      resolve({ code, stdout, stderr });
      for (const look of [...waiting]) look();
    });
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, lines, ended, kill: (signal) => void child.kill(signal), line: (fits) => firstLine(fits) };

  function firstLine(fits: (line: LogLine) => boolean): Promise<LogLine> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = lines.find(fits);
        if (found === undefined && child.exitCode === null && child.signalCode === null) return;
        waiting.delete(look);
        if (found !== undefined) resolve(found);
        else
          reject(
            new Error(
              `the daemon ended (${child.exitCode ?? child.signalCode}) before such a line\n${stdout}${stderr}`,
            ),
          );
      };
      waiting.add(look);
      look();
    });
  }
}
