import { seededRandom } from '@horae/clock-store';
import { expect, test } from 'vitest';
import { MinuteCalendar, WINDOW } from './minute-calendar.js';

function taken(calendar: MinuteCalendar, minute: number): number[] {
  const count = calendar.take(minute);
  return [...calendar.taken.slice(0, count)];
}

test('gives what a list sorted by (minute, arrival) gives, beyond its window too', () => {
  const random = seededRandom('calendar');
  const count = 3_000;
  let calendar = new MinuteCalendar();
  let list: { item: number; due: number }[] = [];
  let minute = 0;
  let item = 0;
  while (item < count || list.length > 0) {
    for (let i = random.below(4); i > 0 && item < count; i--, item++) {
      const due = minute + 1 + random.below(random.below(3) === 0 ? 4 * WINDOW : 20);
      calendar.put(item, due);
      list.push({ item, due });
    }
    if (list.length > 3 && random.below(3) === 0) {
      const [gone] = list.splice(random.below(list.length), 1);
      calendar.remove(gone!.item, gone!.due);
    }
    if (random.below(50) === 0) calendar = calendar.clone();
    const soonest = Math.min(...list.map(({ due }) => due));
    expect(calendar.nextMinute(minute)).toBe(soonest);
    if (list.length === 0 || random.below(4) === 0) continue;
    minute = soonest;
    calendar.turnTo(minute);
    const due = list.filter((entry) => entry.due === minute).map((entry) => entry.item);
    expect([...calendar.itemsOf(minute)]).toEqual(due);
    expect(taken(calendar, minute)).toEqual(due);
    list = list.filter((entry) => entry.due !== minute);
    expect([...calendar.items()].sort()).toEqual(list.map((entry) => entry.item).sort());
  }
});

test('keeps the order of a minute over many chunks, and around what was removed', () => {
  const items = Array.from({ length: 300 }, (_, item) => item);
  for (const due of [7, 5 * WINDOW]) {
    const calendar = new MinuteCalendar();
    for (const item of items) calendar.put(item, due);
    const isRemoved = (item: number) => item % 3 === 0 || item > 290;
    for (const item of items.filter(isRemoved)) calendar.remove(item, due);
    calendar.turnTo(due);
    expect(taken(calendar, due)).toEqual(items.filter((item) => !isRemoved(item)));
    expect(calendar.nextMinute(0)).toBe(Number.POSITIVE_INFINITY);
  }
});

test('a minute whose items were all removed is quiet, and its room is used again', () => {
  const calendar = new MinuteCalendar();
  for (const due of [3, 3 * WINDOW]) {
    for (let round = 0; round < 3; round++) {
      for (let item = 0; item < 40; item++) calendar.put(item, due);
      expect(calendar.nextMinute(0)).toBe(due);
      for (let item = 0; item < 40; item++) calendar.remove(item, due);
      expect(calendar.nextMinute(0)).toBe(Number.POSITIVE_INFINITY);
    }
    calendar.put(5, due + 1);
    expect(calendar.nextMinute(1)).toBe(due + 1);
    calendar.remove(5, due + 1);
  }
});

test('finds the next minute across the seam of its ring', () => {
  const calendar = new MinuteCalendar();
  calendar.turnTo(WINDOW - 10);
  calendar.put(0, WINDOW + 5);
  calendar.put(1, 2 * WINDOW - 12);
  expect(calendar.nextMinute(WINDOW - 10)).toBe(WINDOW + 5);
  expect(taken(calendar, WINDOW + 5)).toEqual([0]);
  expect(calendar.nextMinute(WINDOW + 6)).toBe(2 * WINDOW - 12);
});
