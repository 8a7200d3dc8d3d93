import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

interface Manifest {
  name: string;
  private?: boolean;
  exports?: Record<string, string | { default?: string; import?: unknown }>;
}

/** The source file behind each address under which a published package can be imported: `@horae/time-ring/testing`. */
export function entryPoints(): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of readdirSync(join(root, 'packages')).sort()) {
    const folder = join(root, 'packages', name);
    if (!existsSync(join(folder, 'package.json'))) continue;
    const manifest: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    // The umbrella re-exports the others: its names are theirs.
    if (manifest.private === true || manifest.name === 'horae') continue;
    for (const [subpath, target] of Object.entries(manifest.exports ?? {})) {
      if (typeof target === 'string') continue;
      found.set(`${manifest.name}${subpath.slice(1)}`, sourceOf(folder, builtFile(target)));
    }
  }
  return found;
}

/** The file of the build that a target of an exports map names, however its conditions are nested. */
function builtFile(target: unknown): string {
  if (typeof target === 'string') return target;
  const { import: esm, default: other } = target as { import?: unknown; default?: unknown };
  return builtFile(esm ?? other);
}

function sourceOf(folder: string, built: string): string {
  const stem = built.replace('./dist/', 'src/').replace(/\.[cm]?js$/, '');
  const source = [`${stem}.ts`, `${stem}/index.ts`].map((path) => join(folder, path)).find((path) => existsSync(path));
  if (source === undefined) throw new Error(`No source of ${built} in ${folder}`);
  return source;
}
