import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { command, scratchFolder } from '../support/run-horae.js';

const hooks = new URL('../support/list-loaded.mjs', import.meta.url).href;
const here = fileURLToPath(new URL('../../', import.meta.url));

/** Runs node with `words` and gives the names of the packages it loaded, and its addons. */
function loadedBy(words: readonly string[]): { packages: string[]; addons: string[] } {
  const list = join(scratchFolder(), 'loaded.txt');
  execFileSync(process.execPath, ['--import', hooks, ...words], {
    cwd: here,
    env: { ...process.env, LOADED_LIST: list },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const loaded = readFileSync(list, 'utf8').trim().split('\n');
  const names = loaded.flatMap((address) => {
    const workspace = /\/packages\/([^/]+)\/dist\//.exec(address)?.[1];
    const installed = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(address)?.[1];
    return installed ?? (workspace === undefined ? [] : workspace === 'horae' ? 'horae' : `@horae/${workspace}`);
  });
  return { packages: [...new Set(names)].sort(), addons: loaded.filter((address) => address.endsWith('.node')) };
}

const subpaths = {
  cron: ['@horae/clock-store', '@horae/cron-grammar'],
  tasks: ['@horae/clock-store', '@horae/cron-grammar', '@horae/declarative-scheduler'],
  ring: ['@horae/clock-store', '@horae/cron-grammar', '@horae/time-ring'],
  sim: ['@horae/clock-store', '@horae/cron-grammar', '@horae/epoch-sim'],
  rewrite: ['@horae/clock-store', '@horae/rewrite-reserve'],
  shift: ['@horae/clock-store', '@horae/midgard-shift'],
  time: ['@horae/clock-store'],
};

test('the list of what is loaded is true: it sees packages, and the addon of a database that is opened', () => {
  const program =
    "const { openDatabase } = await import('horae/time/storage'); await (await openDatabase('sqlite::memory:')).close();";
  const { packages, addons } = loadedBy(['--input-type=module', '-e', program]);
  expect(packages).toEqual(expect.arrayContaining(['@horae/clock-store', 'better-sqlite3', 'horae', 'kysely']));
  expect(addons.length).toBeGreaterThan(0);
});

describe.each(Object.entries(subpaths))('horae/%s', (subpath, wanted) => {
  test('loads its package and what that stands on, nothing else of Horae, no driver and no addon', () => {
    const { packages, addons } = loadedBy(['--input-type=module', '-e', `await import('horae/${subpath}')`]);
    expect(packages.filter((name) => name === 'horae' || name.startsWith('@horae/'))).toEqual(
      [...wanted, 'horae'].sort(),
    );
    expect(
      packages.filter((name) => ['better-sqlite3', 'pg', 'mysql2', 'citty', 'luxon', 'jiti'].includes(name)),
    ).toEqual([]);
    expect(addons).toEqual([]);
  });
});

test('the umbrella loads every package, and no driver and no addon', () => {
  const { packages, addons } = loadedBy(['--input-type=module', '-e', "await import('horae')"]);
  expect(packages.filter((name) => name.startsWith('@horae/'))).toEqual(
    [...new Set(Object.values(subpaths).flat())].sort(),
  );
  expect(packages).not.toContain('better-sqlite3');
  expect(addons).toEqual([]);
});

test('"horae cron next" loads the grammar and the parser of its command line, nothing more', () => {
  const { packages } = loadedBy([command, 'cron', 'next', '0 9 * * 1-5']);
  expect(packages).toEqual(['@horae/clock-store', '@horae/cron-grammar', 'citty', 'horae']);
});
