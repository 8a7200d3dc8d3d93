import { expect, test } from 'vitest';
import { backoffMs } from './backoff.js';
import { seededRandom } from './random.js';

const backoff = { firstMs: 100, longestMs: 30_000 };

test.each([
  { failures: 1, from: 50, to: 100 },
  { failures: 2, from: 100, to: 200 },
  { failures: 5, from: 800, to: 1_600 },
  { failures: 9, from: 12_800, to: 25_600 },
  { failures: 10, from: 15_000, to: 30_000 },
  { failures: 1_000_000, from: 15_000, to: 30_000 },
])('after $failures failures the wait is from $from to $to ms', ({ failures, from, to }) => {
  const random = seededRandom(failures);
  const waits = Array.from({ length: 500 }, () => backoffMs(failures, backoff, random));
  expect(waits.every((wait) => Number.isInteger(wait) && wait >= from && wait <= to)).toBe(true);
  expect(new Set(waits).size).toBeGreaterThan(10);
});

test('a wait is never negative and never endless, whatever the numbers', () => {
  const random = seededRandom(1);
  expect(backoffMs(1, { firstMs: 0, longestMs: 0 }, random)).toBeLessThanOrEqual(1);
  expect(backoffMs(60, { firstMs: 1, longestMs: 5 }, random)).toBeLessThanOrEqual(5);
});
