import { HEAD_WORDS, NO_RULE_ID, TASK_FORM } from './packed-tasks.js';

/**
 * The common part of the worker threads' programs, as text: they have to run from any bundle and any loader, where a file beside this one
 * may not exist. `taskReader(packed, extra)` makes the object of a task when its turn comes; `perform` calls the user's function and
 * records the outcome, waiting only for promises; `send` leaves out results that cannot leave the thread.
 */
export const WORKER_PARTS = `
const { parentPort, workerData } = require('node:worker_threads');
const nameAt = (list, at) => list.slice(at * 32, at * 32 + 32);
function taskReader({ heads, hashes, ruleIds, names, texts, paths, payloads }, withWave) {
  const idOf = (form, word) =>
    form === ${TASK_FORM.number} ? word
      : form === ${TASK_FORM.bytes} ? nameAt(names, word)
      : form === ${TASK_FORM.text} ? texts[word] : paths[word];
  return (index) => {
    const head = index * ${HEAD_WORDS};
    const forms = heads[head + 3];
    const task = {
      index,
      scopeHash: nameAt(hashes, index),
      compactRule: heads[head + 1],
      scope: { warp: idOf(forms & 3, heads[head + 4]), id: idOf(forms >> 2, heads[head + 5]) },
    };
    if (withWave) task.wave = heads[head];
    const ruleId = heads[head + 2];
    if (ruleId !== ${NO_RULE_ID}) task.ruleId = nameAt(ruleIds, ruleId);
    if (payloads !== undefined && payloads[index] !== undefined) task.payload = payloads[index];
    return task;
  };
}
const plain = (error) => {
  if (error instanceof DOMException) return new Error(error.message);
  try { structuredClone(error); return error; } catch { return new Error(String(error)); }
};
const isThenable = (value) =>
  value !== null && (typeof value === 'object' || typeof value === 'function') && typeof value.then === 'function';
const nothingDone = () => ({ kind: 'done', indices: [], values: [], failures: [] });
const note = (done, index, value) => {
  done.values.push(value);
  done.indices.push(index);
};
const noteFailure = (done, index, error) => done.failures.push({ index, error: plain(error) });
function withoutUncloneable({ kind, indices, values, failures }) {
  const sound = { kind, indices: [], values: [], failures };
  values.forEach((value, at) => {
    try {
      structuredClone(value);
      note(sound, indices[at], value);
    } catch (error) {
      noteFailure(sound, indices[at], error);
    }
  });
  return sound;
}
function send(done) {
  try {
    parentPort.postMessage(done);
  } catch {
    parentPort.postMessage(withoutUncloneable(done));
  }
}
async function serve(address, perform, prepare = () => {}) {
  try {
    const module = await import(address);
    if (typeof module.default !== 'function') throw new TypeError('its default export is not a function');
    await prepare(module);
    parentPort.on('message', async (message) => send(await perform(module.default, message)));
    parentPort.postMessage({ kind: 'ready' });
  } catch (error) {
    parentPort.postMessage({ kind: 'unusable', error: plain(error) });
  }
}
`;
