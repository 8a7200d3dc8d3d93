import type { DependencyGraph } from '../waves/dependency-graph.js';
import { failed, type Outcome, succeeded } from '../waves/wave-task.js';
import { NumberHeap } from './number-heap.js';

/**
 * Runs the tasks of a graph on this thread: each starts when all it waits for has ended, of several the first in serial order. Tasks that
 * follow from a failure are left out. Returns the outcomes in serial order, undefined for tasks that were left out.
 */
export function runHere<R>(
  graph: DependencyGraph,
  execute: (task: number) => R | Promise<R>,
): Promise<(Outcome<R> | undefined)[]> {
  const outcomes: (Outcome<R> | undefined)[] = new Array(graph.tasks).fill(undefined);
  const progress = new GraphProgress(graph);
  let running = 0;
  return new Promise((resolve) => {
    const settle = (task: number, outcome: Outcome<R>) => {
      outcomes[task] = outcome;
      progress.end(task, outcome.ok);
    };
    const settleLater = (task: number) => (outcome: Outcome<R>) => {
      running -= 1;
      settle(task, outcome);
      startReady();
    };
    const startReady = () => {
      for (let task = progress.next(); task !== undefined; task = progress.next()) {
        try {
          const value = execute(task);
          if (isThenable(value)) {
            running += 1;
            Promise.resolve(value).then(succeeded, failed).then(settleLater(task));
          } else settle(task, succeeded(value));
        } catch (error) {
          settle(task, failed(error));
        }
      }
      if (running === 0) resolve(outcomes);
    };
    startReady();
  });
}

/** The progress of a run: the tasks that are ready, and those that are left out because an earlier one failed. */
class GraphProgress {
  private readonly waitsFor: Uint32Array;
  private readonly leftOut: Uint8Array;
  private readonly ready = new NumberHeap();

  constructor(private readonly graph: DependencyGraph) {
    this.waitsFor = graph.waitsFor.slice();
    this.leftOut = new Uint8Array(graph.vertices);
    for (let task = 0; task < graph.tasks; task++) if (this.waitsFor[task] === 0) this.ready.push(task);
  }

  /** The first task in serial order that may start; undefined while there is none. */
  next(): number | undefined {
    let task = this.ready.pop();
    for (; task !== undefined && this.leftOut[task] === 1; task = this.ready.pop()) this.end(task, false);
    return task;
  }

  end(task: number, ok: boolean): void {
    const { starts, followers, tasks } = this.graph;
    if (!ok) this.leftOut[task] = 1;
    const ended = [task];
    for (let vertex = ended.pop(); vertex !== undefined; vertex = ended.pop()) {
      for (let at = starts[vertex]!; at < starts[vertex + 1]!; at++) {
        const follower = followers[at]!;
        if (this.leftOut[vertex] === 1) this.leftOut[follower] = 1;
        this.waitsFor[follower] = this.waitsFor[follower]! - 1;
        if (this.waitsFor[follower] !== 0) continue;
        if (follower < tasks) this.ready.push(follower);
        else ended.push(follower);
      }
    }
  }
}

function isThenable<R>(value: R | Promise<R>): value is Promise<R> {
  return typeof (value as Promise<R> | undefined)?.then === 'function';
}
