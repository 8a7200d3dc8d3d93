import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const program = fileURLToPath(new URL('./processes/scheduler-process.mjs', import.meta.url));

interface Told {
  event: string;
  taskName?: string;
  reason?: string;
  schedulerId?: string;
  tasks?: { name: string; state: string; lastSuccessAt: number | null }[];
}

function start(database: string, attempt: string) {
  const child: ChildProcess = spawn(process.execPath, [program, database, attempt], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const told: Told[] = [];
  const waiting: { isMet(event: Told): boolean; resolve(event: Told): void }[] = [];
  createInterface({ input: child.stdout! }).on('line', (line) => {
    const event = JSON.parse(line) as Told;
    told.push(event);
    for (const { isMet, resolve } of waiting) if (isMet(event)) resolve(event);
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const until = (isMet: (event: Told) => boolean) =>
    new Promise<Told>((resolve) => {
      const already = told.find(isMet);
      if (already) resolve(already);
      else waiting.push({ isMet, resolve });
    });
  return { child, told, ended, until };
}

test('O4 O8 D3 S6: a process killed with SIGKILL during a run leaves an orphan that the next process runs exactly once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'horae-killed-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const database = `sqlite:${join(folder, 'tasks.db')}`;
  const isStuckStart = ({ event, taskName }: Told) => event === 'TaskRunStarted' && taskName === 'stuck';
  const reasons: (string | undefined)[] = [];
  const identifiers = new Set<string | undefined>();
  for (const attempt of ['first', 'second', 'third']) {
    const process = start(database, attempt);
    const started = await process.until(isStuckStart);
    reasons.push(started.reason);
    identifiers.add(started.schedulerId);
    process.child.kill('SIGKILL');
    await process.ended;
    expect(process.told.filter(isStuckStart)).toHaveLength(1);
    expect(process.told.some(({ event }) => event === 'TaskRecordDiscarded')).toBe(false);
  }
  expect(reasons).toEqual(['boot', 'orphan', 'orphan']);
  expect(identifiers.size).toBe(3);

  const last = start(database, 'last');
  const end = await last.until(({ event }) => event === 'end');
  await last.ended;
  expect(last.told.filter(({ event }) => event === 'TaskRunStarted')).toMatchObject([
    { taskName: 'stuck', reason: 'orphan' },
  ]);
  expect(end.tasks).toMatchObject([
    { name: 'stuck', state: 'AwaitingRun', lastSuccessAt: expect.any(Number) },
    { name: 'done', state: 'AwaitingRun', lastSuccessAt: null },
  ]);
});
