import { readFile } from 'node:fs/promises';
import { createManualClock } from '@horae/clock-store/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createExecutor, startTimeRing } from '../../src/index.js';
import { type LogLine, printed, recordedLog } from '../support/recorded-log.js';

const START = Date.parse('2026-03-02T09:00:00Z');

/** An ordinary hour: reports every ten minutes, mails that fail twice, an invoice that fails for good, an hour's stall of a minute. */
async function ordinaryHour(): Promise<readonly LogLine[]> {
  const clock = createManualClock({ now: START });
  const { log, lines } = recordedLog(clock);
  const ring = await startTimeRing({
    ...{ database: 'sqlite::memory:', clock, log, nodeId: 'berlin-1' },
    alerts: [{ on: 'fire-failed', channel: 'ops' }],
    channels: { ops: { kind: 'function', send: () => {} } },
  });
  const stop = () => ring.stop({ deadlineMs: 0 });
  onTestFinished(stop);
  await createExecutor({
    ring,
    handlers: {
      report: () => 'done',
      mail: ({ attempt }) => {
        if (attempt < 3) throw new Error('421 try again later');
      },
      invoice: () => {
        throw new RangeError('no such customer: 4711');
      },
    },
  });
  const add = (key: string, expression: string, more = {}) =>
    ring.jobs.put({ ...{ key, name: key, handler: key }, schedule: { kind: 'cron', expression }, ...more });
  await add('report', '0 0/10 * * * ?');
  await add('mail', '0 15 * * * ?', { retries: 3, retry: { kind: 'fixed', delayMs: 5_000 } });
  await add('invoice', '30 20 * * * ?');
  await add('archive', '0 40 * * * ?', { executorGroup: 'archives', waitMs: 60_000 });
  await clock.advanceTo(START + 50 * 60_000 - 1_000);
  // The machine sleeps through the report of ten to ten.
  await clock.jumpTo(START + 51 * 60_000);
  await clock.advanceTo(START + 60 * 60_000);
  await stop();
  return lines;
}

test('a log of one ordinary hour has the facts and levels that people look for', async () => {
  const lines = await ordinaryHour();
  const of = (message: string) => lines.filter((line) => line.message === message);
  for (const { facts } of lines) {
    expect(facts).not.toHaveProperty('error');
    if ('err' in facts) expect(facts.err).toBeInstanceOf(Error);
    expect(facts.nodeId).toBe('berlin-1');
  }
  expect(of('Node started')).toMatchObject([{ level: 'info' }]);
  expect(of('Node stopped')).toMatchObject([{ level: 'info' }]);
  expect(of('A run failed and is tried again')).toMatchObject([
    { level: 'warn', facts: { jobId: 2, jobKey: 'mail', attempt: 1, runId: expect.any(Number) } },
    { level: 'warn', facts: { jobId: 2, jobKey: 'mail', attempt: 2 } },
  ]);
  const failed = of('A run failed for good');
  expect(failed).toMatchObject([
    { level: 'error', facts: { jobKey: 'invoice', attempt: 1 } },
    { level: 'error', facts: { jobKey: 'archive' } },
  ]);
  expect((failed[0]!.facts.err as Error).name).toBe('RangeError');
  expect(of('A run waits')).toMatchObject([{ level: 'info', facts: { jobKey: 'archive', reason: 'executor' } }]);
  expect(of('Occurrences of a job were missed')).toMatchObject([
    { level: 'warn', facts: { jobId: 1, jobKey: 'report' } },
  ]);
  expect(lines.filter(({ message }) => message.startsWith('Alert sent'))).toMatchObject([
    { level: 'info', facts: { jobKey: 'invoice' } },
    { level: 'info', facts: { jobKey: 'archive' } },
  ]);
  const runs = lines.filter(({ level }) => level === 'debug');
  expect(of('A run began').length).toBe(of('A run ended').length + 3);
  expect(runs.every(({ message }) => message === 'A run began' || message === 'A run ended')).toBe(true);
  // What an operator reads in an hour is a page, not a book.
  const read = lines.filter(({ level }) => level !== 'debug').map(printed);
  expect(read.length).toBeLessThan(20);
  const docs = await readFile(new URL('../../../../docs/watching.md', import.meta.url), 'utf8');
  for (const line of read) expect(docs).toContain(line);
});
