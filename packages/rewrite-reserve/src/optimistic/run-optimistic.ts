import type { World } from '../check/world.js';
import { footprint } from '../footprint/footprint.js';
import type { Footprint } from '../footprint/footprint-sets.js';
import type { GraphTask } from '../graph/graph-task.js';
import { RewriteArgumentError } from '../keys/rewrite-errors.js';
import { inCanonicalOrder } from '../reserve/pending-queue.js';
import { checkRewrite, type PendingRewrite } from '../reserve/pending-rewrite.js';
import { taskFields } from '../waves/wave-task.js';
import { OptimisticQueue } from './optimistic-queue.js';

/** A rewrite without a declared footprint. */
export type UndeclaredRewrite = Omit<PendingRewrite, 'footprint'>;

/** Carries out one rewrite on the world that it receives. It may be called again for the same rewrite. */
export type OptimisticFunction<R> = (task: GraphTask, world: World) => R | Promise<R>;

/** Options of `runOptimistic`. */
export interface OptimisticOptions {
  /** The world that the rewrites work on. */
  readonly world: World;
  /** How many rewrites may be under way before the first of them is validated: 1 to 65,536, 16 by default. */
  readonly concurrency?: number;
}

/** The rewrites in canonical order with their results and what each has touched, and how many runs had to be repeated. */
export interface OptimisticResult<R> {
  readonly rewrites: readonly UndeclaredRewrite[];
  readonly results: readonly R[];
  readonly footprints: readonly Footprint[];
  /** `rewrites.length + repeats`. */
  readonly runs: number;
  readonly repeats: number;
}

const DEFAULT_CONCURRENCY = 16;
const MAX_CONCURRENCY = 65_536;
const NOTHING = footprint();

/**
 * Runs rewrites whose footprints cannot be declared. Several run at once, each on a view of the world that keeps its changes; they are
 * validated in canonical order, and a run that has read what an earlier one has changed since is repeated. The world sees the changes of
 * valid runs only, in canonical order, and ends as after running all of them one by one. A rewrite runs at most three times. When a valid
 * run throws, its changes so far are made, as one thread would have made them, nothing after it is done, and the promise rejects with what
 * it threw. Results and errors of runs that were repeated are discarded.
 */
export async function runOptimistic<R>(
  rewrites: readonly UndeclaredRewrite[],
  execute: OptimisticFunction<R>,
  { world, concurrency = DEFAULT_CONCURRENCY }: OptimisticOptions,
): Promise<OptimisticResult<R>> {
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > MAX_CONCURRENCY) {
    throw badArgument('concurrency', concurrency, `an integer from 1 to ${MAX_CONCURRENCY}`);
  }
  if (typeof execute !== 'function') throw badArgument('execute', execute, 'a function');
  if (typeof world?.read !== 'function' || typeof world.write !== 'function') {
    throw badArgument('world', world, 'an object with read and write');
  }
  for (const rewrite of rewrites) checkRewrite({ ...rewrite, footprint: NOTHING });
  const ordered = inCanonicalOrder(rewrites);
  const queue = new OptimisticQueue<R>(ordered.length, world, concurrency, (index, view) =>
    execute(taskFields(ordered[index]!, index), view),
  );
  const { results, touched, repeats } = await queue.run();
  return {
    rewrites: ordered,
    results,
    footprints: touched.map((keys) => footprint(keys.sets)),
    runs: ordered.length + repeats,
    repeats,
  };
}

function badArgument(field: string, value: unknown, wanted: string): RewriteArgumentError {
  return new RewriteArgumentError(`${field} must be ${wanted}, got ${String(value)}`, { field, value });
}
