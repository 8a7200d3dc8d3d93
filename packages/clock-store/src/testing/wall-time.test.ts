import { expect, test } from 'vitest';
import { toEpochMs, WallTime } from './wall-time.js';

test('without drift wall time is elapsed time and back', () => {
  const wall = new WallTime(1_000, 0);
  expect(wall.at(500)).toBe(1_500);
  expect(wall.elapsedAt(1_500)).toBe(500);
  expect(wall.elapsedAt(200)).toBe(0);
});

test.each([-500_000, -100, -1, 1, 37, 100_000, 500_000])(
  'with a drift of %i ppm an instant comes at the first elapsed ms that shows it',
  (ppm) => {
    const wall = new WallTime(0, ppm);
    for (const target of [1, 2, 999, 1_000_000, 123_456_789]) {
      const elapsed = wall.elapsedAt(target);
      expect(wall.at(elapsed)).toBeGreaterThanOrEqual(target);
      expect(wall.at(elapsed - 1)).toBeLessThan(target);
    }
  },
);

test('after a step the line goes on from the new place', () => {
  const wall = new WallTime(0, 0);
  wall.step(100, 5_000);
  expect(wall.at(150)).toBe(5_050);
  expect(wall.elapsedAt(5_010)).toBe(110);
});

test.each([1.5, 500_001, Number.NaN])('a drift of %s is refused', (ppm) => {
  expect(() => new WallTime(0, ppm)).toThrow(expect.objectContaining({ code: 'bad-clock-input' }));
});

test.each([
  { story: 'milliseconds', value: 5, ms: 5 },
  { story: 'ISO text in UTC', value: '1970-01-01T00:00:01Z', ms: 1_000 },
  { story: 'ISO text with an offset', value: '1970-01-01T01:00:00+01:00', ms: 0 },
  { story: 'ISO text without an offset, as UTC', value: '1970-01-01T00:00:01', ms: 1_000 },
  { story: 'a date, as its first moment in UTC', value: '1970-01-02', ms: 86_400_000 },
])('an instant may be $story', ({ value, ms }) => {
  expect(toEpochMs('at', value)).toBe(ms);
});

test.each(['soon', '', '2026', 'March 7, 2026', 1.5, Number.NaN, Number.POSITIVE_INFINITY, undefined as never])(
  '%j is no instant',
  (value) => {
    expect(() => toEpochMs('at', value)).toThrow(
      expect.objectContaining({ code: 'bad-clock-input', details: { field: 'at', value } }),
    );
  },
);
