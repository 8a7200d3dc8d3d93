import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startTestPostgres, type TestServer } from '@horae/clock-store/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installInto, packAll } from '../src/installed-project.js';
import { buildAddon, installRuntime, readReport, runtimes } from '../src/runtimes.js';
import { readPackages, root } from '../src/workspace.js';

// One program with every package (trials/runtime/trial.mjs), packed and installed, on every runtime. docs/runtimes.md is the table.
const packages = readPackages().filter(({ manifest }) => manifest.private !== true);
const scratch = mkdtempSync(join(tmpdir(), 'horae-runtimes-'));
const project = join(scratch, 'project');
const everywhere = [
  ...['cron', 'umbrella', 'require', 'tasks in memory', 'simulation', 'simulation on worker threads', 'rewrites'],
  ...['shifts', 'ring and console on PostgreSQL', 'tasks on PostgreSQL'],
];
const nodes = runtimes.filter(({ name }) => name.startsWith('Node'));
let server: TestServer;

beforeAll(async () => {
  server = await startTestPostgres();
  const own = packages.map(({ manifest }) => manifest.name);
  installInto(project, [...own, 'better-sqlite3', 'kysely', 'pg'], packAll(packages, scratch));
  cpSync(join(root, 'tooling/checks/trials/runtime/trial.mjs'), join(project, 'trial.mjs'));
}, 300_000);
afterAll(async () => {
  await server.stop();
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
});

async function tryOn(program: string, words: readonly string[], last: readonly string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)(program, [...words, 'trial.mjs', ...last], {
    cwd: project,
    encoding: 'utf8',
    timeout: 120_000,
  });
  return JSON.parse(stdout.trim().split('\n').at(-1)!).tried;
}

test('the packed packages do their work on the Node that runs the tests', async () => {
  const tried = await tryOn(process.execPath, [], ['sqlite', server.url]);
  expect(tried).toEqual([...everywhere, 'ring and console on SQLite']);
});

test.for(runtimes)('the packed packages do their work on $name', async (runtime, { skip }) => {
  const installed = installRuntime(runtime, join(scratch, runtime.name.replaceAll(' ', '-')));
  if ('missing' in installed) return skip(installed.missing);
  expect(await tryOn(installed.program, runtime.words, [server.url])).toEqual(everywhere);
});

test.for(nodes)('the unit tests pass on $name, but for those that open SQLite', async (runtime, { skip }) => {
  const installed = installRuntime(runtime, join(scratch, runtime.name.replaceAll(' ', '-')));
  if ('missing' in installed) return skip(installed.missing);
  const report = join(scratch, `${runtime.name.replaceAll(' ', '-')}.json`);
  const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'unit', 'packages/'];
  const words = [...vitest, '--reporter=json', `--outputFile=${report}`];
  // Ends with 1 when a test fails: which ones, the report says.
  await promisify(execFile)(installed.program, words, { cwd: root, timeout: 240_000 }).catch(() => {});
  const { passed, failed } = readReport(readFileSync(report, 'utf8'));
  expect(passed).toBeGreaterThan(1_000);
  // The addon is built for the Node of the workspace; everything else must pass.
  expect(failed.filter(({ reason }) => !/different Node\.js version|better-sqlite3/.test(reason))).toEqual([]);
  expect(failed.length).toBeLessThan(passed / 50);
});

// Compiling SQLite takes a minute of a processor for each Node, so this is not in the short form.
test.for(nodes)('the packed packages work with SQLite on $name', { timeout: 900_000 }, async (runtime, { skip }) => {
  if (process.env.HORAE_LONG !== '1') return skip('HORAE_LONG=1 compiles the addon of better-sqlite3 for this Node');
  const folder = runtime.name.replaceAll(' ', '-');
  const installed = installRuntime(runtime, join(scratch, folder));
  if ('missing' in installed) return skip(installed.missing);
  const manifest = readFileSync(join(project, 'node_modules/better-sqlite3/package.json'), 'utf8');
  const problem = buildAddon(
    installed.program,
    JSON.parse(manifest).version,
    join(scratch, `${folder}-addon`),
    project,
  );
  if (problem !== null) return skip(problem);
  const tried = await tryOn(installed.program, [], ['sqlite', server.url]);
  expect(tried).toEqual([...everywhere, 'ring and console on SQLite']);
});

test('the table of the documentation names what is tried here', () => {
  const page = readFileSync(join(root, 'docs/runtimes.md'), 'utf8');
  for (const { name } of runtimes) expect(page).toContain(`| ${name} `);
});
