import { createInterner, openInterner } from '../intern/interner.js';
import { RewriteArgumentError, RewritePoolStoppedError } from '../keys/rewrite-errors.js';
import type { PendingRewrite } from '../reserve/pending-rewrite.js';
import { checkOptions } from '../waves/known-options.js';
import { checkThreads } from '../waves/worker-threads.js';
import type { GraphResult } from './graph-task.js';
import { type GraphThreads, startGraphThreads } from './graph-threads.js';
import { ORDER_OPTIONS, type OrderOptions, orderRewrites, planGraph } from './plan-graph.js';
import { resultOf } from './run-graph.js';

/** Options of `createRewritePool`. */
export interface RewritePoolOptions {
  /** Number of worker threads, 1 to 256. All of them start at once and live until `stop()`. */
  readonly workers: number;
  /** The address of a module whose default export carries out a rewrite, as for `runGraph`. */
  readonly execute: URL;
  /** If the module exports `setup`, every thread calls it once with this value, cloned, before its first task. */
  readonly setup?: unknown;
  /** Memory that every call of the function receives as its second argument. */
  readonly shared?: SharedArrayBuffer;
}

/** Worker threads that stay alive between runs. */
export interface RewritePool<R> extends AsyncDisposable {
  /** `runGraph` on the threads of the pool. Concurrent calls run one after the other. */
  run(rewrites: readonly PendingRewrite[], options?: OrderOptions): Promise<GraphResult<R>>;
  /** Ends the threads when the runs called before have ended. May be called twice; a later run rejects with 'pool-stopped'. */
  stop(): Promise<void>;
}

/** Starts the threads of a pool and resolves when all have loaded the module and set it up. */
export async function createRewritePool<R>(options: RewritePoolOptions): Promise<RewritePool<R>> {
  checkOptions(options, ['workers', 'execute', 'setup', 'shared']);
  const { workers, execute, setup, shared } = options;
  checkThreads(workers, execute, 1);
  try {
    return new ThreadPool(await startGraphThreads<R>({ workers, execute, setup: { value: setup }, shared }));
  } catch (cause) {
    if (!(cause instanceof DOMException)) throw cause;
    const text = 'setup cannot be cloned for the worker threads';
    throw new RewriteArgumentError(text, { field: 'setup', value: setup }, { cause });
  }
}

/** Keys seen by a pool before it forgets them: their numbers are worth keeping from run to run, not for ever. */
const MAX_KEYS = 2 ** 20;

class ThreadPool<R> implements RewritePool<R> {
  private interner = openInterner(createInterner());
  private latest: Promise<unknown> = Promise.resolve();
  private stopping: Promise<void> | undefined;

  constructor(private readonly threads: GraphThreads<R>) {}

  async run(rewrites: readonly PendingRewrite[], options: OrderOptions = {}): Promise<GraphResult<R>> {
    if (this.stopping !== undefined) throw new RewritePoolStoppedError('The pool has been stopped: create another', {});
    checkOptions(options, ORDER_OPTIONS);
    const ordered = orderRewrites(rewrites, options);
    if (this.interner.size > MAX_KEYS) this.interner = openInterner(createInterner());
    const graph = planGraph(ordered, this.interner);
    const outcomes = this.latest.then(() => this.threads.run(ordered, graph));
    this.latest = outcomes.catch(() => {});
    return resultOf(ordered, await outcomes);
  }

  stop(): Promise<void> {
    this.stopping ??= this.latest.then(() => this.threads.stop());
    return this.stopping;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
