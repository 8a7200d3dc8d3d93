import { seededRandom } from '@horae/clock-store';
import { expect, test } from 'vitest';
import { MinuteCalendar, WINDOW } from './minute-calendar.js';

test('gives what a list sorted by (minute, arrival) gives, beyond its window too', () => {
  const random = seededRandom('calendar');
  const count = 3_000;
  const links = { prev: new Int32Array(count), next: new Int32Array(count), due: new Float64Array(count) };
  const calendar = new MinuteCalendar();
  let list: { item: number; due: number }[] = [];
  let minute = 0;
  let item = 0;
  while (item < count || list.length > 0) {
    for (let i = random.below(4); i > 0 && item < count; i--, item++) {
      links.due[item] = minute + 1 + random.below(random.below(3) === 0 ? 4 * WINDOW : 20);
      calendar.put(links, item);
      list.push({ item, due: links.due[item]! });
    }
    if (list.length > 3 && random.below(3) === 0) {
      const [gone] = list.splice(random.below(list.length), 1);
      calendar.remove(links, gone!.item);
    }
    const soonest = Math.min(...list.map(({ due }) => due));
    expect(calendar.nextMinute(links, minute)).toBe(soonest);
    if (list.length === 0 || random.below(4) === 0) continue;
    minute = soonest;
    calendar.turnTo(links, minute);
    const taken: number[] = [];
    for (let at = calendar.take(minute); at >= 0; at = links.next[at]!) taken.push(at);
    expect(taken).toEqual(list.filter(({ due }) => due === minute).map((entry) => entry.item));
    list = list.filter(({ due }) => due !== minute);
  }
});
