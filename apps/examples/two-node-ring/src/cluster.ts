import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A part of the ring in a process of its own. */
export interface Part {
  /** What it said when it was ready. */
  readonly said: Readonly<Record<string, string>>;
  /** SIGTERM stops it in order, SIGKILL as a crash does. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

/** Starts `node.ts` or `executor.ts` and waits until it is ready. */
export async function startPart(file: 'node' | 'executor', env: Readonly<Record<string, string>>): Promise<Part> {
  const child: ChildProcess = fork(fileURLToPath(new URL(`./${file}.ts`, import.meta.url)), {
    env: { ...process.env, ...env },
    execArgv: ['--import', 'tsx'],
  });
  const exited = once(child, 'exit');
  const first = await Promise.race([once(child, 'message'), exited.then(([code]) => ({ code }))]);
  if (!Array.isArray(first)) throw new Error(`${file}.ts ended with code ${first.code} before it was ready`);
  return {
    said: first[0],
    async end(signal) {
      child.kill(signal);
      await exited;
    },
  };
}
