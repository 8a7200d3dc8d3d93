import { expect, test } from 'vitest';
import { relativeTime } from './relative-time.js';

test.each([
  [0, 'in 0 seconds'],
  [59_999, 'in 59 seconds'],
  [60_000, 'in 1 minute'],
  [-7_200_000, '2 hours ago'],
  [3 * 86_400_000, 'in 3 days'],
  [400 * 86_400_000, 'in 1 year'],
])('%d is %s', (ms, words) => {
  expect(relativeTime(ms)).toBe(words);
});
