import { expect, test } from 'vitest';
// @ts-expect-error plain JavaScript, so that it runs before anything is installed
import { closingLines } from '../closing-lines.mjs';
// @ts-expect-error plain JavaScript, so that it runs before anything is installed
import { compilerProblem, diskProblem, networkProblem, nodeProblem } from '../preflight.mjs';

test.each([
  { story: 'the oldest supported', version: 'v20.19.0', fine: true },
  { story: 'a newer minor', version: 'v20.20.2', fine: true },
  { story: 'a newer major', version: 'v24.1.0', fine: true },
  { story: 'one minor too old', version: 'v20.18.3', fine: false },
  { story: 'an old major', version: 'v18.20.0', fine: false },
])('Node $version, $story, gets one line with the remedy unless it is fine: $fine', ({ version, fine }) => {
  const problem = nodeProblem(version);
  if (fine) expect(problem).toBeNull();
  else
    expect(problem).toMatch(
      new RegExp(`^Horae needs Node 20.19 or newer and this is ${version}: install .*run the command again\\.$`),
    );
});

test('a full disk is one line that names the folder and the need', () => {
  expect(diskProblem('/somewhere', 0.3 * 1024 ** 3)).toBe(
    'Only 0.3 GiB are free in /somewhere and the packages need 1.5 GiB: free some space and run the command again.',
  );
  expect(diskProblem('/somewhere', 5 * 1024 ** 3)).toBeNull();
});

test('a missing compiler is one line that names what to install on this system', () => {
  const output = 'gyp ERR! stack Error: not found: make';
  const nothing = () => false;
  expect(compilerProblem(output, nothing, 'linux')).toContain(
    'python3, make, g++ cannot be found: install them (Debian',
  );
  expect(compilerProblem(output, nothing, 'darwin')).toContain('xcode-select --install');
  expect(compilerProblem(output, nothing, 'win32')).toContain('Visual Studio Build Tools');
  expect(compilerProblem(output, (name: string) => !name.endsWith('make'), 'linux')).toContain(
    'and make cannot be found',
  );
});

test('another failure, or a compiler that is there, is not blamed on the compiler', () => {
  expect(compilerProblem('ERR_PNPM_OUTDATED_LOCKFILE', () => false, 'linux')).toBeNull();
  expect(compilerProblem('gyp ERR! build error', () => true, 'linux')).toBeNull();
});

test('an unreachable registry is one line that says where to look', () => {
  expect(networkProblem('FetchError: getaddrinfo ENOTFOUND somewhere')).toContain('npm config get registry');
  expect(networkProblem('all is well')).toBeNull();
});

const fine = [
  { name: 'format and lint', code: 0 },
  { name: 'types', code: 0 },
];

test('the closing line adds the tests and one check a step', () => {
  const { lines, failed } = closingLines([...fine, { name: 'tests', code: 0 }], { passed: 40, failed: 0, skipped: [] });
  expect(lines.at(-1)).toBe('42 passed, 0 failed');
  expect(failed).toBe(false);
});

test('a skipped test is printed with its reason and counted', () => {
  const skipped = [{ test: 'conformance > x', reason: 'no mariadbd on the PATH' }];
  const { lines, failed } = closingLines([...fine, { name: 'tests', code: 0 }], { passed: 40, failed: 0, skipped });

  expect(lines).toContain('[horae] skipped: conformance > x: no mariadbd on the PATH');
  expect(lines.at(-1)).toBe('42 passed, 0 failed, 1 skipped');
  expect(failed).toBe(false);
});

test('tests that were skipped for the same reason are one line with their number', () => {
  const skipped = [1, 2, 3].map((number) => ({ test: `conformance > ${number}`, reason: 'no mariadbd on the PATH' }));
  const { lines } = closingLines([...fine, { name: 'tests', code: 0 }], { passed: 40, failed: 0, skipped });
  expect(lines).toContain('[horae] skipped: 3 tests, such as conformance > 1: no mariadbd on the PATH');
  expect(lines.at(-1)).toBe('42 passed, 0 failed, 3 skipped');
});

test.each([
  {
    story: 'a failing step',
    outcomes: [
      { name: 'types', code: 2 },
      { name: 'tests', code: 0 },
    ],
    summary: { passed: 1, failed: 0, skipped: [] },
  },
  {
    story: 'a failing test',
    outcomes: [...fine, { name: 'tests', code: 1 }],
    summary: { passed: 1, failed: 1, skipped: [] },
  },
  {
    story: 'an error outside any test',
    outcomes: [...fine, { name: 'tests', code: 1 }],
    summary: { passed: 9, failed: 0, skipped: [] },
  },
  {
    story: 'a run without any test',
    outcomes: [...fine, { name: 'tests', code: 0 }],
    summary: { passed: 0, failed: 0, skipped: [] },
  },
  { story: 'a runner that died', outcomes: [...fine, { name: 'tests', code: 1 }], summary: null },
])('$story fails the gate', ({ outcomes, summary }) => {
  const { lines, failed } = closingLines(outcomes, summary);
  expect(failed).toBe(true);
  expect(lines.at(-1)).toMatch(/^\d+ passed, [1-9]\d* failed$/);
});
