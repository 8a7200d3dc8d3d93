import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@horae/clock-store';
import { onTestFinished } from 'vitest';

/** What a node in a process of its own tells. */
export interface NodeMessage {
  readonly event: string;
  readonly runId?: number;
  readonly jobId?: number;
  readonly buckets?: number;
  readonly reason?: string;
  readonly level?: string;
  readonly tookMs?: number;
  /** When the message came, in elapsed time of the test. */
  readonly heardMs?: number;
}

/** A node in a process of its own. */
export interface NodeProcess {
  readonly nodeId: string;
  readonly child: ChildProcess;
  readonly told: NodeMessage[];
  /** Resolves with the first message, told already or not, that is wanted. Rejects when the process ends first. */
  until(isWanted: (message: NodeMessage) => boolean): Promise<NodeMessage>;
  kill(): Promise<void>;
}

export const clock = systemClock();

/** Starts a node; it does not outlive the running test. */
export function startNodeProcess(
  options: {
    database: string;
    claim: string;
    nodeId: string;
    moment?: object;
    handlers?: readonly string[];
    misfireMs?: number;
  },
  name = 'ring-node.mjs',
  /** That of the test's context where tests run side by side. */
  whenFinished: (clean: () => Promise<void>) => void = onTestFinished,
): NodeProcess {
  const program = fileURLToPath(new URL(`../fault/processes/${name}`, import.meta.url));
  const child = fork(program, [JSON.stringify(options)], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], execArgv: [] });
  const told: NodeMessage[] = [];
  const waiting = new Set<{ tell(message: NodeMessage): void; end(): void }>();
  let complaints = '';
  child.stderr!.on('data', (text) => {
    complaints = (complaints + text).slice(-2_000);
  });
  child.on('message', (given: NodeMessage) => {
    const message = { ...given, heardMs: clock.monotonicMs() };
    told.push(message);
    for (const each of waiting) each.tell(message);
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  void ended.then(() => {
    for (const each of waiting) each.end();
  });
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  whenFinished(kill);
  return {
    nodeId: options.nodeId,
    child,
    told,
    kill,
    until: (isWanted) =>
      new Promise((resolve, reject) => {
        const found = told.find(isWanted);
        if (found !== undefined) return resolve(found);
        const each = {
          tell(message: NodeMessage) {
            if (!isWanted(message)) return;
            waiting.delete(each);
            resolve(message);
          },
          end: () => reject(new Error(`${options.nodeId} ended: ${complaints}`)),
        };
        waiting.add(each);
      }),
  };
}
