import { seededRandom } from '@horae/clock-store';
import { expect, test } from 'vitest';
import { createRing } from './ring.js';
import type { RingEntry } from './ring-entry.js';

const at = (seconds: number) => 1_800_000_000_000 + seconds * 1_000;
const entry = (jobId: number, scheduleTime: number, priority?: number): RingEntry => ({
  jobId,
  scheduleTime,
  ...(priority === undefined ? {} : { priority }),
});
const ids = (entries: readonly RingEntry[]) => entries.map(({ jobId }) => jobId);

test('an entry comes out in its second, never before', () => {
  const ring = createRing();
  ring.push(entry(1, at(3)));
  expect(ring.drain(at(3) - 1)).toEqual({ due: [], stale: [] });
  expect(ids(ring.drain(at(3)).due)).toEqual([1]);
  expect(ring.size).toBe(0);
});

test('a time that is no whole second waits for it within the second', () => {
  const ring = createRing();
  ring.push(entry(1, at(3) + 250));
  expect(ring.drain(at(3)).due).toEqual([]);
  expect(ids(ring.drain(at(4)).due)).toEqual([1]);
});

test('an entry a minute ahead is not taken a minute early, although it shares the slot', () => {
  const ring = createRing();
  ring.push(entry(1, at(5)));
  ring.push(entry(2, at(65)));
  expect(ids(ring.drain(at(5)).due)).toEqual([1]);
  expect(ids(ring.drain(at(65)).due)).toEqual([2]);
});

test('the current slot and two before it are due, what is older is stale', () => {
  const ring = createRing();
  for (let second = 0; second <= 10; second++) ring.push(entry(second, at(second)));
  const { due, stale } = ring.drain(at(10) + 999);
  expect(ids(due)).toEqual([8, 9, 10]);
  expect(ids(stale)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

test('entries are told apart by job and schedule time', () => {
  const ring = createRing();
  expect(
    [entry(1, at(1)), entry(1, at(1)), entry(1, at(2)), entry(2, at(1)), entry(1, at(61)), entry(1, at(61))].map((e) =>
      ring.push(e),
    ),
  ).toEqual([true, false, true, true, true, false]);
  expect(ring.size).toBe(4);
});

test('within a second: priority, then schedule time, then job id', () => {
  const ring = createRing();
  for (const e of [entry(9, at(1)), entry(3, at(1) + 5), entry(4, at(1)), entry(5, at(1), -1), entry(6, at(1) + 9, 7)])
    ring.push(e);
  expect(ids(ring.drain(at(2)).due)).toEqual([6, 4, 9, 3, 5]);
});

test('a removed job gives its entries back and does not fire', () => {
  const ring = createRing();
  for (const e of [entry(1, at(2)), entry(1, at(62)), entry(2, at(2))]) ring.push(e);
  expect(ring.remove(1).map(({ scheduleTime }) => scheduleTime)).toEqual([at(2), at(62)]);
  expect(ring.remove(1)).toEqual([]);
  expect(ids(ring.drain(at(2)).due)).toEqual([2]);
});

test('what is pushed late is found, and a clock that goes back finds nothing early', () => {
  const ring = createRing();
  ring.drain(at(100));
  ring.push(entry(1, at(20)));
  ring.push(entry(2, at(101)));
  expect(ids(ring.drain(at(100)).stale)).toEqual([1]);
  expect(ring.drain(at(50))).toEqual({ due: [], stale: [] });
  expect(ids(ring.drain(at(101)).due)).toEqual([2]);
});

test('options that make no ring are refused', () => {
  expect(() => createRing({ slots: 0 })).toThrow('slots must be a whole number from 1 on, got 0');
  expect(() => createRing({ slots: 5, drainSlots: 6 })).toThrow('drainSlots must be a whole number from 1 to 5, got 6');
});

test('against a sorted array, over random pushes, removals, drains, stalls and clock steps', () => {
  for (let seed = 0; seed < 300; seed++) {
    const random = seededRandom(`ring ${seed}`);
    const slots = 1 + random.below(70);
    const drainSlots = 1 + random.below(slots);
    const ring = createRing<RingEntry>({ slots, drainSlots });
    let kept: RingEntry[] = [];
    let now = at(random.below(1_000));
    for (let step = 0; step < 200; step++) {
      const kind = random.below(10);
      if (kind < 6) {
        const pushed = entry(random.below(8), now - 20_000 + random.below(90) * 500, random.below(3));
        const isNew = !kept.some((e) => e.jobId === pushed.jobId && e.scheduleTime === pushed.scheduleTime);
        expect(ring.push(pushed), `seed ${seed}`).toBe(isNew);
        if (isNew) kept.push(pushed);
      } else if (kind === 6) {
        const jobId = random.below(8);
        expect(ring.remove(jobId).length).toBe(kept.filter((e) => e.jobId === jobId).length);
        kept = kept.filter((e) => e.jobId !== jobId);
      } else {
        now += kind === 7 ? -random.below(30_000) : random.below(kind === 8 ? 120_000 : 2_000);
        const first = (Math.floor(now / 1_000) - drainSlots + 1) * 1_000;
        const ready = kept
          .filter(({ scheduleTime }) => scheduleTime <= now)
          .sort((a, b) => b.priority! - a.priority! || a.scheduleTime - b.scheduleTime || a.jobId - b.jobId);
        kept = kept.filter(({ scheduleTime }) => scheduleTime > now);
        expect(ring.drain(now), `seed ${seed}`).toEqual({
          due: ready.filter(({ scheduleTime }) => scheduleTime >= first),
          stale: ready.filter(({ scheduleTime }) => scheduleTime < first),
        });
      }
      expect(ring.size, `seed ${seed}`).toBe(kept.length);
    }
  }
});
