import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@horae/clock-store/storage';
import { createManualClock, startTestMariadb, startTestPostgres } from '@horae/clock-store/testing';
import BetterSqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createExecutor, startTimeRing, type TimeRing } from '../../src/index.js';
import { doorTo } from '../support/database-door.js';
import { listen, START } from '../support/ring-stage.js';

const EVERY_SECOND = {
  name: 'tick',
  handler: 'tick',
  schedule: { kind: 'cron', expression: '* * * * * ?' },
  block: 'CONCURRENT',
  concurrency: 100,
} as const;

/** A ring in manual time on a database that can go away, with one job a second. */
async function tickingRing(url: string, databaseOptions: { busyLimitMs?: number } = {}) {
  const clock = createManualClock({ now: START });
  const database = await openDatabase(url, databaseOptions);
  const ring = await startTimeRing({ database, clock });
  onTestFinished(async () => {
    const stopping = ring.stop({ deadlineMs: 0 });
    await clock.advanceBy(10_000);
    await stopping;
    await database.close();
  });
  const ticks: number[] = [];
  await createExecutor({
    ring,
    handlers: { tick: ({ scheduleTime }) => void ticks.push((scheduleTime! - START) / 1_000) },
  });
  const heard = listen(ring);
  await ring.jobs.add({ ...EVERY_SECOND, start: true });
  return { clock, database, ring, ticks, failures: () => heard.filter(({ name }) => name === 'pass-failed') };
}

/** Each second up to `last` has one run, which succeeded; a handler may have begun twice where an answer was lost. */
async function expectEverySecond(ring: TimeRing, ticks: readonly number[], last: number): Promise<void> {
  const { runs } = await ring.runs.list({ jobId: 1, to: START + last * 1_000 + 1, limit: 1_000 });
  const seconds = Array.from({ length: last }, (_, i) => i + 1);
  expect(runs.map(({ scheduleTime }) => (scheduleTime! - START) / 1_000).reverse()).toEqual(seconds);
  expect(runs.filter(({ state }) => state !== 'succeeded')).toEqual([]);
  expect([...new Set(ticks)].sort((a, b) => a - b)).toEqual(expect.arrayContaining(seconds));
}

describe.each([
  { name: 'PostgreSQL', start: startTestPostgres as typeof startTestMariadb },
  { name: 'MariaDB', start: startTestMariadb },
])('$name', ({ start }) => {
  test('lost for four seconds and back: passes fail and say so, health is degraded, then all is caught up', async (context) => {
    const server = await start();
    if (server === 'unavailable') return context.skip('MariaDB is not installed here');
    onTestFinished(() => server.stop());
    const door = await doorTo(server.url);
    const { clock, ring, ticks, failures } = await tickingRing(door.url);
    await clock.advanceTo(START + 3_000);
    expect(ring.health().status).toBe('ok');
    door.shut();
    await clock.advanceTo(START + 7_000);
    expect(failures().length).toBeGreaterThan(0);
    expect(ring.health()).toMatchObject({ status: 'degraded', problem: expect.any(String) });
    expect(ring.metrics().passesFailed).toBe(failures().length);
    door.open();
    await clock.advanceTo(START + 15_000);
    expect(ring.health()).toMatchObject({ status: 'ok', problem: null });
    await expectEverySecond(ring, ticks, 14);
    expect(ring.metrics().misfired).toBe(0);
  });

  test('ended and started again: the node finds its database as it left it and catches up', async (context) => {
    const server = await start();
    if (server === 'unavailable') return context.skip('MariaDB is not installed here');
    onTestFinished(() => server.stop());
    const { clock, ring, ticks, failures } = await tickingRing(server.url);
    await clock.advanceTo(START + 3_000);
    await server.halt();
    await clock.advanceTo(START + 6_000);
    expect(failures().length).toBeGreaterThan(0);
    expect(ring.health().status).toBe('degraded');
    await server.resume();
    await clock.advanceTo(START + 14_000);
    expect(ring.health()).toMatchObject({ status: 'ok', problem: null });
    await expectEverySecond(ring, ticks, 13);
    expect(ring.metrics().misfired).toBe(0);
  });
});

async function sqliteFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'horae-ring-lost-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'ring.db');
}

test('SQLite locked by another connection past the limit: passes fail and say so, then all is caught up', async () => {
  const path = await sqliteFile();
  const { clock, ring, ticks, failures } = await tickingRing(`sqlite:${path}`, { busyLimitMs: 50 });
  await clock.advanceTo(START + 3_000);
  const holder = new BetterSqlite(path);
  onTestFinished(() => void holder.close());
  holder.exec('begin immediate');
  await clock.advanceTo(START + 6_000);
  expect(failures().map(({ event }) => event)).toContainEqual(
    expect.objectContaining({ error: expect.objectContaining({ code: 'database-busy' }) }),
  );
  expect(ring.health().status).toBe('degraded');
  holder.exec('rollback');
  await clock.advanceTo(START + 14_000);
  expect(ring.health().status).toBe('ok');
  await expectEverySecond(ring, ticks, 13);
});

test('a full disk: passes fail and say so, health names it, and all is caught up when there is room', async () => {
  const { clock, ring, database, ticks, failures } = await tickingRing(`sqlite:${await sqliteFile()}`);
  const others = Array.from({ length: 100 }, () =>
    ring.jobs.add({ ...EVERY_SECOND, executorGroup: 'none', start: true }),
  );
  await Promise.all(others);
  await clock.advanceTo(START + 2_000);
  await sql`pragma max_page_count = 1`.execute(database.kysely);
  // Small writes find room inside the file's pages for a while.
  while (failures().length === 0 && clock.now() < START + 60_000) await clock.advanceBy(1_000);
  expect(failures()[0]!.event).toMatchObject({ error: { code: 'disk-full' } });
  expect(ring.health()).toMatchObject({ status: 'degraded', problem: expect.stringContaining('No room left') });
  await clock.advanceBy(2_000);
  await sql`pragma max_page_count = 1000000`.execute(database.kysely);
  const until = (clock.now() - START) / 1_000 + 8;
  await clock.advanceTo(START + (until + 1) * 1_000);
  expect(ring.health().status).toBe('ok');
  expect(ring.metrics().misfired).toBe(0);
  await expectEverySecond(ring, ticks, until);
});
