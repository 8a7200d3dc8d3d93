import type { Worker } from 'node:worker_threads';
import { packTasks } from './packed-tasks.js';
import { WaveWorkerError } from './rewrite-errors.js';
import type { Outcome, WaveRunner, WaveTask } from './wave-task.js';
import { WAVE_WORKER_SOURCE } from './wave-worker-source.js';

/** Worker threads that have loaded the user's module. */
export interface WavePool<R> {
  readonly run: WaveRunner<R>;
  /** Ends all threads; returns when they have ended. */
  stop(): Promise<void>;
}

type Reply<R> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'unusable'; readonly error: unknown }
  | {
      readonly kind: 'done';
      /** Which tasks gave `values`. */
      readonly indices: readonly number[];
      readonly values: readonly R[];
      readonly failures: readonly { readonly index: number; readonly error: unknown }[];
    };

/**
 * Starts `size` threads, hands every one the same packed tasks, and resolves when all are ready. `node:worker_threads`
 * is loaded here and nowhere else, so that programs without workers do not need Node.
 */
export async function startWavePool<R>(
  address: URL,
  size: number,
  tasks: readonly WaveTask[],
  shared: SharedArrayBuffer | undefined,
): Promise<WavePool<R>> {
  const { Worker } = await import('node:worker_threads');
  const counter = new SharedArrayBuffer(4);
  const next = new Int32Array(counter);
  const workerData = { address: address.href, packed: packTasks(tasks), shared, counter };
  const workers = Array.from({ length: size }, () => new Worker(WAVE_WORKER_SOURCE, { eval: true, workerData }));
  // Between two waves nobody waits for a thread; its failure is then told by the exit that the next wave sees.
  for (const worker of workers) worker.on('error', () => {});
  const stop = async () => {
    await Promise.all(workers.map((worker) => worker.terminate()));
  };

  async function run(wave: readonly WaveTask[]): Promise<readonly Outcome<R>[]> {
    const from = wave[0]!.index;
    Atomics.store(next, 0, from);
    // Few tasks do not wake every thread.
    const replies = await Promise.all(
      workers.slice(0, wave.length).map((worker) => ask<R>(worker, address, { to: from + wave.length })),
    );
    const outcomes: Outcome<R>[] = new Array(wave.length);
    for (const reply of replies) {
      if (reply.kind !== 'done') continue;
      for (const [at, value] of reply.values.entries()) outcomes[reply.indices[at]! - from] = { ok: true, value };
      for (const { index, error } of reply.failures) outcomes[index - from] = { ok: false, error };
    }
    return outcomes;
  }

  try {
    await Promise.all(workers.map((worker) => ask<R>(worker, address)));
  } catch (error) {
    await stop();
    throw error;
  }
  return { run, stop };
}

/** Sends a message, if any, and waits for the thread's next word; a thread that ends instead is an error. */
function ask<R>(worker: Worker, address: URL, message?: { to: number }): Promise<Reply<R>> {
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
    if (worker.threadId === -1) fail('has ended');
    else if (message !== undefined) worker.postMessage(message);
  });
}
