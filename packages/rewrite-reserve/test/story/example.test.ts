import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const EXAMPLE = fileURLToPath(new URL('../../examples/collaborative-document.mjs', import.meta.url));

async function linesOf(...threads: string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [EXAMPLE, ...threads]);
  return stdout.trim().split('\n');
}

test('the collaborative document ends in one digest, whatever the number of threads', async () => {
  const runs = await Promise.all([linesOf(), linesOf('1'), linesOf('4')]);
  const digest = runs[0]!.at(-1)!;
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
  expect(runs.every((lines) => lines.join() === runs[0]!.join())).toBe(true);
  expect(runs[0]!.filter((line) => line.includes(' waits for ')).length).toBeGreaterThan(1);
});
