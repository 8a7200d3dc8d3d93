import type { PendingRewrite } from '../reserve/pending-rewrite.js';
import { checkOptions } from '../waves/known-options.js';
import type { Outcome } from '../waves/wave-task.js';
import { taskFields } from '../waves/wave-task.js';
import { checkThreads, importFunction } from '../waves/worker-threads.js';
import type { GraphFunction, GraphResult } from './graph-task.js';
import { startGraphThreads } from './graph-threads.js';
import { ORDER_OPTIONS, type OrderedRewrites, type OrderOptions, orderRewrites, planGraph } from './plan-graph.js';
import { runHere } from './run-here.js';

/** Options of `runGraph`. */
export interface GraphOptions extends OrderOptions {
  /** Number of worker threads, at most 256. Without it, or with 0, everything runs on this thread. */
  readonly workers?: number;
  /** Memory that every call of the function receives as its second argument. */
  readonly shared?: SharedArrayBuffer;
}

/**
 * Runs rewrites, each as soon as the earlier ones it conflicts with have ended; there is no barrier between levels. The outcome is that of
 * one thread in serial order, for every number of workers: always the canonically first rewrite (scopeHash, compactRule, position) whose
 * earlier rules are all done. `execute` is a function, or the address of a module whose default export is the function; worker threads need
 * the latter. Rewrites that follow from a failed one do not start, all others run to their end, and the promise rejects with the error of
 * the failed rewrite that is first in serial order. Phases are not touched.
 */
export async function runGraph<R>(
  rewrites: readonly PendingRewrite[],
  execute: GraphFunction<R> | URL,
  options: GraphOptions = {},
): Promise<GraphResult<R>> {
  checkOptions(options, ['workers', 'shared', ...ORDER_OPTIONS]);
  const { workers = 0, shared } = options;
  checkThreads(workers, execute, 0);
  const ordered = orderRewrites(rewrites, options);
  if (ordered.rewrites.length === 0) return { rewrites: [], results: [] };
  if (workers === 0 || !(execute instanceof URL)) {
    const run = execute instanceof URL ? await importFunction<GraphFunction<R>>(execute) : execute;
    return resultOf(ordered, await runOrdered(ordered, run, shared));
  }
  const size = Math.min(workers, ordered.rewrites.length);
  // The threads start while this one plans.
  const starting = startGraphThreads<R>({ workers: size, execute, shared });
  const graph = planGraph(ordered);
  const threads = await starting;
  try {
    return resultOf(ordered, await threads.run(ordered, graph));
  } finally {
    await threads.stop();
  }
}

/** Runs on this thread and returns the outcomes in canonical order. */
async function runOrdered<R>(
  ordered: OrderedRewrites,
  execute: GraphFunction<R>,
  shared: SharedArrayBuffer | undefined,
): Promise<(Outcome<R> | undefined)[]> {
  const { rewrites, serial } = ordered;
  const inSerialOrder = await runHere(planGraph(ordered), (task) => {
    const index = serial[task]!;
    return execute(taskFields(rewrites[index]!, index), shared);
  });
  const outcomes: (Outcome<R> | undefined)[] = new Array(rewrites.length);
  for (const [task, outcome] of inSerialOrder.entries()) outcomes[serial[task]!] = outcome;
  return outcomes;
}

/** The results in canonical order; throws the error of the first failure in serial order. */
export function resultOf<R>(
  { rewrites, serial }: OrderedRewrites,
  outcomes: readonly (Outcome<R> | undefined)[],
): GraphResult<R> {
  for (const index of serial) {
    const outcome = outcomes[index];
    if (outcome?.ok === false) throw outcome.error;
  }
  return { rewrites, results: outcomes.map((outcome) => (outcome as { value: R }).value) };
}
