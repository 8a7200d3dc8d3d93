import { spawn } from 'node:child_process';
import { existsSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { command, horaeInShell, scratchFolder, startDaemon } from '../support/run-horae.js';

const hasFullDevice = existsSync('/dev/full');

const daemons = [
  {
    words: ['tasks', 'run', 'daemon.yaml'],
    file: 'database: sqlite:./d.db\nzone: UTC\ntasks: [{ name: a, cron: "* * * * *", run: "echo hi; sleep 0.3; touch ran" }]\n',
  },
  {
    words: ['ring', 'serve', 'daemon.yaml'],
    file: [
      'database: sqlite:./d.db',
      'handlers: { a: { run: "echo hi; touch ran" } }',
      'jobs: [{ name: a, handler: a, schedule: { kind: fix-rate, everyMs: 1s } }]\n',
    ].join('\n'),
  },
];

function folderWith(file: string): string {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'daemon.yaml'), file);
  return folder;
}

describe.each(daemons)('horae $words.0 $words.1', ({ words, file }) => {
  test.runIf(hasFullDevice)('goes on when its log cannot be written, and says so once on standard error', async () => {
    const folder = folderWith(file);
    const child = spawn(process.execPath, [command, ...words], {
      cwd: folder,
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let stderr = '';
    child.stderr!.on('data', (chunk) => {
      stderr += String(chunk);
    });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    await expect.poll(() => existsSync(join(folder, 'ran')), { timeout: 30_000 }).toBe(true);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(stderr).toBe('horae: standard output cannot be written (ENOSPC); going on without it\n');
  });

  test('goes on when the reader of its log has died', async () => {
    const folder = folderWith(file);
    const daemon = startDaemon(words, { cwd: folder });
    await daemon.line(({ message }) => message === 'running');
    daemon.child.stdout!.destroy();
    await expect.poll(() => existsSync(join(folder, 'ran')), { timeout: 30_000 }).toBe(true);
    expect(daemon.child.exitCode).toBeNull();
    daemon.kill('SIGTERM');
    const { code, stderr } = await daemon.ended;
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'horae: standard output cannot be written (EPIPE); going on without it\n',
    });
  });
});

test
  .runIf(hasFullDevice)
  .each([
    'horae cron next "* * * * *"',
    'horae cron check "* * * * *" --json',
    'horae --help',
    'horae --version',
    'horae completion bash',
  ])('%s fails with a word when its answer cannot be written', (line) => {
  const { code, stderr } = horaeInShell(`${line} > /dev/full`);
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'horae: standard output cannot be written (ENOSPC)\n' });
});
