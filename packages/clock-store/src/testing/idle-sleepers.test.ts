import { describe, expect, test } from 'vitest';
import { nextLook } from './idle-sleepers.js';
import { createManualClock } from './manual-clock.js';

const HOUR_MS = 3_600_000;

test.each([
  { story: 'the last look before the next event', event: 5_500, end: 9_000, idleUntil: Infinity, wakes: 5_000 },
  { story: 'a look before the event, not with it', event: 5_000, end: 9_000, idleUntil: Infinity, wakes: 4_000 },
  { story: 'the last look of the move', event: undefined, end: 9_000, idleUntil: Infinity, wakes: 9_000 },
  { story: 'the first look when it is no longer idle', event: 9_500, end: 9_900, idleUntil: 6_001, wakes: 7_000 },
  { story: 'the look at the very end of its idleness', event: undefined, end: 9_900, idleUntil: 6_000, wakes: 6_000 },
  { story: 'its first look, after an event before it', event: 500, end: 9_900, idleUntil: Infinity, wakes: 1_000 },
])('an idle sleeper wakes for $story', ({ event, end, idleUntil, wakes }) => {
  const sleeper = { at: 1_000, everyMs: 1_000, idleUntil, isDisturbed: false };
  expect(nextLook(sleeper, { event: event === undefined ? undefined : { at: event }, end })).toBe(wakes);
  expect(nextLook({ ...sleeper, isDisturbed: true }, { event: undefined, end })).toBe(1_000);
});

/** A loop that looks every second and finds nothing for `idleMs` each time; tells when it looked, in seconds. */
function looking(clock: ReturnType<typeof createManualClock>, idleMs = Number.POSITIVE_INFINITY) {
  const looks: number[] = [];
  const stopping = new AbortController();
  const { signal } = stopping;
  const loop = (async () => {
    while (!signal.aborted) {
      await clock.sleepIdle!(1_000, { everyMs: 1_000, idleMs, signal }).catch(() => {});
      looks.push(clock.now() / 1_000);
    }
  })();
  const stop = async () => {
    stopping.abort();
    await loop;
  };
  return { looks, stop };
}

describe('a loop that sleeps while it is idle', () => {
  test('looks at the first and the last second of a move, whatever its length', async () => {
    const clock = createManualClock({ now: 0 });
    const { looks, stop } = looking(clock);
    await clock.advanceBy(HOUR_MS + 500);
    await clock.advanceBy(HOUR_MS);
    expect(looks).toEqual([1, 3_600, 3_601, 7_200]);
    await stop();
  });

  test('looks every second when the clock is moved by seconds', async () => {
    const clock = createManualClock({ now: 0 });
    const { looks, stop } = looking(clock);
    for (let second = 0; second < 4; second++) await clock.advanceBy(1_000);
    expect(looks).toEqual([1, 2, 3, 4]);
    await stop();
  });

  test('looks right before and after whatever else happens, and after it within the same instant', async () => {
    const clock = createManualClock({ now: 0 });
    const { looks, stop } = looking(clock);
    const seen: (readonly number[])[] = [];
    void clock.sleepFor(60_400).then(() => seen.push([...looks]));
    void clock.sleepUntil(90_000).then(() => seen.push([...looks]));
    await clock.advanceBy(100_000);
    expect(seen).toEqual([
      [1, 60],
      [1, 60, 61, 89],
    ]);
    expect(looks).toEqual([1, 60, 61, 89, 90, 100]);
    await stop();
  });

  test('looks when its idleness is over', async () => {
    const clock = createManualClock({ now: 0 });
    const { looks, stop } = looking(clock, 10_500);
    await clock.advanceBy(40_000);
    expect(looks).toEqual([1, 12, 23, 34, 40]);
    await stop();
  });

  test('looks after a jump, as one that sleeps a second at a time does', async () => {
    const clock = createManualClock({ now: 0 });
    const { looks, stop } = looking(clock);
    await clock.advanceBy(10_000);
    await clock.jumpTo(50_000);
    await clock.advanceBy(5_000);
    expect(looks).toEqual([1, 10, 51, 55]);
    await stop();
  });

  test('looks every second beside another such loop, whose looks may concern it', async () => {
    const clock = createManualClock({ now: 0 });
    const [one, two] = [looking(clock), looking(clock)];
    await clock.advanceBy(5_000);
    expect([one.looks, two.looks]).toEqual([
      [1, 2, 3, 4, 5],
      [1, 2, 3, 4, 5],
    ]);
    await Promise.all([one.stop(), two.stop()]);
  });

  test.each([
    { story: 'drifts', options: { driftPpm: 1_000 } },
    { story: 'steps by itself', options: { steps: [{ afterMs: 3_500, byMs: 100 }] } },
  ])('looks every second on a clock that $story', async ({ options }) => {
    const clock = createManualClock({ now: 0, ...options });
    const { looks, stop } = looking(clock);
    await clock.advanceBy(6_000);
    expect(looks.length).toBe(6);
    await stop();
  });

  test('ends with the reason of its signal and leaves no sleeper', async () => {
    const clock = createManualClock({ now: 0 });
    const stopping = new AbortController();
    const { signal } = stopping;
    const asleep = clock.sleepIdle!(1_000, { everyMs: 1_000, idleMs: Number.POSITIVE_INFINITY, signal });
    expect(clock.sleepers).toBe(1);
    stopping.abort('enough');
    await expect(asleep).rejects.toBe('enough');
    expect(clock.sleepers).toBe(0);
    await expect(clock.sleepIdle!(1_000, { everyMs: 1_000, idleMs: 5_000, signal })).rejects.toBe('enough');
  });

  test.each([
    { field: 'everyMs', ms: 1_000, everyMs: 0, idleMs: 5_000 },
    { field: 'idleMs', ms: 1_000, everyMs: 1_000, idleMs: Number.NaN },
    { field: 'ms', ms: Number.NaN, everyMs: 1_000, idleMs: 5_000 },
  ])('refuses a wrong $field by name', async ({ field, ms, everyMs, idleMs }) => {
    const clock = createManualClock({ now: 0 });
    const refused = (async () => clock.sleepIdle!(ms, { everyMs, idleMs }))();
    await expect(refused).rejects.toMatchObject({ code: 'bad-clock-input', details: { field } });
  });
});
