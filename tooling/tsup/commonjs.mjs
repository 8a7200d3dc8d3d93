/**
 * Prepares a module for its translation to CommonJS, where two things have no equal. Dynamic imports of named modules become
 * `require`: a `import()` that stays would fail in Jest, whose modules run in a VM context. Imports of computed addresses stay,
 * since those name files of the user.
 */
export function forCommonJs(code) {
  return code
    .replace(/\bimport\("(\.[^"]+)"\)/g, 'Promise.resolve().then(() => require("$1"))')
    .replace(/\bimport\("([^"]+)"\)/g, 'Promise.resolve().then(() => asNamespace(require("$1")))')
    .replaceAll('import.meta.url', 'require("node:url").pathToFileURL(__filename).href')
    .replace(/^(?=[\s\S]*\basNamespace\(require\()/, AS_NAMESPACE);
}

/** What Node's `import()` makes of a CommonJS module: its exports, and all of them again as `default`. On one line: source maps. */
const AS_NAMESPACE = 'const asNamespace = (found) => Object.create(found, { default: { value: found } }); ';

/** A tsup plugin that does so to every file of the CommonJS build, before tsup translates its imports and exports. */
export function commonJsPlugin() {
  return {
    name: 'horae-commonjs',
    renderChunk(code, info) {
      if (this.format !== 'cjs' || info.type !== 'chunk' || !info.path.endsWith('.cjs')) return;
      return { code: forCommonJs(code), map: info.map };
    },
  };
}
