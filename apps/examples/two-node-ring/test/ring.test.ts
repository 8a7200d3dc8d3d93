import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

test('both executors do their share, before and after a node is killed', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'two-node-ring-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', main], {
    env: { ...process.env, DATABASE_URL: `sqlite:${join(folder, 'ring.db')}` },
    timeout: 100_000,
  });
  const lines = stdout.trim().split('\n').slice(1);
  // Which executor has which shard is the ring's business.
  const shares = (answers: string[]) => answers.map((line) => line.replace(/ada|ben/, 'x')).sort();
  const whole = ['succeeded: x: 0 2 4', 'succeeded: x: 1 3 5'];
  assert.deepEqual(shares(lines.slice(0, 2)), whole);
  assert.equal(lines[2], 'node one is killed');
  assert.deepEqual(shares(lines.slice(3)), whole);
});
