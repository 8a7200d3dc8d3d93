import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { nextTurn, systemClock } from './system-clock.js';

const START = Date.parse('2026-03-29T00:00:00Z');
const DAY_MS = 86_400_000;

beforeEach(() => {
  vi.useFakeTimers({
    now: START,
    toFake: ['Date', 'setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance'],
  });
});
afterEach(() => {
  vi.useRealTimers();
});

function watched(sleep: Promise<void>): { isOver: boolean } {
  const state = { isOver: false };
  sleep.then(() => {
    state.isOver = true;
  });
  return state;
}

test('reads the wall clock and a monotonic one', () => {
  const clock = systemClock();
  const monotonic = clock.monotonicMs();
  expect(clock.now()).toBe(START);
  vi.setSystemTime(START - DAY_MS);
  expect(clock.now()).toBe(START - DAY_MS);
  expect(clock.monotonicMs()).toBe(monotonic);
});

test('sleepFor ends when its time has passed and not before', async () => {
  const sleep = watched(systemClock().sleepFor(1_000));
  await vi.advanceTimersByTimeAsync(999);
  expect(sleep.isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(sleep.isOver).toBe(true);
});

test('sleeps longer than setTimeout can count are cut into naps', async () => {
  const sleep = watched(systemClock().sleepFor(40 * DAY_MS));
  await vi.advanceTimersByTimeAsync(40 * DAY_MS - 1);
  expect(sleep.isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(sleep.isOver).toBe(true);
});

test('sleepUntil notices a step of the wall clock within 60 s, sleepFor does not care', async () => {
  const clock = systemClock();
  const appointment = watched(clock.sleepUntil(START + DAY_MS));
  const nap = watched(clock.sleepFor(DAY_MS));
  await vi.advanceTimersByTimeAsync(30_000);
  vi.setSystemTime(START + DAY_MS);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(appointment.isOver).toBe(true);
  expect(nap.isOver).toBe(false);
});

test('sleepUntil waits longer when the wall clock steps back', async () => {
  const appointment = watched(systemClock().sleepUntil(START + 10_000));
  vi.setSystemTime(START - 10_000);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(appointment.isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(appointment.isOver).toBe(true);
});

test.each([
  { story: 'an appointment in the past', sleep: () => systemClock().sleepUntil(START - 1) },
  { story: 'an appointment right now', sleep: () => systemClock().sleepUntil(START) },
  { story: 'no time at all', sleep: () => systemClock().sleepFor(0) },
  { story: 'negative time', sleep: () => systemClock().sleepFor(-5) },
])('$story is over on the next turn', async ({ sleep }) => {
  const state = watched(sleep());
  await vi.advanceTimersByTimeAsync(0);
  expect(state.isOver).toBe(true);
});

test('an aborted sleep rejects with the reason and leaves neither a timer nor a listener', async () => {
  const reason = new Error('enough');
  const abort = new AbortController();
  const sleeps = [
    systemClock().sleepFor(1_000, { signal: abort.signal }),
    systemClock().sleepUntil(START + 1_000, { signal: abort.signal }),
    systemClock().sleepFor(0, { signal: abort.signal }),
  ];
  abort.abort(reason);
  for (const sleep of sleeps) await expect(sleep).rejects.toBe(reason);
  expect(vi.getTimerCount()).toBe(0);
  await expect(systemClock().sleepFor(1, { signal: abort.signal })).rejects.toBe(reason);
});

test('a finished sleep leaves no listener on its signal', async () => {
  const { signal } = new AbortController();
  const sleep = systemClock().sleepFor(10, { signal });
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(10);
  await sleep;
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

test('sleeping for ever is possible', async () => {
  const abort = new AbortController();
  const sleep = systemClock().sleepFor(Number.POSITIVE_INFINITY, { signal: abort.signal });
  const state = { isOver: false };
  const end = sleep.catch(() => {
    state.isOver = true;
  });
  await vi.advanceTimersByTimeAsync(10 * DAY_MS);
  expect(state.isOver).toBe(false);
  abort.abort();
  await end;
});

test('a time that is not a number is refused', async () => {
  await expect(systemClock().sleepFor(Number.NaN)).rejects.toMatchObject({
    code: 'bad-clock-input',
    details: { field: 'ms' },
  });
  await expect(systemClock().sleepUntil('soon' as never)).rejects.toMatchObject({ details: { field: 'at' } });
});

test('a turn of the event loop comes even when the timers are replaced', async () => {
  await nextTurn();
});
