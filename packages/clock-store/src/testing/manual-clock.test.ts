import { getEventListeners } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createManualClock } from './manual-clock.js';

const NEW_YEAR = '2026-01-01T00:00:00Z';
const NEW_YEAR_MS = Date.parse(NEW_YEAR);

function isPending(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending');
  return Promise.race([promise, turn(pending)]).then((value) => value === pending);
}

test('stands still until it is moved, and takes ISO text', async () => {
  const clock = createManualClock({ now: NEW_YEAR });
  expect(clock.now()).toBe(NEW_YEAR_MS);
  expect(clock.monotonicMs()).toBe(0);
  await clock.advanceTo('2026-01-01T00:00:10Z');
  await clock.advanceBy(5_000);
  expect(clock.now()).toBe(NEW_YEAR_MS + 15_000);
  expect(clock.monotonicMs()).toBe(15_000);
});

test('wakes sleepers one by one in (time, sequence) order, each at its own time', async () => {
  const clock = createManualClock({ now: 0 });
  const woken: [string, number, number][] = [];
  const note = (name: string) => () => woken.push([name, clock.now(), clock.monotonicMs()]);
  clock.sleepUntil(300).then(note('until 300'));
  clock.sleepFor(100).then(note('for 100'));
  clock.sleepUntil(100).then(note('until 100'));
  clock.sleepFor(300).then(note('for 300'));
  await clock.advanceTo(1_000);
  expect(woken).toEqual([
    ['for 100', 100, 100],
    ['until 100', 100, 100],
    ['until 300', 300, 300],
    ['for 300', 300, 300],
  ]);
  expect(clock.now()).toBe(1_000);
});

test('promises settle before the next sleeper wakes, and sleeps begun meanwhile are kept', async () => {
  const clock = createManualClock({ now: 0 });
  const story: string[] = [];
  const walker = async (name: string, stepMs: number) => {
    for (let step = 1; step <= 3; step++) {
      await clock.sleepFor(stepMs);
      for (let hop = 0; hop < 20; hop++) await Promise.resolve();
      await turn();
      story.push(`${name}${step}@${clock.now()}`);
    }
  };
  const walks = Promise.all([walker('a', 10), walker('b', 15)]);
  await clock.advanceBy(100);
  await walks;
  expect(story).toEqual(['a1@10', 'b1@15', 'a2@20', 'b2@30', 'a3@30', 'b3@45']);
});

test('waits for file requests before time goes on', async () => {
  const clock = createManualClock({ now: 0 });
  const story: string[] = [];
  clock.sleepFor(1).then(async () => {
    for (let read = 0; read < 3; read++) await readFile(new URL(import.meta.url));
    story.push('read');
  });
  clock.sleepFor(2).then(() => story.push('next'));
  await clock.advanceBy(2);
  expect(story).toEqual(['read', 'next']);
});

test.each([
  { story: 'the past', sleep: (clock: ReturnType<typeof createManualClock>) => clock.sleepUntil(999) },
  { story: 'right now', sleep: (clock: ReturnType<typeof createManualClock>) => clock.sleepUntil(1_000) },
  { story: 'no time', sleep: (clock: ReturnType<typeof createManualClock>) => clock.sleepFor(0) },
  { story: 'negative time', sleep: (clock: ReturnType<typeof createManualClock>) => clock.sleepFor(-1) },
])('a sleep for $story is over at once', async ({ sleep }) => {
  const clock = createManualClock({ now: 1_000 });
  await sleep(clock);
  expect(clock.sleepers).toBe(0);
});

test('a step forwards wakes appointments that are due, in order, and no sleepFor', async () => {
  const clock = createManualClock({ now: 0 });
  const woken: string[] = [];
  clock.sleepUntil(2_000).then(() => woken.push('until 2000'));
  clock.sleepUntil(1_000).then(() => woken.push(`until 1000 sees ${clock.now()}`));
  clock.sleepUntil(9_000).then(() => woken.push('until 9000'));
  clock.sleepFor(500).then(() => woken.push('for 500'));
  await clock.jumpTo(5_000);
  expect(woken).toEqual(['until 1000 sees 5000', 'until 2000']);
  expect(clock.monotonicMs()).toBe(0);
  await clock.advanceBy(500);
  expect(woken.at(-1)).toBe('for 500');
});

test('a step backwards makes appointments wait for the wall clock again, and sleepFor does not notice', async () => {
  const clock = createManualClock({ now: 10_000 });
  const woken: string[] = [];
  clock.sleepUntil(11_000).then(() => woken.push('until'));
  clock.sleepFor(1_000).then(() => woken.push('for'));
  await clock.jumpTo(5_000);
  expect(clock.now()).toBe(5_000);
  await clock.advanceBy(1_000);
  expect(woken).toEqual(['for']);
  await clock.advanceTo(11_000);
  expect(woken).toEqual(['for', 'until']);
  expect(clock.monotonicMs()).toBe(6_000);
});

test('an aborted sleep rejects with the reason, is forgotten, and leaves no listener', async () => {
  const clock = createManualClock({ now: 0 });
  const abort = new AbortController();
  const reason = new Error('enough');
  const sleep = clock.sleepFor(100, { signal: abort.signal });
  expect(clock.sleepers).toBe(1);
  abort.abort(reason);
  await expect(sleep).rejects.toBe(reason);
  expect(clock.sleepers).toBe(0);
  await expect(clock.sleepUntil(50, { signal: abort.signal })).rejects.toBe(reason);
  const { signal } = new AbortController();
  const kept = clock.sleepFor(10, { signal });
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  await clock.advanceBy(10);
  await kept;
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

test('with autoAdvance time passes by itself whenever everybody sleeps', async () => {
  const clock = createManualClock({ now: 0, autoAdvance: true });
  const story: string[] = [];
  const walk = async (name: string, stepMs: number) => {
    for (let step = 0; step < 3; step++) {
      await clock.sleepFor(stepMs);
      story.push(`${name}@${clock.now()}`);
    }
  };
  await Promise.all([walk('a', 86_400_000), walk('b', 60_000_000)]);
  expect(story).toEqual(['b@60000000', 'a@86400000', 'b@120000000', 'a@172800000', 'b@180000000', 'a@259200000']);
});

test('with autoAdvance a test may still move the clock, beside a loop that never ends', async () => {
  const clock = createManualClock({ now: 0, autoAdvance: true });
  const abort = new AbortController();
  let ticks = 0;
  const loop = (async () => {
    for (;;) {
      await clock.sleepFor(1_000, { signal: abort.signal });
      ticks += 1;
    }
  })().catch(() => {});
  await clock.advanceBy(10_000);
  expect(ticks).toBeGreaterThanOrEqual(10);
  abort.abort();
  await loop;
});

test('sleeping for ever holds nobody up', async () => {
  for (const autoAdvance of [false, true]) {
    const clock = createManualClock({ now: 0, autoAdvance });
    const forever = clock.sleepFor(Number.POSITIVE_INFINITY);
    const never = clock.sleepUntil(Number.POSITIVE_INFINITY);
    await clock.advanceBy(1_000);
    expect(await isPending(forever)).toBe(true);
    expect(await isPending(never)).toBe(true);
  }
});

test('moves that are asked for together happen one after the other', async () => {
  const clock = createManualClock({ now: 0 });
  await Promise.all([clock.advanceBy(10), clock.advanceBy(20), clock.jumpTo(1_000), clock.advanceBy(5)]);
  expect(clock.now()).toBe(1_005);
  expect(clock.monotonicMs()).toBe(35);
});

test('a woken sleeper may move the clock itself; it happens afterwards', async () => {
  const clock = createManualClock({ now: 0 });
  const inner = clock.sleepFor(10).then(() => clock.advanceBy(100));
  await clock.advanceBy(50);
  await inner;
  expect(clock.now()).toBe(150);
});

test('drift makes the wall clock run ahead of monotonic time', async () => {
  const clock = createManualClock({ now: 0, driftPpm: 100_000 });
  const woken: string[] = [];
  clock.sleepUntil(1_100).then(() => woken.push(`until at ${clock.monotonicMs()}`));
  clock.sleepFor(1_100).then(() => woken.push(`for at ${clock.now()}`));
  await clock.advanceBy(1_100);
  expect(woken).toEqual(['until at 1000', 'for at 1210']);
});

test('steps of the wall clock can be planned ahead', async () => {
  const clock = createManualClock({
    now: 0,
    steps: [
      { afterMs: 200, byMs: -100 },
      { afterMs: 50, byMs: 1_000 },
    ],
  });
  const woken: string[] = [];
  clock.sleepUntil(500).then(() => woken.push(`until 500 at ${clock.monotonicMs()}`));
  await clock.advanceBy(100);
  expect(woken).toEqual(['until 500 at 50']);
  expect(clock.now()).toBe(1_100);
  await clock.advanceTo(1_200);
  expect(clock.monotonicMs()).toBe(300);
});

test('the past and what is no time are refused by name', async () => {
  const clock = createManualClock({ now: NEW_YEAR });
  await expect(clock.advanceTo('2025-12-31T23:59:59Z')).rejects.toThrow('use jumpTo');
  await expect(clock.advanceBy(-1)).rejects.toMatchObject({ code: 'bad-clock-input' });
  await expect(clock.advanceBy(0.5)).rejects.toMatchObject({ code: 'bad-clock-input' });
  await expect(clock.sleepFor(Number.NaN)).rejects.toMatchObject({ code: 'bad-clock-input' });
  await expect(clock.jumpTo('tomorrow')).rejects.toMatchObject({ code: 'bad-clock-input' });
  expect(() => createManualClock({ now: 'tomorrow' })).toThrow(expect.objectContaining({ code: 'bad-clock-input' }));
  await clock.advanceBy(1);
  expect(clock.now()).toBe(NEW_YEAR_MS + 1);
});

test('a loop that uses the clock without ever sleeping is found out', async () => {
  const clock = createManualClock({ now: 0 });
  let isRunning = true;
  const spin = (async () => {
    while (isRunning) {
      clock.now();
      await turn();
    }
  })();
  await expect(clock.settle()).rejects.toMatchObject({ code: 'settle-limit' });
  isRunning = false;
  await spin;
});

test('works while the timers of the runtime are replaced', async () => {
  vi.useFakeTimers();
  try {
    const clock = createManualClock({ now: 0 });
    const sleep = clock.sleepFor(10);
    await clock.advanceBy(10);
    await sleep;
  } finally {
    vi.useRealTimers();
  }
});
