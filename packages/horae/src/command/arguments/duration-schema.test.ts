import { expect, test } from 'vitest';
import { durationSchema } from './duration-schema.js';

test.each([
  ['500ms', 500],
  ['30s', 30_000],
  ['1.5m', 90_000],
  ['2h', 7_200_000],
  ['1d', 86_400_000],
  [' 5m ', 300_000],
  [0, 0],
  [1234, 1234],
])('%j is %d milliseconds', (given, ms) => {
  expect(durationSchema.parse(given)).toBe(ms);
});

test.each(['', 'soon', '5', '5 m', '-5m', '5w', 'm', '1e3s', -1, Number.NaN, Number.POSITIVE_INFINITY, null, {}])(
  '%j is no duration',
  (given) => {
    const result = durationSchema.safeParse(given);
    expect(result.success).toBe(false);
    expect(result.error!.issues[0]!.message).toContain('30s');
  },
);
