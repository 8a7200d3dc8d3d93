import { expect, test } from 'vitest';
import { seededRandom } from './random.js';
import { createSupervisedLoop, type NextPass } from './supervised-loop.js';
import { createManualClock } from './testing/manual-clock.js';

function loopOf(pass: (now: number) => NextPass | Promise<NextPass>) {
  const clock = createManualClock({ now: 0 });
  const stop = new AbortController();
  const passes: number[] = [];
  const events: string[] = [];
  const loop = createSupervisedLoop({
    clock,
    random: seededRandom('loop'),
    async pass() {
      passes.push(clock.now());
      return pass(clock.now());
    },
    onFailure: (error, { failures }) => void events.push(`${String(error)} ${failures}`),
    onRecovery: ({ failures }) => void events.push(`recovered after ${failures}`),
  });
  return { clock, stop, passes, events, loop };
}

test('waits the asked time between passes and ends when stopped', async () => {
  const { clock, stop, passes, loop } = loopOf(() => ({ afterMs: 1_000 }));
  const running = loop.run(stop.signal);
  await clock.advanceBy(3_500);
  stop.abort();
  await running;
  expect(passes).toEqual([0, 1_000, 2_000, 3_000]);
  expect(clock.sleepers).toBe(0);
});

test('keeps appointments on the wall clock, also when it jumps', async () => {
  const { clock, stop, passes, loop } = loopOf((now) => ({ at: now + 60_000 }));
  const running = loop.run(stop.signal);
  await clock.settle();
  await clock.jumpTo(100_000);
  stop.abort();
  await running;
  expect(passes).toEqual([0, 100_000]);
});

test('ends by itself when a pass says done', async () => {
  const { stop, passes, loop } = loopOf(() => 'done');
  await loop.run(stop.signal);
  expect(passes).toEqual([0]);
});

test('backs off while passes fail, further each time, and tells of the recovery once', async () => {
  let isDown = true;
  const { clock, stop, passes, events, loop } = loopOf(() => {
    if (isDown) throw new Error('down');
    return { afterMs: 1_000 };
  });
  const running = loop.run(stop.signal);
  await clock.advanceBy(1_000);
  const failed = passes.length;
  expect(failed).toBeGreaterThan(2);
  expect(failed).toBeLessThan(8);
  isDown = false;
  await clock.advanceBy(5_000);
  stop.abort();
  await running;
  expect(events.slice(0, 2)).toEqual(['Error: down 1', 'Error: down 2']);
  expect(events.filter((event) => event.startsWith('recovered'))).toEqual([`recovered after ${failed}`]);
});

test('a poke cuts a wait short, or the next one when a pass is running', async () => {
  const { clock, stop, passes, loop } = loopOf(() => {
    // The second pass pokes while it runs: a third follows without a wait.
    if (passes.length === 2) loop.poke();
    return { afterMs: 1_000 };
  });
  const running = loop.run(stop.signal);
  await clock.advanceBy(5);
  expect(passes).toEqual([0]);
  loop.poke();
  await clock.settle();
  expect(passes).toEqual([0, 5, 5]);
  await clock.advanceBy(1_000);
  expect(passes).toEqual([0, 5, 5, 1_005]);
  stop.abort();
  await running;
});

test('a back-off is not cut by a poke, but by a stop at once', async () => {
  const { clock, stop, passes, events, loop } = loopOf(() => {
    throw new Error('down');
  });
  const running = loop.run(stop.signal);
  await clock.settle();
  loop.poke();
  await clock.settle();
  expect(passes).toEqual([0]);
  stop.abort();
  await running;
  expect(events).toEqual(['Error: down 1']);
});

test('a pass that fails because of the stop is not reported', async () => {
  const { stop, events, loop } = loopOf(async () => {
    stop.abort();
    throw new Error('cut off');
  });
  await loop.run(stop.signal);
  expect(events).toEqual([]);
});
