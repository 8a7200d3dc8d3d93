import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installInto, packAll, type Tarballs } from '../src/installed-project.js';
import { readPackages, root } from '../src/workspace.js';

const examples = join(root, 'apps/examples');
const apps = readdirSync(examples).filter((name) => existsSync(join(examples, name, 'package.json')));
const scratch = mkdtempSync(join(tmpdir(), 'horae-examples-'));
let tarballs: Tarballs;

beforeAll(() => {
  tarballs = packAll(
    readPackages().filter(({ folder }) => folder.startsWith('packages/')),
    scratch,
  );
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

interface AppManifest {
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

test.each(apps)('apps/examples/%s installs from tarballs, is rightly typed, and passes its own tests', async (name) => {
  const folder = join(scratch, name);
  cpSync(join(examples, name), folder, { recursive: true });
  const manifest: AppManifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  installInto(folder, Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }), tarballs, manifest);
  const run = (script: string) =>
    promisify(execFile)('pnpm', ['run', script], {
      cwd: folder,
      timeout: 150_000,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
  await run('typecheck');
  const { stdout } = await run('test');
  expect(stdout).toMatch(/^# pass [1-9]/m);
  expect(stdout).toMatch(/^# fail 0$/m);
});
