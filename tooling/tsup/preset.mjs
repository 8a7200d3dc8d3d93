import { existsSync, readFileSync } from 'node:fs';
import { defineConfig } from 'tsup';

/**
 * The source file of each build entry, read from the exports map, so that the two cannot drift apart:
 * `./storage -> ./dist/storage.js` is built from `src/storage.ts` or `src/storage/index.ts`.
 */
export function entriesOf(manifest, exists = existsSync) {
  const targets = Object.values(manifest.exports ?? {})
    .map((target) => (typeof target === 'string' ? target : target.default))
    .concat(Object.values(manifest.bin ?? {}))
    .filter((target) => target?.startsWith('./dist/') && target.endsWith('.js'));
  return Object.fromEntries(
    targets.map((target) => {
      const name = target.slice('./dist/'.length, -'.js'.length);
      const candidates = [`src/${name}.ts`, `src/${name}/index.ts`];
      const source = candidates.find((path) => exists(path));
      if (source === undefined)
        throw new Error(`${target} of the exports map has no source: looked for ${candidates.join(' and ')}`);
      return [name, source];
    }),
  );
}

/** The one way a Horae package is built: ESM, declarations, shared chunks, nothing bundled in from other packages. */
export function horaePackage(overrides = {}) {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  return defineConfig({
    entry: entriesOf(manifest),
    format: 'esm',
    target: 'node20',
    platform: 'neutral',
    external: [/^node:/],
    dts: true,
    sourcemap: true,
    splitting: true,
    clean: true,
    treeshake: true,
    ...overrides,
  });
}
