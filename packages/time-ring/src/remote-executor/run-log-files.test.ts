import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createManualClock } from '@horae/clock-store/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { longHandler, remoteExecutor } from '../../test/support/remote-executor-stage.js';
import { silentLogger } from '../model/logger.js';
import { openRunLogFiles } from './run-log-files.js';

test('the log of a run is paged through, lines from 1; line feeds make lines; beyond the end there is nothing', async () => {
  const { handler, contexts, ends } = longHandler();
  const { run, call, clock, results } = await remoteExecutor({ work: handler });
  await run(5);
  await vi.waitFor(() => expect(contexts).toHaveLength(1));
  contexts[0]!.log('one');
  contexts[0]!.log('two\nthree');
  const page = async (fromLineNum: number) =>
    (await call('/log', { logId: 5, logDateTim: clock.now(), fromLineNum })).content;
  expect(await page(1)).toEqual({ fromLineNum: 1, toLineNum: 3, logContent: 'one\ntwo\nthree\n', isEnd: false });
  expect(await page(3)).toEqual({ fromLineNum: 3, toLineNum: 3, logContent: 'three\n', isEnd: false });
  expect(await page(4)).toMatchObject({ fromLineNum: 4, logContent: '', isEnd: false });
  contexts[0]!.log('<b>last</b>');
  ends[0]!();
  await results(1);
  expect(await page(4)).toEqual({ fromLineNum: 4, toLineNum: 4, logContent: '<b>last</b>\n', isEnd: true });
  expect(await call('/log', { logId: 999, logDateTim: 0, fromLineNum: 1 })).toMatchObject({
    code: 200,
    content: { logContent: '', isEnd: true },
  });
});

test('a long log comes in pages, and what a run may write has an end', async () => {
  const { run, call, clock, results } = await remoteExecutor({
    work: ({ log }) => {
      for (let line = 1; line <= 2_500; line++) log(`line ${line}`);
      for (let line = 0; line < 30; line++) log('x'.repeat(400_000));
    },
  });
  await run(1);
  await results(1);
  const lines: string[] = [];
  for (;;) {
    const { content } = await call('/log', { logId: 1, logDateTim: clock.now(), fromLineNum: lines.length + 1 });
    expect(content.logContent.length).toBeLessThan(1_000_000);
    lines.push(...content.logContent.split('\n').slice(0, -1));
    expect(content.toLineNum).toBe(lines.length);
    if (content.isEnd) break;
  }
  expect(lines.slice(0, 2_500)).toEqual(Array.from({ length: 2_500 }, (_, index) => `line ${index + 1}`));
  expect(lines.length).toBeLessThan(2_530);
  expect(lines.at(-1)).toMatch(/cut off/);
});

test('logs are kept a folder a day, and days older than thirty go', async () => {
  const logDir = await mkdtemp(join(tmpdir(), 'horae-logs-'));
  onTestFinished(() => rm(logDir, { recursive: true, force: true }));
  for (const day of ['2025-12-01', '2025-12-05', 'mine']) await mkdir(join(logDir, day));
  await writeFile(join(logDir, '2025-12-01', '1.log'), 'old\n');
  await writeFile(join(logDir, '2025-12-05', '3.log'), 'kept\n');
  const { run, call, results } = await remoteExecutor({ work: ({ log }) => log('new') }, { logDir });
  await run(2);
  await results(1);
  await vi.waitFor(async () => expect((await readdir(logDir)).sort()).toEqual(['2025-12-05', '2026-01-01', 'mine']));
  expect(
    (await call('/log', { logId: 3, logDateTim: Date.parse('2025-12-05T12:00:00Z'), fromLineNum: 1 })).content
      .logContent,
  ).toBe('kept\n');
});

test('a run that claims to be of the year 9000 removes no logs of others', async () => {
  const logDir = await mkdtemp(join(tmpdir(), 'horae-logs-'));
  onTestFinished(() => rm(logDir, { recursive: true, force: true }));
  const { run, call, clock, results } = await remoteExecutor({ work: ({ log }) => log('line') }, { logDir });
  await run(1);
  await results(1);
  const logDateTime = Date.parse('9000-01-01T00:00:00Z');
  await run(2, { logDateTime });
  await results(2);
  await vi.waitFor(async () => expect((await readdir(logDir)).sort()).toEqual(['2026-01-01', '9000-01-01']));
  for (const [logId, logDateTim] of [
    [1, clock.now()],
    [2, logDateTime],
  ]) {
    expect((await call('/log', { logId, logDateTim, fromLineNum: 1 })).content.logContent).toBe('line\n');
  }
});

test('a log that cannot be read is refused, so that it does not look like an empty one', async () => {
  const logDir = await mkdtemp(join(tmpdir(), 'horae-logs-'));
  onTestFinished(() => rm(logDir, { recursive: true, force: true }));
  const { call, clock } = await remoteExecutor({}, { logDir });
  await mkdir(join(logDir, '2026-01-01', '7.log'), { recursive: true });
  expect(await call('/log', { logId: 7, logDateTim: clock.now(), fromLineNum: 1 })).toMatchObject({
    code: 500,
    msg: expect.stringMatching(/cannot be read/),
  });
});

test('the payload of a log may be in `data`', async () => {
  const { call } = await remoteExecutor({}, { payloadField: 'data' });
  expect(await call('/log', { logId: 1, fromLineNum: 1 })).toMatchObject({ code: 200, data: { logContent: '' } });
});

test.skipIf(process.platform === 'win32')('run logs are readable by their owner alone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'horae-log-modes-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const logs = await openRunLogFiles(join(folder, 'logs'), { log: silentLogger, clock: createManualClock({ now: 0 }) });
  logs.write({ runId: 1, logDateTime: 0 }, 'a secret');
  await logs.close();
  const modeOf = async (...path: string[]) => (await stat(join(folder, 'logs', ...path))).mode & 0o777;
  expect([await modeOf(), await modeOf('1970-01-01'), await modeOf('1970-01-01', '1.log')]).toEqual([
    0o700, 0o700, 0o600,
  ]);
});
