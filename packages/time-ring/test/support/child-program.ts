import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { eventually } from './network-stage.js';

/** What a program says over its channel. */
export interface Told {
  readonly event: string;
  readonly [fact: string]: unknown;
}

/** Starts a program of test/story/processes in a folder of its own; it is killed when the test is over. */
export async function childProgram(name: string, options: object) {
  const folder = await mkdtemp(join(tmpdir(), 'horae-process-'));
  const program = fileURLToPath(new URL(`../story/processes/${name}`, import.meta.url));
  const child = fork(program, [JSON.stringify(options)], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let complaints = '';
  child.stderr!.on('data', (text) => {
    complaints = (complaints + text).slice(-2_000);
  });
  const told: Told[] = [];
  child.on('message', (message) => void told.push(message as Told));
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const kill = async (signal: NodeJS.Signals = 'SIGKILL') => {
    child.kill(signal);
    await exited;
  };
  onTestFinished(async () => {
    await kill();
    await rm(folder, { recursive: true, force: true });
  });
  const until = (isIt: (told: Told) => boolean) =>
    eventually(() => {
      const found = told.find(isIt);
      if (found !== undefined) return found;
      if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}: ${complaints}`);
      throw new Error(`${name} told only ${JSON.stringify(told)}`);
    });
  const ready = await until(({ event }) => event === 'ready');
  return { child, told, until, kill, ready, say: (message: object) => void child.send(message) };
}
