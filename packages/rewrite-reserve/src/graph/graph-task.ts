import type { PendingRewrite } from '../reserve/pending-rewrite.js';
import type { RewriteTask } from '../waves/wave-task.js';

/** A task of `runGraph`, of a pool or of `runOptimistic`. */
export type GraphTask = RewriteTask;

/** Carries out one rewrite. `shared` is the memory passed to `runGraph` or the pool, the same on every thread. */
export type GraphFunction<R> = (task: GraphTask, shared?: SharedArrayBuffer) => R | Promise<R>;

/** The rewrites in canonical order (scopeHash, compactRule, position) and the result of each. */
export interface GraphResult<R> {
  readonly rewrites: readonly PendingRewrite[];
  readonly results: readonly R[];
}
