import { seededRandom } from 'horae/time';
import { expect, test } from 'vitest';
import { createHarbour } from './live-harbour.js';

test('the harbour is busy at once, goes on over days, and does not grow', () => {
  const told: string[] = [];
  const harbour = createHarbour(seededRandom('harbour'), (_engine, text) => told.push(text));
  expect(harbour.snapshot().lanes.length).toBeGreaterThan(3);
  for (let minute = 0; minute < 1_500; minute++) harbour.tick();
  const { day, lanes, t } = harbour.snapshot();
  expect(day).toBeGreaterThan(2);
  expect(t).toBeLessThanOrEqual(721);
  expect(lanes.length).toBeLessThanOrEqual(10);
  expect(told.filter((text) => text.endsWith('is finished')).length).toBeGreaterThan(100);
});

test('whoever holds a lock is stopped', () => {
  const told: string[] = [];
  const harbour = createHarbour(seededRandom(4), (_engine, text) => told.push(text));
  for (let minute = 0; minute < 60; minute++) {
    harbour.interrupt('crane');
    harbour.tick();
  }
  expect(told.some((text) => text.startsWith('unload') && text.endsWith('is interrupted'))).toBe(true);
});
