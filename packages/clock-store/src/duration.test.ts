import { Duration } from 'luxon';
import { expect, test } from 'vitest';
import { toDurationMs } from './duration.js';

test.each([
  { story: 'milliseconds as they are', value: 1_500, ms: 1_500 },
  { story: 'zero', value: 0, ms: 0 },
  { story: 'negative values, which the caller judges', value: -5, ms: -5 },
  { story: 'fractions', value: 0.25, ms: 0.25 },
  { story: 'a luxon Duration', value: Duration.fromObject({ hours: 1, seconds: 2 }), ms: 3_602_000 },
  { story: 'a negative luxon Duration', value: Duration.fromMillis(-1), ms: -1 },
  { story: 'anything that has toMillis', value: { toMillis: (): number => 7 }, ms: 7 },
])('gives $story', ({ value, ms }) => {
  expect(toDurationMs(value)).toBe(ms);
});

test('calls toMillis on its owner', () => {
  class Span {
    constructor(readonly ms: number) {}
    toMillis() {
      return this.ms;
    }
  }
  expect(toDurationMs(new Span(9))).toBe(9);
});

test.each([
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  undefined,
  null,
  '5s',
  {},
  { toMillis: () => Number.NaN },
  { toMillis: 5 },
])('refuses %s', (value) => {
  expect(() => toDurationMs(value as never)).toThrow(
    expect.objectContaining({ code: 'bad-duration', details: { value } }),
  );
});

test('says why an invalid luxon Duration is invalid', () => {
  expect(() => toDurationMs(Duration.invalid('made up'))).toThrow('invalid duration (made up)');
});
