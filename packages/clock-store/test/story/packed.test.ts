import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.js';

const run = promisify(execFile);
const packageFolder = fileURLToPath(new URL('../..', import.meta.url));

const PROGRAM = `
import { createEmitter, systemClock } from '@horae/clock-store';
import { openDatabase } from '@horae/clock-store/storage';
import { createManualClock } from '@horae/clock-store/testing';
const report = { clock: typeof systemClock().now(), emitter: typeof createEmitter().emit, errors: {} };
const manual = createManualClock({ now: 0 });
await manual.advanceBy(5);
report.manual = manual.now();
for (const url of ['sqlite:horae.db', 'postgres://ann:s3cret@db/app', 'mysql://ann:s3cret@db/app']) {
  await openDatabase(url).catch((error) => { report.errors[url.split(':')[0]] = { code: error.code, install: error.details.install, message: error.message }; });
}
console.log(JSON.stringify(report));
`;

test('installs in an empty project with nothing to build, and storage says which driver to install', async () => {
  const project = await temporaryFolder();
  const { stdout: packed } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', project], {
    cwd: packageFolder,
  });
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module' }));
  // Offline: there is nothing to fetch beside the tarball itself.
  await run(
    'npm',
    ['install', '--offline', '--no-audit', '--no-fund', join(project, filename.replace(/^@/, '').replace('/', '-'))],
    { cwd: project },
  );
  const { stdout: listed } = await run('npm', ['ls', '--all', '--json'], { cwd: project });
  expect(Object.keys((JSON.parse(listed) as { dependencies: object }).dependencies)).toEqual(['@horae/clock-store']);
  await writeFile(join(project, 'program.mjs'), PROGRAM);
  const { stdout } = await run(process.execPath, ['program.mjs'], { cwd: project });
  const report = JSON.parse(stdout) as { errors: Record<string, { code: string; install: string; message: string }> };
  expect(report).toMatchObject({ clock: 'number', emitter: 'function', manual: 5 });
  expect(report.errors.sqlite).toMatchObject({ code: 'driver-missing', install: 'npm install kysely better-sqlite3' });
  expect(report.errors.postgres).toMatchObject({ code: 'driver-missing', install: 'npm install kysely pg' });
  expect(report.errors.mysql).toMatchObject({ code: 'driver-missing', install: 'npm install kysely mysql2' });
  expect(stdout).toContain('npm install kysely better-sqlite3');
  expect(stdout).not.toContain('s3cret');
  const { stdout: required } = await run(
    process.execPath,
    ['-p', 'typeof require("@horae/clock-store").seededRandom'],
    { cwd: project },
  );
  expect(required.trim()).toBe('function');
}, 120_000);
