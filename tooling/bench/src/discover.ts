import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BenchDefinition } from './bench.js';

/** Every `packages/<name>/test/bench/<topic>.bench.ts` (and the same under apps), sorted. */
export function benchFiles(root: string): string[] {
  const files: string[] = [];
  for (const group of ['apps', 'packages']) {
    if (!existsSync(join(root, group))) continue;
    for (const name of readdirSync(join(root, group)).sort()) {
      const folder = join(root, group, name, 'test', 'bench');
      if (!existsSync(folder)) continue;
      for (const file of readdirSync(folder).sort()) {
        if (file.endsWith('.bench.ts')) files.push(join(folder, file));
      }
    }
  }
  return files;
}

/** The definitions of one file, whose default export is one bench or a list of them. */
export async function loadBenches(file: string): Promise<BenchDefinition[]> {
  const module = (await import(pathToFileURL(file).href)) as { default?: BenchDefinition | BenchDefinition[] };
  if (module.default === undefined)
    throw new Error(`${file} has no default export: export defineBench(…) or a list of them`);
  return [module.default].flat();
}

/** Whether the bench is selected: no prefix at all, or its name begins with one of them at a slash. */
export function isAskedFor(name: string, prefixes: readonly string[]): boolean {
  return (
    prefixes.length === 0 || prefixes.some((prefix) => name === prefix || name.startsWith(prefix.replace(/\/?$/, '/')))
  );
}
