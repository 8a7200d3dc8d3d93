import { RewriteArgumentError } from '../keys/rewrite-errors.js';
import type { DependencyGraph } from '../waves/dependency-graph.js';
import { type PackedTasks, packTasks } from '../waves/packed-tasks.js';
import { type Outcome, taskFields } from '../waves/wave-task.js';
import { ask, forEachOutcome, startThreads } from '../waves/worker-threads.js';
import { graphMemory } from './graph-memory.js';
import { GRAPH_WORKER_SOURCE } from './graph-worker-source.js';
import type { OrderedRewrites } from './plan-graph.js';

/** Threads that run graphs, one graph at a time. */
export interface GraphThreads<R> {
  /** Returns the outcomes in canonical order, undefined for tasks that follow from a failure. */
  run(ordered: OrderedRewrites, graph: DependencyGraph): Promise<(Outcome<R> | undefined)[]>;
  stop(): Promise<void>;
}

/** How threads are started; `setup` has the value for the module's own `setup`, if it is to be called. */
export interface GraphThreadOptions {
  readonly workers: number;
  readonly execute: URL;
  readonly setup?: { readonly value: unknown };
  readonly shared: SharedArrayBuffer | undefined;
}

export async function startGraphThreads<R>(options: GraphThreadOptions): Promise<GraphThreads<R>> {
  const { workers: size, execute: address, setup, shared } = options;
  const { workers, stop } = await startThreads(size, GRAPH_WORKER_SOURCE, address, {
    address: address.href,
    shared,
    setup,
  });

  async function run(ordered: OrderedRewrites, graph: DependencyGraph): Promise<(Outcome<R> | undefined)[]> {
    const outcomes: (Outcome<R> | undefined)[] = new Array(graph.tasks).fill(undefined);
    if (graph.tasks === 0) return outcomes;
    const packed = packTasks(ordered.rewrites.map((rewrite, index) => taskFields(rewrite, index)));
    const message = { packed, memory: graphMemory(graph, ordered.serial), tasks: graph.tasks };
    const replies = workers.slice(0, graph.tasks).map((worker) => ask<R>(worker, address, message));
    try {
      forEachOutcome(await Promise.all(replies), (index, outcome) => {
        outcomes[index] = outcome;
      });
    } catch (error) {
      throw uncloneablePayload(packed, error) ?? error;
    }
    return outcomes;
  }

  return { run, stop };
}

/** A payload that cannot go to a thread stops the message to every thread, before anything has begun; this names it. */
function uncloneablePayload({ payloads }: PackedTasks, cause: unknown): RewriteArgumentError | undefined {
  if (!(cause instanceof DOMException)) return undefined;
  const index = payloads?.findIndex((payload) => !isCloneable(payload)) ?? -1;
  if (index === -1) return undefined;
  const text = `The payload of the rewrite at position ${index} of the canonical order cannot be cloned for a worker thread`;
  return new RewriteArgumentError(text, { field: 'payload', value: payloads![index] }, { cause });
}

function isCloneable(value: unknown): boolean {
  try {
    structuredClone(value);
    return true;
  } catch {
    return false;
  }
}
