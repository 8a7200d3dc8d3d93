import { access } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { z } from 'zod';
import { CommandInputError } from '../frame/command-errors.js';
import { checkedText, checkedValue } from './checked-document.js';
import { readInput } from './read-input.js';

const modules = new Set(['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs']);
let loads = 0;

/** Reads and checks a YAML or JSON file, or a module's default export. Every call reads it anew. */
export async function readConfig<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  if (!modules.has(extname(path).toLowerCase())) return checkedText(await readInput(path), schema, path);
  return checkedValue(await importDefault(path, path), schema, path);
}

/** Loads the default export of a module, or the export `name`, without caching. TypeScript needs no build. */
export async function importDefault(path: string, shownAs: string, name = 'default'): Promise<unknown> {
  const absolute = resolve(path);
  try {
    await access(absolute);
  } catch {
    throw new CommandInputError(`there is no file ${shownAs}`, { hint: 'check the path', path: shownAs });
  }
  const loaded = await importFresh(absolute).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandInputError(`${shownAs} cannot be loaded: ${reason}`, {
      hint: 'run it with node to see why',
      path: shownAs,
    });
  });
  if (Object.hasOwn(loaded, name)) return loaded[name];
  const names = Object.keys(loaded).join(', ') || 'nothing';
  throw new CommandInputError(`${shownAs} has no export "${name}"; it exports ${names}`, {
    hint: name === 'default' ? 'write "export default …"' : 'check the name',
    path: shownAs,
  });
}

async function importFresh(absolute: string): Promise<Record<string, unknown>> {
  if (/\.[mc]?ts$/i.test(absolute)) {
    const { createJiti } = await import('jiti');
    return createJiti(import.meta.url, { moduleCache: false, fsCache: false }).import(absolute);
  }
  // The query makes the URL unique: the module loader never reads the same URL twice.
  return import(`${pathToFileURL(absolute).href}?load=${loads++}`);
}
