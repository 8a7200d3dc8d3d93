import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { root } from './workspace.js';

/** The unused parts of `folder` that knip reports: files, exports, dependencies; empty when all is used. */
export async function unused(folder = root): Promise<string> {
  const args = ['exec', 'knip', '--directory', folder, '--reporter', 'compact', '--no-progress', '--no-exit-code'];
  const { stdout } = await promisify(execFile)('pnpm', args, {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  return stdout.trim();
}
