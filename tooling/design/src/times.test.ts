import { expect, test } from 'vitest';
import { clockTime, dateTime, fromNow, minuteClock, span } from './times.js';

test.each([
  [0, 'now'],
  [400, 'now'],
  [12_000, 'in 12 s'],
  [-12_000, '12 s ago'],
  [120_000, 'in 2 min'],
  [3 * 3_600_000 + 300_000, 'in 3 h 5 min'],
  [4 * 86_400_000, 'in 4 d'],
])('%i ms from now is "%s"', (distance, words) => {
  expect(fromNow(1_000_000 + distance, 1_000_000)).toBe(words);
});

test('times are told in the zone that is asked for', () => {
  const at = Date.UTC(2026, 2, 29, 1, 30);
  expect(clockTime(at, 'Europe/Berlin')).toBe('03:30:00');
  expect(dateTime(at, 'UTC')).toBe('Sun 29 Mar 2026, 01:30:00');
  expect(minuteClock('2025-07-01T08:00:00Z', 95)).toBe('09:35');
  expect(span(7_200)).toBe('2 h');
});
