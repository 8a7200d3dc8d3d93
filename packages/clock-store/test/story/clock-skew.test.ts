import { type Clock, systemClock } from '@horae/clock-store';
import { measureClockSkew, openDatabase } from '@horae/clock-store/storage';
import { createManualClock, startTestMariadb, startTestPostgres } from '@horae/clock-store/testing';
import { expect, test } from 'vitest';

const offBy = (ms: number): Clock => {
  const real = systemClock();
  return { ...real, now: () => real.now() + ms, monotonicMs: () => real.monotonicMs() };
};

/** The servers run on this machine, so the difference is known but for the rounding to milliseconds. */
const ROUNDING_MS = 2;

test.for([
  { name: 'PostgreSQL', start: startTestPostgres },
  { name: 'MariaDB', start: startTestMariadb },
])('the clock of $name is compared with ours', async ({ name, start }, context) => {
  const server = await start();
  if (server === 'unavailable')
    return context.skip(`${name} is not installed here; HORAE_REQUIRE_MARIADB=1 makes this a failure`);
  const database = await openDatabase(server.url);
  for (const ms of [0, 10_000, -90_000]) {
    const { aheadMs, uncertaintyMs } = await measureClockSkew(database, { clock: offBy(ms) });
    expect(Math.abs(aheadMs + ms)).toBeLessThanOrEqual(uncertaintyMs + ROUNDING_MS);
  }
  await database.close();
  await server.stop();
});

test('SQLite has the clock that it was given', async () => {
  const clock = createManualClock({ now: '2026-03-01T00:00:00Z' });
  await using database = await openDatabase('sqlite::memory:', { clock });
  expect(await measureClockSkew(database, { clock })).toEqual({ aheadMs: 0, uncertaintyMs: 0 });
  const late = createManualClock({ now: '2026-03-01T00:00:05Z' });
  expect(await measureClockSkew(database, { clock: late })).toEqual({ aheadMs: -5_000, uncertaintyMs: 0 });
});
