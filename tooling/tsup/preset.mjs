import { existsSync, readFileSync } from 'node:fs';
import { defineConfig } from 'tsup';
import { commonJsPlugin } from './commonjs.mjs';
import { entryName, nodeEntryName, subpathsForNode, subpathsOf } from './entry-points.mjs';

/**
 * The source file of each build entry, read from the exports map, so that the two cannot drift apart: `./storage` is built from
 * `src/storage.ts` or `src/storage/index.ts`.
 */
export function entriesOf(manifest, exists = existsSync) {
  return sourcesOf(subpathsOf(manifest).map(entryName), exists);
}

/** The source files of the commands: `./dist/horae.js` of `bin` is built from `src/horae.ts`. */
function commandsOf(manifest, exists = existsSync) {
  const names = Object.values(manifest.bin ?? {}).map((target) => target.replace(/^\.\/dist\/|\.js$/g, ''));
  return sourcesOf(names, exists);
}

function sourcesOf(names, exists) {
  return Object.fromEntries(
    names.map((name) => {
      const candidates = [`src/${name}.ts`, `src/${name}/index.ts`];
      const source = candidates.find((path) => exists(path));
      if (source === undefined)
        throw new Error(`the entry "${name}" has no source: looked for ${candidates.join(' and ')}`);
      return [name, source];
    }),
  );
}

/**
 * The one way a Horae package is built: ESM and CommonJS, declarations for both, shared chunks, nothing bundled in from other
 * packages. Commands are ESM alone, since nobody requires them. The sources named by `apart` are not part of `index`: they have
 * files of their own, which a bundler leaves out with everything they import when nothing of them is used.
 */
export function horaePackage({ apart = [], ...overrides } = {}) {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  const entries = entriesOf(manifest);
  const forNode = sourcesOf(subpathsForNode(manifest).map(nodeEntryName), existsSync);
  const modules = { ...entries, ...forNode, ...sourcesOf(apart, existsSync) };
  return defineConfig({
    entry: { ...modules, ...commandsOf(manifest) },
    format: ['esm', 'cjs'],
    target: 'node20',
    platform: 'neutral',
    external: [/^node:/],
    dts: { entry: entries },
    sourcemap: true,
    splitting: true,
    clean: true,
    treeshake: true,
    plugins: [commonJsPlugin()],
    esbuildOptions(options, { format }) {
      if (format === 'cjs') options.entryPoints = modules;
    },
    ...overrides,
  });
}
