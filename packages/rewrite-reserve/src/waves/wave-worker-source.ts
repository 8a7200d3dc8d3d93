import { WORKER_PARTS } from './worker-parts.js';

/**
 * The program of a worker thread of `runWaves`. It loads the user's module, then serves waves: `{ to }` comes in, the threads draw task
 * numbers from one shared counter, so that a slow task holds up no other thread, and each sends back what it has done in one message of few
 * objects. A function that returns no promise is not waited for.
 */
export const WAVE_WORKER_SOURCE = `${WORKER_PARTS}
const { address, packed, shared, counter } = workerData;
const next = new Int32Array(counter);
const taskAt = taskReader(packed, true);
serve(address, async (execute, { to }) => {
  const done = nothingDone();
  for (let index = Atomics.add(next, 0, 1); index < to; index = Atomics.add(next, 0, 1)) {
    try {
      const value = execute(taskAt(index), shared);
      note(done, index, isThenable(value) ? await value : value);
    } catch (error) {
      noteFailure(done, index, error);
    }
  }
  return done;
});
`;
