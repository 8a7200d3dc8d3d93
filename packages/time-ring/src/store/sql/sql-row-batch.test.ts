import { expect, test } from 'vitest';
import { rowChunks } from './sql-row-batch.js';

const sizes = (rows: readonly (readonly unknown[])[]) => [...rowChunks(rows)].map((chunk) => chunk.length);

test('no rows are no batch', () => {
  expect(sizes([])).toEqual([]);
});

test('a batch has at most ten thousand rows', () => {
  expect(sizes(Array.from({ length: 20_001 }, (_, i) => [i]))).toEqual([10_000, 10_000, 1]);
});

test('a batch has at most three million characters, but at least one row', () => {
  const long = 'x'.repeat(2_000_000);
  expect(
    sizes([
      [1, long],
      [2, null],
      [3, long],
      [4, long + long],
      [5, 'short'],
    ]),
  ).toEqual([2, 1, 1, 1]);
});

test('the batches together are the rows in their order', () => {
  const rows = Array.from({ length: 15_000 }, (_, i) => [i]);
  expect([...rowChunks(rows)].flat()).toEqual(rows);
});
