import { HEAD_WORDS, NO_RULE_ID, TASK_FORM } from './packed-tasks.js';

/**
 * The program of a worker thread of `runWaves`, as text: it has to run from any bundle and any loader, where a file beside
 * this one may not exist. It loads the user's module, then serves waves: `{ to }` comes in, the threads draw task
 * numbers from one shared counter, so that a slow task holds up nobody else, and each sends back what it has done in one
 * message of few objects. A function that returns no promise is not waited for.
 */
export const WAVE_WORKER_SOURCE = `
const { parentPort, workerData } = require('node:worker_threads');
const { address, packed, shared, counter } = workerData;
const { heads, hashes, ruleIds, names, texts } = packed;
const next = new Int32Array(counter);
const nameAt = (list, at) => list.slice(at * 32, at * 32 + 32);
const idOf = (form, word) =>
  form === ${TASK_FORM.number} ? word : form === ${TASK_FORM.bytes} ? nameAt(names, word) : texts[word];
function taskAt(index) {
  const head = index * ${HEAD_WORDS};
  const forms = heads[head + 3];
  const task = {
    wave: heads[head],
    index,
    scopeHash: nameAt(hashes, index),
    compactRule: heads[head + 1],
    scope: { warp: idOf(forms & 3, heads[head + 4]), id: idOf(forms >> 2, heads[head + 5]) },
  };
  const ruleId = heads[head + 2];
  if (ruleId !== ${NO_RULE_ID}) task.ruleId = nameAt(ruleIds, ruleId);
  return task;
}
const plain = (error) => {
  if (error instanceof DOMException) return new Error(error.message);
  try { structuredClone(error); return error; } catch { return new Error(String(error)); }
};
const isThenable = (value) =>
  value !== null && (typeof value === 'object' || typeof value === 'function') && typeof value.then === 'function';
async function perform(execute, to) {
  const done = { kind: 'done', indices: [], values: [], failures: [] };
  for (let index = Atomics.add(next, 0, 1); index < to; index = Atomics.add(next, 0, 1)) {
    try {
      const value = execute(taskAt(index), shared);
      done.values.push(isThenable(value) ? await value : value);
      done.indices.push(index);
    } catch (error) {
      done.failures.push({ index, error: plain(error) });
    }
  }
  return done;
}
function withoutUncloneable({ kind, indices, values, failures }) {
  const sound = { kind, indices: [], values: [], failures };
  values.forEach((value, at) => {
    try {
      structuredClone(value);
      sound.values.push(value);
      sound.indices.push(indices[at]);
    } catch (error) {
      failures.push({ index: indices[at], error: plain(error) });
    }
  });
  return sound;
}
import(address).then(({ default: execute }) => {
  if (typeof execute !== 'function') throw new TypeError('its default export is not a function');
  parentPort.on('message', async ({ to }) => {
    const done = await perform(execute, to);
    try {
      parentPort.postMessage(done);
    } catch {
      parentPort.postMessage(withoutUncloneable(done));
    }
  });
  parentPort.postMessage({ kind: 'ready' });
}).catch((error) => parentPort.postMessage({ kind: 'unusable', error: plain(error) }));
`;
