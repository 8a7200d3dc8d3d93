import type { TestProjectConfiguration } from 'vitest/config';

/** A project a kind of test: `pnpm vitest run --project story` runs one kind over all packages. Limits are for a busy machine. */
const kind = (name: string, include: string[], testTimeout: number): TestProjectConfiguration => ({
  test: { name, include, testTimeout, hookTimeout: 180_000, environment: 'node' },
});

/** `HORAE_LONG` makes properties up to forty times longer. */
const PROPERTY_MS = process.env.HORAE_LONG ? 7_200_000 : 600_000;

/** Where which test lives, for the whole workspace. */
export const projects: TestProjectConfiguration[] = [
  kind('unit', ['packages/*/src/**/*.test.ts', 'apps/*/src/**/*.test.ts', 'tooling/*/src/**/*.test.ts'], 60_000),
  kind('story', ['packages/*/test/story/**/*.test.ts', 'apps/*/test/story/**/*.test.ts'], 120_000),
  kind('property', ['packages/*/test/property/**/*.test.ts'], PROPERTY_MS),
  kind('fault', ['packages/*/test/fault/**/*.test.ts'], 600_000),
  kind('conformance', ['packages/*/test/conformance/**/*.test.ts'], 180_000),
  kind('browser', ['packages/*/test/browser/**/*.test.ts', 'apps/*/test/browser/**/*.test.ts'], 180_000),
  kind('repository', ['tooling/checks/test/**/*.test.ts', 'tooling/gate/test/**/*.test.ts'], 300_000),
  {
    test: {
      name: 'types',
      include: [],
      typecheck: {
        enabled: true,
        only: true,
        include: ['packages/*/test/types/**/*.test-d.ts'],
        tsconfig: './tooling/tsconfig/types-tests.json',
        checker: 'tsc',
      },
    },
  },
];
