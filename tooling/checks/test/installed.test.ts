import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  installInto,
  listingProgram,
  namesOf,
  packAll,
  specifiersOf,
  type Tarballs,
  usingProgram,
  wordsToInstall,
} from '../src/installed-project.js';
import { examplesOf, printedAsPromised } from '../src/readme-examples.js';
import { readPackages, root } from '../src/workspace.js';

const packages = readPackages().filter(({ folder }) => folder.startsWith('packages/'));
const published = packages.filter(({ manifest }) => manifest.private !== true);
const scratch = mkdtempSync(join(tmpdir(), 'horae-installed-'));
let tarballs: Tarballs;

beforeAll(() => {
  tarballs = packAll(packages, scratch);
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const node = (folder: string, ...words: string[]) =>
  execFileSync(process.execPath, words, { cwd: folder, encoding: 'utf8', stdio: 'pipe', timeout: 120_000 });

/** Every package of the workspace that `name` stands on. */
function standsOn(name: string): Set<string> {
  const own = packages.find(({ manifest }) => manifest.name === name)!;
  const below = Object.keys(own.manifest.dependencies ?? {}).filter((other) => tarballs.has(other));
  return new Set([name, ...below.flatMap((other) => [...standsOn(other)])]);
}

describe.each(published.map((pkg) => ({ name: pkg.manifest.name, pkg })))(
  '$name in an empty project',
  ({ name, pkg }) => {
    const project = join(scratch, 'projects', name.replace('/', '-'));
    const readme = readFileSync(join(root, pkg.folder, 'README.md'), 'utf8');
    const words = wordsToInstall(readme, name);
    let names: Record<string, string[]>;

    beforeAll(async () => {
      installInto(project, words, tarballs);
      names = await namesOf(pkg);
    });

    test('brings what it stands on, and no addon that nobody asked for', () => {
      const store = readdirSync(join(project, 'node_modules/.pnpm'));
      const installed = [...tarballs.keys()].filter((other) =>
        store.some((entry) => entry.startsWith(`${other.replace('/', '+')}@`)),
      );
      expect(installed.sort()).toEqual([...standsOn(name)].sort());
      const isAskedFor = words.includes('better-sqlite3') || name === 'horae';
      expect(store.some((entry) => entry.startsWith('better-sqlite3@'))).toBe(isAskedFor);
    });

    test('gives every name to import and to require', () => {
      writeFileSync(join(project, 'list.mjs'), listingProgram(specifiersOf(pkg), 'import'));
      writeFileSync(join(project, 'list.cjs'), listingProgram(specifiersOf(pkg), 'require'));
      expect(JSON.parse(node(project, 'list.mjs'))).toEqual(names);
      // With this flag a package that has no real CommonJS cannot be required.
      expect(withoutMarks(JSON.parse(node(project, '--no-experimental-require-module', 'list.cjs')))).toEqual(names);
    });

    test('gives every name to strict TypeScript', () => {
      writeFileSync(join(project, 'use.ts'), usingProgram(names));
      writeFileSync(join(project, 'use.cts'), usingProgram(names));
      writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(strict));
      expect(typeErrors(project, optionalPeers(name))).toEqual([]);
    });

    test('runs the first program of its README', () => {
      const [first] = examplesOf(readme).filter(({ runs }) => runs);
      const examples = join(root, pkg.folder, 'examples');
      if (existsSync(examples)) symlinkSync(examples, join(project, 'examples'));
      writeFileSync(join(project, 'first.ts'), first!.code);
      expect(printedAsPromised(first!, node(project, '--import', import.meta.resolve('tsx'), 'first.ts'))).toBeNull();
    });
  },
);

test.each(
  published
    .filter(({ manifest }) => manifest.bin !== undefined)
    .map(({ manifest }) => ({ manifest, name: manifest.name })),
)('the commands of $name are on the path of a project that has it', ({ manifest }) => {
  const project = join(scratch, 'projects', `commands-of-${manifest.name.replace('/', '-')}`);
  installInto(project, [manifest.name], tarballs);
  for (const command of Object.keys(manifest.bin!)) {
    const file = join(project, 'node_modules/.bin', command);
    const said = execFileSync(file, ['--version'], {
      cwd: project,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    expect(said.trim()).toBe(manifest.version);
  }
});

const strict = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    module: 'NodeNext',
    target: 'ES2023',
    lib: ['ES2023', 'ESNext.Disposable', 'DOM'],
    types: [],
    noEmit: true,
  },
  include: ['use.ts', 'use.cts'],
};

/** What the compiler says, but for declarations of optional peers that are not installed. */
function typeErrors(project: string, peers: readonly string[]): string[] {
  try {
    node(project, join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.json');
    return [];
  } catch (error) {
    const lines = (error as { stdout: string }).stdout.trim().split('\n');
    return lines.filter((line) => !peers.some((peer) => line.includes(`Cannot find module '${peer}'`)));
  }
}

/** What a package and those below it can do without. */
function optionalPeers(name: string): string[] {
  return [...standsOn(name)].flatMap((one) => {
    const { manifest } = packages.find((pkg) => pkg.manifest.name === one)!;
    return Object.keys((manifest.peerDependenciesMeta ?? {}) as object);
  });
}

/** `require` of a module adds marks of its own for tools that translate modules. */
function withoutMarks(found: Record<string, string[]>): Record<string, string[]> {
  const isMark = (name: string) => name === '__esModule' || name === 'module.exports';
  return Object.fromEntries(Object.entries(found).map(([name, list]) => [name, list.filter((one) => !isMark(one))]));
}
