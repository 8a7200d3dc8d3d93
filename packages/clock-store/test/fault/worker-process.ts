import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** A process of its own that runs one of the scripts in `workers/` and talks in messages. */
export interface Worker {
  readonly child: ChildProcess;
  send(message: unknown): void;
  /** The next message. Rejects when the process ends instead. */
  receive(): Promise<unknown>;
  /** Ends the process at once, as a loss of power does to it. */
  kill(): Promise<void>;
}

/** Starts `workers/<script>`; it does not outlive the running test. */
export function startWorker(script: string, parameters: readonly string[] = []): Worker {
  const path = fileURLToPath(new URL(`./workers/${script}`, import.meta.url));
  const child = fork(path, parameters, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], execArgv: [] });
  const messages: unknown[] = [];
  const waiting: { resolve(message: unknown): void; reject(error: Error): void }[] = [];
  let errorText = '';
  child.stderr?.on('data', (chunk) => {
    errorText += String(chunk);
  });
  child.on('message', (message) => {
    const first = waiting.shift();
    if (first === undefined) messages.push(message);
    else first.resolve(message);
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  child.once('close', () => {
    for (const { reject } of waiting.splice(0)) reject(new Error(`${script} ended: ${errorText}`));
  });
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(kill);
  return {
    child,
    send: (message) => void child.send(message as string),
    receive: () =>
      messages.length > 0
        ? Promise.resolve(messages.shift())
        : new Promise((resolve, reject) => waiting.push({ resolve, reject })),
    kill,
  };
}
