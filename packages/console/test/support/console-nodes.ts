import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

interface Told {
  readonly event: string;
  readonly url?: string;
  readonly invitation?: string;
  readonly runId?: number;
}

/** A node with a console, in a process of its own. */
export interface ConsoleNode {
  readonly nodeId: string;
  readonly url: string;
  /** Does something in the process: trigger a job, write a line, end the run, stop. */
  say(message: { trigger?: number; line?: string; end?: boolean; stop?: boolean }): void;
  /** The first message of this kind, told already or not; rejects when the process ends first. */
  heard(event: string): Promise<Told>;
  kill(): Promise<void>;
  readonly ended: Promise<void>;
}

const program = fileURLToPath(new URL('./console-node.mjs', import.meta.url));

/** Starts a node; it does not outlive the running test. */
export async function startConsoleNode(database: string, nodeId: string): Promise<ConsoleNode> {
  const child = fork(program, [JSON.stringify({ database, nodeId })], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(kill);
  const heard = listenTo(child, nodeId, ended);
  const { url } = await heard('ready');
  return { nodeId, url: url!, say: (message) => void child.send(message), heard, kill, ended };
}

function listenTo(child: ChildProcess, nodeId: string, ended: Promise<void>): ConsoleNode['heard'] {
  const told: Told[] = [];
  const waiting = new Set<() => void>();
  let complaints = '';
  child.stderr!.on('data', (text) => {
    complaints = (complaints + text).slice(-2_000);
  });
  child.on('message', (message: Told) => {
    told.push(message);
    for (const look of waiting) look();
  });
  return (event) =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = told.find((message) => message.event === event);
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
      void ended.then(() => reject(new Error(`${nodeId} ended: ${complaints}`)));
    });
}
