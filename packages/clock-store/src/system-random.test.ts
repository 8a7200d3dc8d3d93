import { expect, test } from 'vitest';
import { systemRandom } from './system-random.js';

test('gives 32-bit integers that differ between sources', () => {
  const draw = () => {
    const random = systemRandom();
    return Array.from({ length: 600 }, () => random.uint32());
  };
  const values = draw();
  expect(values.every((value) => Number.isInteger(value) && value >= 0 && value < 2 ** 32)).toBe(true);
  expect(new Set(values).size).toBeGreaterThan(590);
  expect(draw()).not.toEqual(values);
});

test('below stays inside its range and refuses what is none', () => {
  const random = systemRandom();
  for (let roll = 0; roll < 1_000; roll++) expect(random.below(6)).toBeLessThan(6);
  expect(() => random.below(0)).toThrow(expect.objectContaining({ code: 'bad-random-input' }));
});
