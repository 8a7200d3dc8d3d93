import { expect, test } from 'vitest';
import { createLateness, latenessOf } from './lateness.js';

test('each start falls into one bar; the last is for everything above', () => {
  const lateness = createLateness();
  for (const late of [-3, 0, 1, 2, 9, 999, 1_000, 5_000]) lateness.add(late);
  expect(lateness.histogram()).toEqual([3, 1, 1, 0, 0, 0, 0, 1, 2]);
});

test('only the latest few hundred count', () => {
  const lateness = createLateness();
  for (let i = 0; i < 10_000; i++) lateness.add(i < 9_500 ? 5_000 : 0);
  expect(lateness.histogram()).toEqual([500, 0, 0, 0, 0, 0, 0, 0, 0]);
});

test('a time within a second is late only after that second', () => {
  expect([latenessOf(3_000, 3_007), latenessOf(3_400, 4_007)]).toEqual([7, 7]);
});
