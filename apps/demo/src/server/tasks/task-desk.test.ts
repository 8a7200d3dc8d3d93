import { createManualClock } from 'horae/time/testing';
import { expect, onTestFinished, test } from 'vitest';
import { newDatabase } from '../../../test/stage/demo-process.js';
import { createTaskDesk } from './task-desk.js';

async function stage() {
  const clock = createManualClock({ now: '2026-03-02T08:59:10Z' });
  const told: string[] = [];
  const desk = createTaskDesk({
    clock,
    databaseUrl: `sqlite:${newDatabase()}`,
    zone: 'UTC',
    note: (_engine, text) => told.push(text),
    onChange: () => {},
  });
  await desk.start();
  /** Lets time pass until it is done: a stop waits for what is running. */
  const inTime = async (work: Promise<void>) => {
    let isOver = false;
    const over = work.finally(() => {
      isOver = true;
    });
    over.catch(() => {});
    for (let second = 0; second < 60 && !isOver; second++) await clock.advanceBy(1_000);
    await over;
  };
  onTestFinished(() => inTime(desk.stop()));
  const row = (name: string) => desk.snapshot().tasks.find((task) => task.name === name)!;
  return { clock, desk, told, row, inTime };
}

test('the first ten seconds have successes, failures, retries and something long', async () => {
  const { clock, told, row } = await stage();
  await clock.advanceBy(10_000);
  expect(told).toContain('tide-gauge is done');
  expect(told.some((text) => text.startsWith('weather-radio failed'))).toBe(true);
  expect(told).toContain('weather-radio is tried again, attempt 2');
  expect(row('customs-sync').state).toBe('Running');
});

test('a click counts for what is already under way', async () => {
  const { clock, desk, row } = await stage();
  desk.setBehaviour('customs-sync', 'fails');
  await clock.advanceBy(23_000);
  expect(row('customs-sync').state).toBe('AwaitingRetry');
  expect(desk.explain('customs-sync', clock.now()).sentence).toContain('its retry is due at');
});

test('a faulty list is refused and the old one goes on', async () => {
  const { desk, inTime } = await stage();
  const bad = [{ name: 'x', cron: '*/5 * * * *', retryDelayMs: 1, behaviour: 'succeeds' as const, worksMs: 0 }];
  await expect(inTime(desk.declare(bad))).rejects.toThrow('step');
  expect(desk.snapshot().tasks).toHaveLength(6);
  expect(desk.snapshot().status).toBe('running');
});

test('a task may be declared in any dialect, and is described in it', async () => {
  const { clock, desk, row, inTime } = await stage();
  const task = { retryDelayMs: 1_000, behaviour: 'succeeds' as const, worksMs: 0 };
  await inTime(
    desk.declare([
      { ...task, name: 'crontab', cron: '*/5 9-17 * * mon-fri', dialect: 'vixie' },
      { ...task, name: 'quartz', cron: '30 0 9 ? * MON', dialect: 'quartz' },
    ]),
  );
  expect(row('crontab').words).toBe('Every 5 minutes from 09:00 to 17:55 from Monday to Friday');
  expect(row('quartz')).toMatchObject({ dialect: 'quartz', words: 'At 09:00:30 on Mondays' });
  await clock.advanceBy(120_000);
  expect(row('crontab').lastSuccessAt).not.toBe(null);
  expect(row('quartz').lastSuccessAt).not.toBe(null);
  expect(desk.snapshot().verdict.broken).toEqual([]);
});

test('after a power cut what was running is an orphan, and the trace stays legal', async () => {
  const { clock, desk, row, inTime } = await stage();
  await clock.advanceBy(5_000);
  await inTime(desk.pullThePlug());
  expect(row('customs-sync').origin).toBe('orphaned');
  expect(row('tide-gauge').origin).toBe('preserved');
  await clock.advanceBy(60_000);
  expect(desk.snapshot().verdict.broken).toEqual([]);
  expect(desk.snapshot().verdict.events).toBeGreaterThan(20);
});
