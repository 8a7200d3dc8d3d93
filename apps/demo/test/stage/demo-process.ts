import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The built server as a person starts it: a process of its own on a database file of its own. */
export interface DemoProcess {
  readonly address: string;
  readonly port: number;
  readonly database: string;
  /** Everything it has printed. */
  output(): string;
  /** Resolves when that text has been printed. */
  printed(text: string): Promise<void>;
  /** Ends it as Ctrl-C does, or without mercy; gives the exit code. */
  end(signal?: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

const program = fileURLToPath(new URL('../../dist/server.js', import.meta.url));

/** Runs the server with these arguments until it has said where it is. */
export async function startDemoProcess(args: readonly string[] = [], database = newDatabase()): Promise<DemoProcess> {
  const child = spawn(process.execPath, [program, '--database', database, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printer = follow(child);
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const match = await printer.printed(/Horae is at (http:\/\/\S+:(\d+)\/)/);
  return {
    address: match[1]!,
    port: Number(match[2]),
    database,
    output: printer.output,
    printed: async (text) => void (await printer.printed(text)),
    end(signal = 'SIGINT') {
      child.kill(signal);
      return ended;
    },
  };
}

/** Runs the server to its end; for command lines that are refused. */
export async function runToEnd(args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const printer = follow(child);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output: printer.output() };
}

const folders: string[] = [];

function removeFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

/** A file that does not exist yet, in a folder of its own. */
export function newDatabase(): string {
  const folder = mkdtempSync(join(tmpdir(), 'horae-demo-'));
  if (folders.length === 0) process.once('exit', removeFolders);
  folders.push(folder);
  return join(folder, 'demo.db');
}

function follow(child: ChildProcess) {
  let text = '';
  const waiting = new Set<() => void>();
  const take = (chunk: Buffer) => {
    text += String(chunk);
    for (const look of waiting) look();
  };
  child.stdout!.on('data', take);
  child.stderr!.on('data', take);
  const printed = (wanted: RegExp | string) =>
    new Promise<readonly string[]>((resolve, reject) => {
      const look = () => {
        const found = typeof wanted === 'string' ? (text.includes(wanted) ? [wanted] : null) : wanted.exec(text);
        if (found === null) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      child.once('close', () => reject(new Error(`It ended without printing ${wanted}. It printed:\n${text}`)));
      look();
    });
  return { output: () => text, printed };
}
