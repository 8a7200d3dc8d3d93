import { Duration } from 'luxon';
import { expect, test } from 'vitest';
import { readDuration } from './duration.js';

test.each([
  ['500ms', 500],
  ['90s', 90_000],
  ['5m', 300_000],
  ['1h30m', 5_400_000],
  ['2d', 172_800_000],
  ['1.5h', 5_400_000],
  ['PT5M', 300_000],
  ['P1DT2H', 93_600_000],
  ['P1W', 604_800_000],
  ['PT0.5S', 500],
  [250, 250],
  [-1, -1],
  [Duration.fromObject({ minutes: 2 }), 120_000],
])('%s is %d ms', (value, ms) => {
  expect(readDuration(value)).toBe(ms);
});

test.each(['', '5', 'm', '5 m', '30m1h', '-5m', '5x', 'P', 'PT', 'P1Y', 'P1M', 'P1D2H', 'pt5m', Number.NaN, null, {}])(
  '%j is no duration, and the error names the forms',
  (value) => {
    expect(() => readDuration(value)).toThrow(/such as/);
  },
);
