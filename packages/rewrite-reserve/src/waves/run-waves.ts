import type { Wave } from './plan-waves.js';
import { startWavePool } from './wave-pool.js';
import { failed, type Outcome, succeeded, tasksOf, type WaveFunction, type WaveRunner } from './wave-task.js';
import { checkThreads, importFunction } from './worker-threads.js';

/** Options of `runWaves`. */
export interface RunWavesOptions {
  /** Number of worker threads, at most 256. Without it, or with 0, everything runs on this thread. */
  readonly workers?: number;
  /** Memory that every call of the function receives as its second argument. */
  readonly shared?: SharedArrayBuffer;
}

/**
 * Runs waves one after the other, the rewrites of one wave at the same time, and returns the results in the order of `waves.flat()`,
 * whichever ended first. `execute` is a function, or the address of a module whose default export is the function; worker threads need the
 * latter. When something fails the rest of its wave still ends, no later wave begins, and the promise rejects with the error of the first
 * failed rewrite in order.
 */
export async function runWaves<R>(
  waves: readonly Wave[],
  execute: WaveFunction<R> | URL,
  { workers = 0, shared }: RunWavesOptions = {},
): Promise<R[]> {
  checkThreads(workers, execute, 0);
  const tasks = tasksOf(waves);
  const widest = tasks.reduce((most, wave) => Math.max(most, wave.length), 0);
  if (widest === 0) return [];
  if (workers === 0 || !(execute instanceof URL)) {
    const run = execute instanceof URL ? await importFunction<WaveFunction<R>>(execute) : execute;
    return runAll(tasks, (wave) => runHere(wave, run, shared));
  }
  const pool = await startWavePool<R>(execute, Math.min(workers, widest), tasks.flat(), shared);
  try {
    return await runAll(tasks, pool.run);
  } finally {
    await pool.stop();
  }
}

async function runAll<R, T extends Parameters<WaveRunner<R>>[0]>(
  waves: readonly T[],
  run: WaveRunner<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (const wave of waves) {
    if (wave.length === 0) continue;
    for (const outcome of await run(wave)) {
      if (!outcome.ok) throw outcome.error;
      results.push(outcome.value);
    }
  }
  return results;
}

async function runHere<R>(
  tasks: Parameters<WaveRunner<R>>[0],
  execute: WaveFunction<R>,
  shared: SharedArrayBuffer | undefined,
): Promise<readonly Outcome<R>[]> {
  const started = tasks.map((task): Outcome<R> | Promise<Outcome<R>> => {
    try {
      const value = execute(task, shared);
      return value instanceof Promise ? value.then(succeeded, failed) : succeeded(value);
    } catch (error) {
      return failed(error);
    }
  });
  return Promise.all(started);
}
