import { WORKER_PARTS } from '../waves/worker-parts.js';
import { CONTROL } from './graph-memory.js';

/** How often a thread polls an empty place of the queue before it sleeps: some microseconds, about what waking it up takes. */
const LOOKS = 2000;

/**
 * The program of a worker thread of `runGraph` and of a pool. The threads share one queue, in which every task comes up exactly once, when
 * all it waits for has ended. A thread draws the number of a place and waits until there is a task at it; the thread that ends a task puts
 * the tasks into the queue that have nothing left to wait for. No other thread takes part, so that a task costs no message.
 */
export const GRAPH_WORKER_SOURCE = `${WORKER_PARTS}
const { address, shared, setup } = workerData;
function takeFrom({ queue, control }, tasks) {
  const place = Atomics.add(control, ${CONTROL.taken}, 1);
  if (place >= tasks) return -1;
  let entry = Atomics.load(queue, place);
  for (let looks = 0; entry === 0 && looks < ${LOOKS}; looks++) entry = Atomics.load(queue, place);
  while (entry === 0) {
    Atomics.add(control, ${CONTROL.sleepers}, 1);
    Atomics.wait(queue, place, 0);
    Atomics.sub(control, ${CONTROL.sleepers}, 1);
    entry = Atomics.load(queue, place);
  }
  return entry - 1;
}
function putInto({ queue, control }, task) {
  const place = Atomics.add(control, ${CONTROL.put}, 1);
  Atomics.store(queue, place, task + 1);
  if (Atomics.load(control, ${CONTROL.sleepers}) > 0) Atomics.notify(queue, place);
}
function end(memory, tasks, task, ok) {
  const { waitsFor, starts, followers, leftOut } = memory;
  if (!ok) Atomics.store(leftOut, task, 1);
  const ended = [task];
  for (let vertex = ended.pop(); vertex !== undefined; vertex = ended.pop()) {
    const isLeftOut = Atomics.load(leftOut, vertex) === 1;
    for (let at = starts[vertex]; at < starts[vertex + 1]; at++) {
      const follower = followers[at];
      if (isLeftOut) Atomics.store(leftOut, follower, 1);
      if (Atomics.sub(waitsFor, follower, 1) !== 1) continue;
      if (follower < tasks) putInto(memory, follower);
      else ended.push(follower);
    }
  }
}
async function perform(execute, { packed, memory, tasks }) {
  const done = nothingDone();
  const taskAt = taskReader(packed, false);
  for (let task = takeFrom(memory, tasks); task !== -1; task = takeFrom(memory, tasks)) {
    const index = memory.serial[task];
    let ok = Atomics.load(memory.leftOut, task) === 0;
    if (ok) {
      try {
        const value = execute(taskAt(index), shared);
        note(done, index, isThenable(value) ? await value : value);
      } catch (error) {
        noteFailure(done, index, error);
        ok = false;
      }
    }
    end(memory, tasks, task, ok);
  }
  return done;
}
serve(address, perform, async (module) => {
  if (setup !== undefined && typeof module.setup === 'function') await module.setup(setup.value);
});
`;
