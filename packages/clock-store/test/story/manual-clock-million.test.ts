import { seededRandom } from '@horae/clock-store';
import { createManualClock } from '@horae/clock-store/testing';
import { expect, test } from 'vitest';

const SLEEPERS = 1_000_000;

test('a million sleepers wake in the order of (time, sequence)', async () => {
  const clock = createManualClock({ now: 0 });
  const random = seededRandom('a million sleepers');
  let previousAt = 0;
  let previousSequence = -1;
  let woken = 0;
  let outOfOrder = 0;
  const wake = (at: number, sequence: number) => {
    if (at < previousAt || (at === previousAt && sequence < previousSequence) || clock.now() !== at) outOfOrder += 1;
    previousAt = at;
    previousSequence = sequence;
    woken += 1;
  };
  for (let sequence = 0; sequence < SLEEPERS; sequence++) {
    // Fewer instants than sleepers, so that many share one.
    const at = 1 + random.below(200_000);
    const sleep = sequence % 2 === 0 ? clock.sleepUntil(at) : clock.sleepFor(at);
    sleep.then(() => wake(at, sequence));
  }
  expect(clock.sleepers).toBe(SLEEPERS);
  await clock.advanceTo(200_000);
  expect({ woken, outOfOrder, left: clock.sleepers }).toEqual({ woken: SLEEPERS, outOfOrder: 0, left: 0 });
}, 240_000);
