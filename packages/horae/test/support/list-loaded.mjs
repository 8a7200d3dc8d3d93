import { appendFileSync } from 'node:fs';
import Module, { register } from 'node:module';

// What is imported is seen by the hooks, what is required by the loader below, addons by the report at the end.
register(new URL('./loaded-hooks.mjs', import.meta.url));
const { _load } = Module;
Module._load = function load(request, parent, isMain) {
  appendFileSync(process.env.LOADED_LIST, `${request}\n`);
  return _load.call(this, request, parent, isMain);
};
process.on('exit', () => {
  const addons = process.report.getReport().sharedObjects.filter((path) => path.endsWith('.node'));
  appendFileSync(process.env.LOADED_LIST, addons.map((path) => `${path}\n`).join(''));
});
