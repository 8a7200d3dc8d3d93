// Runs on worker threads. Every task folds what is in its cells into them, so that the memory tells in which order tasks that share a
// cell have run.
import { threadId } from 'node:worker_threads';

let prepared = 0;
let factor = 1;

export function setup(value) {
  if (value?.fail) throw new RangeError('setup fails');
  prepared += 1;
  factor = value?.factor ?? 1;
}

export default function execute(task, shared) {
  const { cells = [], add = [], fail, exit, uncloneable, wait } = task.payload ?? {};
  if (exit) process.exit(3);
  if (fail) throw new RangeError(`task ${task.index} fails`);
  if (uncloneable) return () => {};
  const memory = shared === undefined ? [] : new Int32Array(shared);
  const fold = () => {
    let hash = task.compactRule;
    for (const cell of cells) hash = (Math.imul(hash, 31) + memory[cell]) | 0;
    for (const cell of cells) memory[cell] = hash;
    for (const cell of add) Atomics.add(memory, cell, task.compactRule);
    return { index: task.index, rule: task.compactRule, hash, threadId, prepared, factor };
  };
  return wait ? new Promise((done) => setImmediate(() => done(fold()))) : fold();
}
