/**
 * The program of a worker thread of `runWaves`, as text: it has to run from any bundle and any loader, where a file beside
 * this one may not exist. It loads the user's module, then serves waves: `{ to }` comes in, the threads draw task
 * numbers from one shared counter, so that a slow task holds up nobody else, and each sends back what it has done.
 */
export const WAVE_WORKER_SOURCE = `
const { parentPort, workerData } = require('node:worker_threads');
const { address, tasks, shared, counter } = workerData;
const next = new Int32Array(counter);
const plain = (error) => {
  if (error instanceof DOMException) return new Error(error.message);
  try { structuredClone(error); return error; } catch { return new Error(String(error)); }
};
const cloneable = (outcome) => {
  try { structuredClone(outcome); return outcome; } catch (error) {
    return { index: outcome.index, ok: false, error: plain(error) };
  }
};
async function perform(execute, index) {
  try {
    return { index, ok: true, value: await execute(tasks[index], shared) };
  } catch (error) {
    return { index, ok: false, error: plain(error) };
  }
}
import(address).then(({ default: execute }) => {
  if (typeof execute !== 'function') throw new TypeError('its default export is not a function');
  parentPort.on('message', async ({ to }) => {
    const done = [];
    for (let index = Atomics.add(next, 0, 1); index < to; index = Atomics.add(next, 0, 1)) {
      done.push(await perform(execute, index));
    }
    try {
      parentPort.postMessage({ kind: 'done', done });
    } catch {
      parentPort.postMessage({ kind: 'done', done: done.map(cloneable) });
    }
  });
  parentPort.postMessage({ kind: 'ready' });
}).catch((error) => parentPort.postMessage({ kind: 'unusable', error: plain(error) }));
`;
