import { packTasks } from './packed-tasks.js';
import type { Outcome, WaveRunner, WaveTask } from './wave-task.js';
import { WAVE_WORKER_SOURCE } from './wave-worker-source.js';
import { ask, forEachOutcome, startThreads } from './worker-threads.js';

/** Worker threads that have loaded the user's module. */
export interface WavePool<R> {
  readonly run: WaveRunner<R>;
  /** Ends all threads; returns when they have ended. */
  stop(): Promise<void>;
}

/** Starts `size` threads, sends every one the same packed tasks, and resolves when all are ready. */
export async function startWavePool<R>(
  address: URL,
  size: number,
  tasks: readonly WaveTask[],
  shared: SharedArrayBuffer | undefined,
): Promise<WavePool<R>> {
  const counter = new SharedArrayBuffer(4);
  const next = new Int32Array(counter);
  const workerData = { address: address.href, packed: packTasks(tasks), shared, counter };
  const { workers, stop } = await startThreads(size, WAVE_WORKER_SOURCE, address, workerData);

  async function run(wave: readonly WaveTask[]): Promise<readonly Outcome<R>[]> {
    const from = wave[0]!.index;
    Atomics.store(next, 0, from);
    // Few tasks do not wake every thread.
    const replies = await Promise.all(
      workers.slice(0, wave.length).map((worker) => ask<R>(worker, address, { to: from + wave.length })),
    );
    const outcomes: Outcome<R>[] = new Array(wave.length);
    forEachOutcome(replies, (index, outcome) => {
      outcomes[index - from] = outcome;
    });
    return outcomes;
  }

  return { run, stop };
}
