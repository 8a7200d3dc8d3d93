import { expect, test } from 'vitest';
import { KeptArrays } from './kept-arrays.js';

test('an array is given again under its name, with the length that is asked for', () => {
  const kept = new KeptArrays({ a: new Int32Array(0), b: new Uint8Array(0) });
  const first = kept.take('a', 10);
  expect(first).toBeInstanceOf(Int32Array);
  expect(kept.take('a', 4)).toHaveLength(4);
  expect(kept.take('a', 4).buffer).toBe(first.buffer);
  expect(kept.take('b', 4).buffer).not.toBe(first.buffer);
});

test('a very long array is not kept', () => {
  const kept = new KeptArrays({ a: new Uint8Array(0) });
  const long = kept.take('a', (1 << 20) + 1);
  expect(kept.take('a', (1 << 20) + 1).buffer).not.toBe(long.buffer);
});
