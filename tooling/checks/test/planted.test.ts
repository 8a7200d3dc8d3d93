import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entryFields } from '@horae-tooling/tsup/entry-points';
import { registryFields } from '@horae-tooling/tsup/registry-fields';
import { expect, onTestFinished, test } from 'vitest';
import { ambientTime } from '../src/ambient-time.js';
import { marksOf, untestedMarks } from '../src/conformance-marks.js';
import { exportsMap } from '../src/exports-map.js';
import { importDirection } from '../src/import-direction.js';
import { length } from '../src/length.js';
import { links } from '../src/links.js';
import { noCycles } from '../src/no-cycles.js';
import { pack, tarballFindings } from '../src/packed-tarball.js';
import { projectAlone } from '../src/project-alone.js';
import { examplesOf, printedAsPromised, programsOf } from '../src/readme-examples.js';
import { readmeLinks } from '../src/readme-links.js';
import { roomOrder } from '../src/rooms.js';
import { sameOutside } from '../src/same-outside.js';
import { unused } from '../src/unused.js';
import { type Manifest, render, type WorkspacePackage } from '../src/workspace.js';

// Every check is seen failing here, on a fault planted for it, and passing on the same thing without the fault.

const rootManifest = {
  repository: { type: 'git', url: 'git+https://example.org/horae.git' },
  bugs: 'https://example.org/',
};
const sound: Manifest = {
  name: '@horae/cron-grammar',
  description: 'A package.',
  license: 'MIT',
  type: 'module',
  sideEffects: false,
  engines: { node: '>=20.19' },
  files: ['dist', 'README.md', 'CHANGELOG.md', 'LICENSE'],
  keywords: ['cron', 'scheduler', 'time'],
  ...entryFields({ exports: { '.': {} } }),
  ...registryFields(rootManifest, 'packages/cron-grammar'),
  scripts: { build: 'tsup', typecheck: 'tsc -p tsconfig.json' },
};
const soundFiles = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'package.json',
  'src/index.ts',
  'tsconfig.json',
  'tsup.config.ts',
];

function packageOf(
  sources: Record<string, string>,
  manifest: Partial<Manifest> = {},
  files = soundFiles,
): WorkspacePackage {
  const whole = { ...sound, ...manifest };
  return {
    folder: `packages/${whole.name.replace('@horae/', '')}`,
    manifest: whole,
    sources: Object.entries(sources).map(([path, text]) => ({ path, text })),
    files,
  };
}

test.each([
  {
    story: 'sideways',
    source: "import '@horae/rewrite-reserve';",
    says: 'must not import @horae/rewrite-reserve (tier 1)',
  },
  {
    story: 'upwards, as a type',
    source: "import type { TimeRing } from '@horae/time-ring';",
    says: 'must not import @horae/time-ring',
  },
  { story: 'upwards, dynamically', source: "await import('horae/cron');", says: 'must not import horae (tier 3)' },
  {
    story: 'into a src folder',
    source: "import '@horae/clock-store/src/zone.js';",
    says: "reaches into another package's src/",
  },
  { story: 'out of its own src folder', source: "import '../test/fixture.js';", says: 'leaves src/' },
  {
    story: 'a driver outside storage code',
    source: "import Database from 'better-sqlite3';",
    says: 'better-sqlite3 is reached only through',
  },
])('import direction finds an import that goes $story', ({ source, says }) => {
  expect(render(importDirection([packageOf({ 'src/index.ts': source })])).join()).toContain(says);
});

test('import direction accepts downward imports and kysely in a sql-* file', () => {
  const pkg = packageOf({
    'src/index.ts': "import { HoraeError } from '@horae/clock-store'; import './sql-store.js';",
    'src/sql-store.ts': "import { sql } from 'kysely';",
  });
  expect(importDirection([pkg])).toEqual([]);
});

test('no cycles finds files that import each other, by types alone as well', () => {
  const pkg = packageOf({ 'src/a.ts': "import './b.js';", 'src/b.ts': "import type { A } from './a.js';" });
  expect(render(noCycles([pkg]))).toEqual([
    'packages/cron-grammar/src/a.ts: files import each other: src/a.ts -> src/b.ts -> src/a.ts',
  ]);
});

test('no cycles finds packages that depend on each other', () => {
  const one = packageOf({}, { dependencies: { '@horae/clock-store': 'workspace:^' } });
  const two = packageOf({}, { name: '@horae/clock-store', devDependencies: { '@horae/cron-grammar': 'workspace:^' } });
  expect(render(noCycles([one, two])).join()).toContain(
    'packages depend on each other: @horae/cron-grammar -> @horae/clock-store',
  );
  expect(noCycles([one, packageOf({}, { name: '@horae/clock-store' })])).toEqual([]);
});

const laidOut = { 'packages/cron-grammar/src': ['value', 'parse'] };
const inRooms = { 'src/index.ts': "import './parse/text.js';", 'src/value/masks.ts': '' };

test.each<{ story: string; source: Record<string, string>; says: string }>([
  {
    story: 'to the right',
    source: { 'src/value/masks.ts': "import '../parse/text.js';" },
    says: 'value/ must not import parse/',
  },
  {
    story: 'to the top, as a type',
    source: { 'src/parse/text.ts': "import type { A } from '../index.js';" },
    says: 'parse/ must not import the top of src/',
  },
  {
    story: 'from a folder without a place',
    source: { 'src/attic/old.ts': '' },
    says: 'src/attic: this folder has no place',
  },
])('room order finds an import $story', ({ source, says }) => {
  const pkg = packageOf({ ...inRooms, 'src/parse/text.ts': "import '../value/masks.js';", ...source });
  expect(render(roomOrder([pkg], laidOut)).join()).toContain(says);
});

test('room order finds a listed folder that is gone', () => {
  expect(render(roomOrder([packageOf(inRooms)], laidOut)).join()).toContain(
    'src/parse: tooling/checks/src/rooms.ts lists',
  );
});

test('room order accepts imports to the left, from the top, within a room and from tests', () => {
  const pkg = packageOf({
    ...inRooms,
    'src/parse/text.ts': "import '../value/masks.js'; import './names.js';",
    'src/parse/names.ts': '',
    'src/value/masks.test.ts': "import '../parse/text.js';",
  });
  expect(roomOrder([pkg], laidOut)).toEqual([]);
});

test('room order judges the rooms of a room by a line of their own', () => {
  const pkg = packageOf({
    'src/engine/claim/pass.ts': "import '../node/owned-runs.js'; import '../../value/masks.js';",
    'src/engine/node/owned-runs.ts': "import '../claim/pass.js';",
  });
  expect(render(roomOrder([pkg], { 'packages/cron-grammar/src/engine': ['node', 'claim'] }))).toEqual([
    'packages/cron-grammar/src/engine/node/owned-runs.ts:1: node/ must not import claim/ ("../claim/pass.js")',
  ]);
});

const builtIndex = ['index.d.ts', 'index.js', 'index.d.cts', 'index.cjs'];

test.each([
  {
    story: 'a subpath without source',
    exports: { './storage': {} },
    dist: builtIndex,
    says: 'has no source src/storage.ts',
  },
  {
    story: 'an entry that is not built',
    exports: { '.': sound.exports!['.']! },
    dist: ['index.js', 'index.d.ts', 'index.cjs'],
    says: 'dist/index.d.cts is missing',
  },
  {
    story: 'a built entry that nobody can import',
    exports: { '.': sound.exports!['.']! },
    dist: [...builtIndex, 'hidden.js', 'hidden.d.ts'],
    says: 'dist/hidden.js is built but not in the exports map',
  },
  {
    story: 'a target of another shape',
    exports: { '.': './dist/index.js' },
    dist: builtIndex,
    says: '"exports" does not follow from the subpaths',
  },
])('the exports map check finds $story', ({ exports, dist, says }) => {
  expect(
    render(exportsMap([packageOf({}, { exports: exports as unknown as Manifest['exports'] })], () => dist)).join(),
  ).toContain(says);
});

test('the exports map check accepts a map that equals the build, shared chunks aside', () => {
  expect(exportsMap([packageOf({})], () => [...builtIndex, 'chunk-ABC.js'])).toEqual([]);
});

test.each([
  { story: 'nothing to find it by', manifest: { keywords: [] }, files: soundFiles, says: '"keywords" must name' },
  { story: 'another home', manifest: { homepage: 'x' }, files: soundFiles, says: '"homepage" does not follow' },
  { story: 'another licence', manifest: { license: 'GPL-3.0' }, files: soundFiles, says: '"license" must be "MIT"' },
  {
    story: 'a missing README',
    manifest: {},
    files: soundFiles.filter((name) => name !== 'README.md'),
    says: 'README.md: is missing',
  },
  {
    story: 'another build',
    manifest: { scripts: { build: 'tsc' } },
    files: soundFiles,
    says: 'scripts.build must be "tsup"',
  },
  {
    story: 'neither changelog nor changeset',
    manifest: {},
    files: soundFiles.filter((name) => name !== 'CHANGELOG.md'),
    says: 'neither a CHANGELOG.md nor a changeset',
  },
])('same outside finds $story', ({ manifest, files, says }) => {
  expect(render(sameOutside([packageOf({}, manifest, files)], [], rootManifest)).join()).toContain(says);
});

test('same outside accepts a sound package, and a changeset in place of a changelog', () => {
  expect(sameOutside([packageOf({})], [], rootManifest)).toEqual([]);
  const unreleased = packageOf(
    {},
    {},
    soundFiles.filter((name) => name !== 'CHANGELOG.md'),
  );
  expect(sameOutside([unreleased], ["---\n'@horae/cron-grammar': minor\n---\n"], rootManifest)).toEqual([]);
});

test.each([
  'Date.now()',
  'new Date()',
  'Date()',
  'Math.random()',
  'performance.now()',
  'globalThis.performance.now()',
  'setTimeout(f, 1)',
  'const later = setInterval',
  'globalThis.setImmediate(f)',
  'process.hrtime.bigint()',
  'crypto.randomUUID()',
  "import { randomBytes } from 'node:crypto'",
])('ambient time finds %s', (code) => {
  expect(ambientTime([packageOf({ 'src/run.ts': `\n${code};` })])).toMatchObject([{ severity: 'error', line: 2 }]);
});

test('ambient time accepts dates from values, members that are passed in, tests and the system clock itself', () => {
  const fine = "new Date(0); clock.now(); port.setTimeout(f); // Date.now()\nconst text = 'Math.random()';";
  expect(ambientTime([packageOf({ 'src/run.ts': fine, 'src/run.test.ts': 'Date.now()' })])).toEqual([]);
  const port = packageOf({ 'src/system-clock.ts': 'Date.now(); setTimeout(f, 1);' }, { name: '@horae/clock-store' });
  expect(ambientTime([port])).toEqual([]);
});

test('length warns of long files and long functions, and of nothing else', () => {
  const longFunction = `export function much() {\n${'  work();\n'.repeat(80)}}\n`;
  const findings = length([
    packageOf({ 'src/a.ts': longFunction, 'src/b.ts': 'const a = 1;\n'.repeat(301), 'src/c.ts': 'export {};\n' }),
  ]);
  expect(findings.map(({ severity }) => severity)).toEqual(['warning', 'warning']);
  expect(render(findings)).toEqual([
    'packages/cron-grammar/src/a.ts:1: much has 82 lines, the guide is 70',
    'packages/cron-grammar/src/b.ts: has 301 lines, the guide is 300',
  ]);
});

test.each([
  { story: 'a machine path', path: 'docs/a.md', text: `see ${['', 'work', 'main'].join('/')}` },
  { story: 'a registry host', path: 'a.ts', text: `https://${'registry'}.example.org/x` },
  {
    story: 'a download address in the lockfile',
    path: 'pnpm-lock.yaml',
    text: '    resolution: {integrity: x, tarball: y}'.replace('tarball', ['tarb', 'all'].join('')),
  },
  { story: 'a test that does not run', path: 'a.test.ts', text: `${'test'}.skip('x', () => {})` },
  { story: 'a test that asserts nothing', path: 'a.test.ts', text: `expect(${'true'}).toBe(true)` },
])('project alone finds $story', ({ path, text }) => {
  expect(projectAlone([{ path, text: `\n${text}` }])).toMatchObject([{ file: path, line: 2 }]);
  expect(projectAlone([{ path, text: 'nothing of the kind' }])).toEqual([]);
});

test('links that lead nowhere are found, to files and to headings, but not inside of code', () => {
  const pages = new Map([
    [
      'docs/a.md',
      '# Two `words`, here\n[b](b.md) [own](#two-words-here) [site](https://example.org/x)\n`[code](no.md)`\n',
    ],
    [
      'docs/b.md',
      'text\n[a](../docs/a.md#two-words-here)\n[gone](gone.md)\n[part](a.md#three)\n```md\n[x](y.md)\n```\n',
    ],
  ]);
  expect(render(links(pages, (path) => pages.has(path)))).toEqual([
    'docs/b.md:3: links to gone.md, which is not there',
    'docs/b.md:4: links to a.md#three, which has no such heading',
  ]);
});

test('README examples are found with what they promise, and broken promises are told', () => {
  const readme = [
    'text',
    '```ts',
    "console.log('a'); // => a",
    '```',
    '```ts no-run',
    'forever();',
    '```',
    '```ts postgres',
    'connect();',
    '```',
    '```ts postgres continued',
    'goOn();',
    '```',
    '```sh',
    'ls',
    '```',
  ].join('\n');
  const examples = examplesOf(readme);
  const [first, second, third, fourth, ...rest] = examples;
  expect(rest).toEqual([]);
  expect(programsOf(examples)).toEqual([[first], [third, fourth]]);
  expect(first).toMatchObject({ line: 3, runs: true, server: null, prints: ['a'] });
  expect(second).toMatchObject({ runs: false });
  expect(third).toMatchObject({ runs: true, server: 'postgres' });
  expect(printedAsPromised(first!, 'a\n')).toBeNull();
  expect(printedAsPromised(first!, 'b\n')).toBe('line 1 promises "a" and prints "b"');
  expect(printedAsPromised(first!, 'a\nb\n')).toBe('line 2 promises null and prints "b"');
});

test('the tarball check finds types that are not there', { timeout: 60_000 }, async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'horae-planted-'));
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
  const folder = join(scratch, 'broken');
  mkdirSync(join(folder, 'dist'), { recursive: true });
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'broken', version: '1.0.0', type: 'module', files: ['dist'], exports: sound.exports }),
  );
  writeFileSync(join(folder, 'dist/index.js'), 'export const a = 1;\n');
  const findings = await tarballFindings(pack(folder, scratch));
  expect(findings.length).toBeGreaterThan(0);
  expect(render(findings).join('\n')).toMatch(/index\.d\.ts|has no types/);
});

test('knip finds a file that nothing imports and a dependency that nothing uses', { timeout: 60_000 }, async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'horae-planted-'));
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
  writeFileSync(
    join(scratch, 'package.json'),
    JSON.stringify({ name: 'x', main: 'index.js', dependencies: { unwanted: '1.0.0' } }),
  );
  writeFileSync(join(scratch, 'index.js'), 'export const a = 1;\n');
  expect(await unused(scratch)).toContain('unwanted');
  writeFileSync(join(scratch, 'forgotten.js'), 'export const b = 2;\n');
  expect(await unused(scratch)).toContain('forgotten.js');
});

test('a rule of a conformance page without a test is found', () => {
  const page = '| mark | rule |\n| --- | --- |\n| A1 | one |\n| S12 | two |\n';
  expect(marksOf(page)).toEqual(['A1', 'S12']);
  const tests = ["test('A1 B2: it does', () => {})"];
  expect(render(untestedMarks('docs/page.md', page, tests))).toEqual(['docs/page.md: no test is named for S12']);
  expect(untestedMarks('docs/page.md', page, [...tests, 'test(`S12: too`)'])).toEqual([]);
});

const moved = 'does not lead to https://example.org/now/horae, where the repository is';
test.each([
  { link: '../time-ring', says: 'leads nowhere outside the repository' },
  { link: 'https://example.org/now/horae/blob/main/docs/gone.md#a', says: 'names no file of the repository' },
  { link: 'https://example.org/before/horae/blob/main/docs/gone.md', says: moved },
  { link: 'https://example.org/before/horae#readme', says: moved },
  { link: 'https://example.com/renamed/since/-/raw/v1/docs/there.md', says: moved },
])('a link of a README to $link is found', ({ link, says }) => {
  const sound =
    '[c](https://nodejs.org/) [e](https://example.org/now/horae) [f](https://example.org/a/b/blob/main/docs/x.md)';
  const readmes = [{ path: 'README.md', text: `[a](#b) ${sound} [d](${link})` }];
  const isThere = (path: string) => path === 'docs/there.md';
  const findings = render(readmeLinks(readmes, 'git+https://example.org/now/horae.git', isThere));
  expect(findings).toEqual([`README.md:1: "${link}" ${says}`]);
});
