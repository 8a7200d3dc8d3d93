import type { Worker } from 'node:worker_threads';
import { RewriteArgumentError, WaveWorkerError } from '../keys/rewrite-errors.js';
import { failed, type Outcome, succeeded } from './wave-task.js';

/** The most threads that a run or a pool may have. */
export const MAX_WORKERS = 256;

/** The messages of a thread. */
export type Reply<R> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'unusable'; readonly error: unknown }
  | {
      readonly kind: 'done';
      /** The tasks that returned `values`. */
      readonly indices: readonly number[];
      readonly values: readonly R[];
      readonly failures: readonly { readonly index: number; readonly error: unknown }[];
    };

/** Threads that have loaded the user's module. */
export interface StartedThreads {
  readonly workers: readonly Worker[];
  /** Ends all threads; returns when they have ended. */
  stop(): Promise<void>;
}

/**
 * Starts threads that run a program, and resolves when all of them are ready. `node:worker_threads` is loaded here and nowhere
 * else, so that programs without workers do not need Node.
 */
export async function startThreads(
  size: number,
  source: string,
  address: URL,
  workerData: object,
): Promise<StartedThreads> {
  const { Worker } = await import('node:worker_threads');
  const workers = Array.from({ length: size }, () => new Worker(source, { eval: true, workerData }));
  // Between two runs nothing waits for a thread; the next run notices its failure by the exit.
  for (const worker of workers) worker.on('error', () => {});
  const stop = async () => {
    await Promise.all(workers.map((worker) => worker.terminate()));
  };
  try {
    await Promise.all(workers.map((worker) => ask(worker, address)));
  } catch (error) {
    await stop();
    throw error;
  }
  return { workers, stop };
}

/** Visits the outcome of every task that the threads have run. */
export function forEachOutcome<R>(
  replies: readonly Reply<R>[],
  visit: (index: number, outcome: Outcome<R>) => void,
): void {
  for (const reply of replies) {
    if (reply.kind !== 'done') continue;
    for (const [at, value] of reply.values.entries()) visit(reply.indices[at]!, succeeded(value));
    for (const { index, error } of reply.failures) visit(index, failed(error));
  }
}

/** Throws unless `workers` is a number of threads, and `execute` a module where threads need one. */
export function checkThreads(workers: unknown, execute: unknown, fewest: number): void {
  if (!Number.isInteger(workers) || (workers as number) < fewest || (workers as number) > MAX_WORKERS) {
    throw badArgument('workers', workers, `an integer from ${fewest} to ${MAX_WORKERS}`);
  }
  if (!(execute instanceof URL) && ((workers as number) > 0 || typeof execute !== 'function')) {
    throw badArgument('execute', execute, 'the URL of a module when there are workers, otherwise a function or a URL');
  }
}

/** The default export of a module, which must be a function. */
export async function importFunction<F>(address: URL): Promise<F> {
  const module = (await import(address.href)) as { default?: unknown };
  if (typeof module.default === 'function') return module.default as F;
  throw badArgument('execute', address.href, 'a module whose default export is a function');
}

function badArgument(field: string, value: unknown, wanted: string): RewriteArgumentError {
  return new RewriteArgumentError(`${field} must be ${wanted}`, { field, value });
}

/** Sends a message, if any, and waits for the thread's next message; a thread that ends instead is an error. */
export function ask<R>(worker: Worker, address: URL, message?: object): Promise<Reply<R>> {
  return new Promise((resolve, reject) => {
    const fail = (why: string, cause?: unknown) => {
      settle();
      const text = `A worker thread running ${address.href} ${why}`;
      reject(new WaveWorkerError(text, { module: address.href }, { cause }));
    };
    const onMessage = (reply: Reply<R>) => {
      if (reply.kind === 'unusable') return fail('could not load the module', reply.error);
      settle();
      resolve(reply);
    };
    const onError = (error: unknown) => fail('failed', error);
    const onExit = (code: number) => fail(`ended with code ${code} before it had answered`);
    const settle = () => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
    };
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    // A thread that has already ended has no number left and will never answer.
    if (worker.threadId === -1) return fail('has ended');
    try {
      if (message !== undefined) worker.postMessage(message);
    } catch (error) {
      settle();
      reject(error);
    }
  });
}
