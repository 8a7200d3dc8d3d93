import { seededRandom } from '@horae/clock-store';
import { expect, test } from 'vitest';
import { retryDefaults } from '../model/job.js';
import { retryDelayMs } from './retry-delay.js';

const random = seededRandom('retries');
const still = { ...retryDefaults, jitter: 0 };

test.each([
  { attempt: 1, delayMs: 1_000 },
  { attempt: 2, delayMs: 2_000 },
  { attempt: 8, delayMs: 128_000 },
  { attempt: 9, delayMs: 256_000 },
  { attempt: 10, delayMs: 300_000 },
  { attempt: 1_000, delayMs: 300_000 },
])('attempt $attempt is followed after $delayMs ms by default', ({ attempt, delayMs }) => {
  expect(retryDelayMs(still, attempt, random)).toBe(delayMs);
});

test('jitter makes a delay shorter or longer by up to its share, evenly, in whole milliseconds', () => {
  const delays = Array.from({ length: 2_000 }, () => retryDelayMs({ ...still, jitter: 0.1 }, 1, random));
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(900);
  expect(Math.max(...delays)).toBeLessThanOrEqual(1_100);
  expect(delays.every(Number.isInteger)).toBe(true);
  const mean = delays.reduce((sum, delay) => sum + delay, 0) / delays.length;
  expect(Math.abs(mean - 1_000)).toBeLessThan(10);
  expect(new Set(delays).size).toBeGreaterThan(150);
});

test('a fixed delay has no jitter', () => {
  expect(retryDelayMs({ kind: 'fixed', delayMs: 1_234 }, 7, random)).toBe(1_234);
});
