import { expect, test } from 'vitest';
import { dayBars, hourBars } from './report.js';

const HOUR = 3_600_000;
const none = { succeeded: 0, failed: 0, killed: 0, skipped: 0 };

test('a day has a bar per hour, and hours without runs are empty', () => {
  const to = Date.UTC(2026, 5, 2, 12);
  const bars = hourBars([{ ...none, at: to - HOUR, succeeded: 3, failed: 1, killed: 1 }], to);
  expect(bars.length).toBe(24);
  expect(bars.at(-1)).toMatchObject({ at: to - HOUR, good: 3, bad: 2 });
  expect(bars.slice(0, -1).every(({ good, bad }) => good + bad === 0)).toBe(true);
  expect(bars.filter(({ mark }) => mark !== '').length).toBe(4);
});

test('thirty days sum the hours of each day, through a clock change too', () => {
  const to = new Date(2026, 2, 30, 12).getTime();
  const hours = Array.from({ length: 30 * 24 }, (_, index) => ({ ...none, at: to - (index + 1) * HOUR, succeeded: 1 }));
  const bars = dayBars(hours, to);
  expect(bars.length).toBe(30);
  expect(bars.at(-1)!.good).toBe(12);
  expect(bars.at(-3)!.good).toBeGreaterThan(22);
  expect(bars.reduce((total, { good }) => total + good, 0)).toBeGreaterThan(29 * 24 - 2);
});
