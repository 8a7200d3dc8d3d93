import { createManualClock } from '@horae/clock-store/testing';
import { expect, test } from 'vitest';
import { createRingTime } from './ring-time.js';

/** A database whose clock is `ahead` of the machine's, and that looks at it so long after the question, of so long altogether. */
function database(clock: ReturnType<typeof createManualClock>, ahead: number) {
  return (lookAfterMs: number, tookMs: number) => ({
    async now() {
      await clock.advanceBy(lookAfterMs);
      const at = Math.floor(clock.now() + ahead);
      await clock.advanceBy(tookMs - lookAfterMs);
      return at;
    },
  });
}

test('the time of a database is carried on by elapsed time', async () => {
  const clock = createManualClock({ now: 1_000_000 });
  const time = createRingTime(clock, false);
  await time.read(database(clock, 5_000)(0, 0));
  await clock.advanceBy(123);
  expect(Math.abs(time.now() - (clock.now() + 5_000))).toBeLessThanOrEqual(1);
});

test('readings that take their time do not make it go back: what fits with them is kept', async () => {
  const clock = createManualClock({ now: 1_000_000 });
  const time = createRingTime(clock, false);
  const ask = database(clock, 5_000);
  await time.read(ask(1, 2));
  let last = time.now();
  for (const [lookAfterMs, tookMs] of [
    [0, 10],
    [10, 10],
    [3, 40],
    [40, 40],
    [0, 1],
  ] as const) {
    await time.read(ask(lookAfterMs, tookMs));
    expect(time.now()).toBeGreaterThanOrEqual(last);
    last = time.now();
    expect(Math.abs(last - (clock.now() + 5_000))).toBeLessThanOrEqual(2);
  }
});

test('a database whose clock was set is followed at once', async () => {
  const clock = createManualClock({ now: 1_000_000 });
  const time = createRingTime(clock, false);
  await time.read(database(clock, 0)(0, 0));
  await time.read(database(clock, 60_000)(0, 0));
  expect(Math.abs(time.now() - (clock.now() + 60_000))).toBeLessThanOrEqual(1);
  await time.read(database(clock, -60_000)(0, 0));
  expect(Math.abs(time.now() - (clock.now() - 60_000))).toBeLessThanOrEqual(1);
});

test.each([
  { story: 'looks at its clock at once', lookAfterMs: 0 },
  { story: 'looks at its clock halfway', lookAfterMs: 40 },
  { story: 'looks at its clock at the end', lookAfterMs: 80 },
])('the time of a database that answers slowly and $story is never ahead of it', async ({ lookAfterMs }) => {
  const clock = createManualClock({ now: 1_000_000 });
  const time = createRingTime(clock, false);
  for (const tookMs of [80, 90, 81, 300]) {
    await time.read(database(clock, 5_000)(lookAfterMs, tookMs));
    expect(time.now()).toBeLessThanOrEqual(clock.now() + 5_000);
    await clock.advanceBy(7);
    expect(time.now()).toBeLessThanOrEqual(clock.now() + 5_000);
  }
});
