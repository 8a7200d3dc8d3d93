import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PublishedBench, renderPage } from '@horae-tooling/bench';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ambientTime } from '../src/ambient-time.js';
import { marksOf, untestedMarks } from '../src/conformance-marks.js';
import { exportsMap } from '../src/exports-map.js';
import { importDirection } from '../src/import-direction.js';
import { length } from '../src/length.js';
import { links } from '../src/links.js';
import { noCycles } from '../src/no-cycles.js';
import { pack, tarballFindings } from '../src/packed-tarball.js';
import { projectAlone } from '../src/project-alone.js';
import { examplesOf } from '../src/readme-examples.js';
import { readmeLinks } from '../src/readme-links.js';
import { roomOrder } from '../src/rooms.js';
import { runProgram } from '../src/run-example.js';
import { sameOutside } from '../src/same-outside.js';
import { unused } from '../src/unused.js';
import { listFiles, readPackages, render, root } from '../src/workspace.js';

const packages = readPackages();
const rootManifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const published = packages.filter(({ manifest }) => manifest.private !== true);

test('imports go downwards, through exports maps', () => {
  expect(render(importDirection(packages))).toEqual([]);
});

test('nothing imports itself round a corner', () => {
  expect(render(noCycles(packages))).toEqual([]);
});

test('rooms import to the left only', () => {
  expect(render(roomOrder(packages))).toEqual([]);
});

test('the page of benchmarks is what its figures say', () => {
  const figures = JSON.parse(readFileSync(join(root, 'docs', 'benchmarks.json'), 'utf8')) as PublishedBench[];
  expect(readFileSync(join(root, 'docs', 'benchmarks.md'), 'utf8')).toBe(renderPage(figures));
});

test('every exports map equals its build', () => {
  const built = (folder: string) =>
    existsSync(join(root, folder, 'dist')) ? listFiles(join(root, folder, 'dist')) : [];
  expect(render(exportsMap(packages, built))).toEqual([]);
});

test('every package looks the same from outside', () => {
  const changesets = readdirSync(join(root, '.changeset'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFileSync(join(root, '.changeset', name), 'utf8'));
  expect(render(sameOutside(packages, changesets, rootManifest))).toEqual([]);
});

test('no source reads the ambient clock or draws ambient randomness', () => {
  expect(render(ambientTime(packages))).toEqual([]);
});

test('files and functions are short; the long ones are named here', () => {
  const warnings = length(packages);
  for (const line of render(warnings)) console.warn(`warning: ${line}`);
  expect(warnings.filter(({ severity }) => severity === 'error')).toEqual([]);
});

/** The files of the repository, committed or not, without what git ignores. */
const names = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((path) => path !== '' && existsSync(join(root, path)));

test('links between pages lead somewhere', () => {
  const pages = names.filter((path) => path.endsWith('.md') && !path.startsWith('.changeset/'));
  const texts = new Map(pages.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
  expect(render(links(texts, (path) => existsSync(join(root, path))))).toEqual([]);
});

test('the repository speaks of the project alone, and every test in it runs', () => {
  const texts = names
    .filter((path) => !/\.(png|ico|woff2)$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
  expect(texts.length).toBeGreaterThan(20);
  expect(render(projectAlone(texts))).toEqual([]);
});

test.each(readdirSync(join(root, 'docs')).filter((name) => name.endsWith('-conformance.md')))(
  'every rule of docs/%s has a test that names it',
  (name) => {
    const page = readFileSync(join(root, 'docs', name), 'utf8');
    const folder = join(root, 'packages', name.replace('-conformance.md', ''));
    const tests = listFiles(folder)
      .filter((path) => path.endsWith('.test.ts'))
      .map((path) => readFileSync(join(folder, path), 'utf8'));
    expect(marksOf(page).length).toBeGreaterThan(10);
    expect(render(untestedMarks(`docs/${name}`, page, tests))).toEqual([]);
  },
);

test('no file and no dependency is unused', async () => {
  expect(await unused()).toBe('');
});

describe.each(published.map((pkg) => ({ name: pkg.manifest.name, folder: pkg.folder })))(
  'the tarball of $name',
  ({ folder }) => {
    test('is valid for publint and for every kind of TypeScript resolution', async () => {
      const scratch = mkdtempSync(join(tmpdir(), 'horae-pack-'));
      onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
      expect(render(await tarballFindings(pack(join(root, folder), scratch)))).toEqual([]);
    });
  },
);

const readmes = published
  .filter(({ files }) => files.includes('README.md'))
  .map(({ folder }) => ({ folder, examples: examplesOf(readFileSync(join(root, folder, 'README.md'), 'utf8')) }));
const runnable = readmes.flatMap(({ folder, examples }) =>
  examples
    .filter(({ runs }) => runs)
    .map((example) => ({ ...example, folder, where: `${folder}/README.md:${example.line}` })),
);

test('the links of a README lead somewhere from the page of the registry too', () => {
  const texts = published.map(({ folder }) => ({
    path: `${folder}/README.md`,
    text: readFileSync(join(root, folder, 'README.md'), 'utf8'),
  }));
  expect(render(readmeLinks(texts, rootManifest.repository.url, (path) => existsSync(join(root, path))))).toEqual([]);
});

test('every README shows at least one program that runs', () => {
  expect(readmes.filter(({ examples }) => !examples.some(({ runs }) => runs)).map(({ folder }) => folder)).toEqual([]);
});

test.each(runnable)('$where does what it promises', async (example) => {
  expect(await runProgram([example], { home: example.folder, name: 'README' })).toBeNull();
});
