import type { DependencyGraph } from '../waves/dependency-graph.js';

/** The entries of `control`: places of the queue drawn, places filled, and sleeping threads. */
export const CONTROL = { taken: 0, put: 1, sleepers: 2 } as const;

/** A run in memory that all threads share. Tasks are numbers in the serial order. */
export interface GraphMemory {
  /** Per task its position in the canonical order. */
  readonly serial: Int32Array;
  /** Per vertex, how many it still waits for. */
  readonly waitsFor: Int32Array;
  readonly starts: Int32Array;
  readonly followers: Int32Array;
  /** 1 for a task that follows from a failure. */
  readonly leftOut: Int32Array;
  /** Task + 1 at every place that has been filled; 0 at the others. There is one place per task. */
  readonly queue: Int32Array;
  readonly control: Int32Array;
}

/** The memory of a run that has not begun: the tasks that wait for nothing are in the queue. */
export function graphMemory(graph: DependencyGraph, serial: Uint32Array): GraphMemory {
  const memory: GraphMemory = {
    serial: sharedCopy(serial),
    waitsFor: sharedCopy(graph.waitsFor),
    starts: sharedCopy(graph.starts),
    followers: sharedCopy(graph.followers),
    leftOut: sharedWords(graph.vertices),
    queue: sharedWords(graph.tasks),
    control: sharedWords(Object.keys(CONTROL).length),
  };
  let filled = 0;
  for (let task = 0; task < graph.tasks; task++) if (graph.waitsFor[task] === 0) memory.queue[filled++] = task + 1;
  memory.control[CONTROL.put] = filled;
  return memory;
}

function sharedWords(count: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(count * 4));
}

function sharedCopy(words: Uint32Array): Int32Array {
  const copy = sharedWords(words.length);
  copy.set(words);
  return copy;
}
