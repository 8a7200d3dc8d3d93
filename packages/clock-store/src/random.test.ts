import { expect, test } from 'vitest';
import { seededRandom } from './random.js';

const draw = (seed: number | string, count: number) => {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => random.uint32());
};

test('equal seeds give equal sequences, other seeds give others', () => {
  expect(draw('horae', 100)).toEqual(draw('horae', 100));
  expect(draw(42, 100)).toEqual(draw(42, 100));
  expect(draw(1, 4)).not.toEqual(draw(2, 4));
  expect(draw('a', 4)).not.toEqual(draw('b', 4));
});

test('the sequence of a seed never changes: stored plans and recorded seeds rely on it', () => {
  expect(draw(0, 4)).toMatchInlineSnapshot(`
    [
      1789933344,
      44971166,
      2521387044,
      3848737593,
    ]
  `);
  expect(draw('horae', 4)).toMatchInlineSnapshot(`
    [
      1835426439,
      1141201159,
      1276728762,
      3142951754,
    ]
  `);
});

test('seeds above 2^32 differ in their upper half too', () => {
  expect(draw(1, 2)).not.toEqual(draw(1 + 2 ** 32, 2));
  expect(draw(-1, 2)).not.toEqual(draw(1, 2));
});

test('uint32 gives integers in [0, 2^32) and uses the whole range', () => {
  const values = draw('range', 10_000);
  expect(values.every((value) => Number.isInteger(value) && value >= 0 && value < 2 ** 32)).toBe(true);
  expect(Math.min(...values)).toBeLessThan(2 ** 32 / 1_000);
  expect(Math.max(...values)).toBeGreaterThan(2 ** 32 - 2 ** 32 / 1_000);
});

test('below gives every value of the range about equally often', () => {
  const random = seededRandom('dice');
  const counts = [0, 0, 0, 0, 0, 0];
  for (let roll = 0; roll < 60_000; roll++) counts[random.below(6)]! += 1;
  for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(500);
});

test('below knows its edges', () => {
  const random = seededRandom(1);
  expect(random.below(1)).toBe(0);
  expect(random.below(2 ** 32)).toBeLessThan(2 ** 32);
});

test.each([0, -1, 1.5, Number.NaN, 2 ** 32 + 1])('below(%s) is refused by value', (n) => {
  expect(() => seededRandom(1).below(n)).toThrow(
    expect.objectContaining({ code: 'bad-random-input', details: { field: 'n', value: n } }),
  );
});

test.each([Number.NaN, Number.POSITIVE_INFINITY])('the seed %s is refused', (seed) => {
  expect(() => seededRandom(seed)).toThrow(expect.objectContaining({ code: 'bad-random-input' }));
});
