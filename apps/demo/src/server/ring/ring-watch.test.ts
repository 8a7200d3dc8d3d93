import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createManualClock } from 'horae/time/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startRingWatch } from './ring-watch.js';

test('a node whose database cannot be used when its rest is over tries again until it can', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'horae-demo-ring-'));
  const away = `${folder}-away`;
  onTestFinished(() => {
    for (const path of [folder, away]) rmSync(path, { recursive: true, force: true });
  });
  const clock = createManualClock({ now: 0 });
  const notes: string[] = [];
  const watch = await startRingWatch({
    clock,
    databaseUrl: `sqlite:${join(folder, 'ring.db')}`,
    nodeId: 'node',
    note: (_engine, text) => void notes.push(text),
    onChange: () => {},
  });
  onTestFinished(() => watch.stop());
  const statusNow = async () => (await watch.snapshot()).nodes[0]?.status;

  const resting = watch.rest(14_000);
  await vi.waitFor(() => expect(clock.sleepers).toBe(1));
  renameSync(folder, away);
  await clock.advanceBy(14_000);
  await vi.waitFor(() => expect(notes.filter((text) => text.includes('cannot start'))).toHaveLength(1));
  expect(await statusNow()).toBe('resting');
  renameSync(away, folder);
  await vi.waitFor(() => expect(clock.sleepers).toBe(1));
  await clock.advanceBy(1_000);
  await resting;
  expect(await statusNow()).toBe('ok');
  expect(watch.ring().health().status).not.toBe('stopped');
});
