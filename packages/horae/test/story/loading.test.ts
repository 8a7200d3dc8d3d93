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

test('the umbrella loads no package until one of its namespaces is touched, and then that one alone', () => {
  const untouched = loadedBy(['--input-type=module', '-e', "await import('horae')"]);
  expect(untouched).toEqual({ packages: ['horae'], addons: [] });
  const program = "const { cron, ring } = await import('horae'); cron.parseCron('* * * * *'); typeof ring;";
  const touched = loadedBy(['--input-type=module', '-e', program]);
  // The hooks do not see what a module that is required imports.
  expect(touched.packages.filter((name) => name.startsWith('@horae/'))).toEqual(['@horae/cron-grammar']);
});

const COMPARE = `
const names = ${JSON.stringify(Object.keys(subpaths))};
const differ = [];
const compare = (whole, part, name) => {
  if (Object.keys(whole).sort().join() !== Object.keys(part).sort().join()) differ.push(name);
  for (const key of Object.keys(part)) if (whole[key] !== part[key]) differ.push(name + '.' + key);
};
`;

test.each([
  { by: 'import', words: ['--input-type=module'], load: 'await import' },
  { by: 'require', words: [], load: 'require' },
])('a namespace of the umbrella is its subpath, by $by', ({ words, load }) => {
  // A process of its own: vitest loads the packages of its workspace in another way than Node.
  const loop = `const whole = ${load}('horae');\nfor (const name of names) compare(whole[name], ${load}('horae/' + name), name);`;
  const check = 'console.log(JSON.stringify({ keys: Object.keys(whole).sort(), differ }));';
  const said = execFileSync(process.execPath, [...words, '-e', `${COMPARE}${loop}\n${check}`], {
    cwd: here,
    encoding: 'utf8',
  });
  expect(JSON.parse(said)).toEqual({ keys: Object.keys(subpaths).sort(), differ: [] });
});

test('a namespace of the umbrella cannot be changed', async () => {
  const { cron } = (await import('horae')) as unknown as { cron: Record<string, unknown> };
  expect(() => {
    cron.parseCron = null;
  }).toThrow(TypeError);
  expect(() => Object.defineProperty(cron, 'mine', { value: 1 })).toThrow(TypeError);
  expect('mine' in cron).toBe(false);
});

test('"horae cron next" loads the grammar and the parser of its command line, nothing more', () => {
  const { packages } = loadedBy([command, 'cron', 'next', '0 9 * * 1-5']);
  expect(packages).toEqual(['@horae/clock-store', '@horae/cron-grammar', 'citty', 'horae']);
});
