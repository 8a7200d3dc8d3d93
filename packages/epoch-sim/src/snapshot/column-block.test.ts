import { expect, test } from 'vitest';
import type { Column } from '../tables/columns.js';
import { columnBlock, readBlock } from './column-block.js';

/** Long enough for several blocks of comparison. */
const LONG = 10_000;
const filled = (value: (i: number) => number) => Array.from({ length: LONG }, (_, i) => value(i));

const columns: [string, Column][] = [
  ['empty', new Int32Array(0)],
  ['one', Int32Array.of(-7)],
  ['constant', new Float64Array(LONG).fill(3)],
  ['constant tail', Int32Array.from(filled((i) => (i < 100 ? i : -1)))],
  ['bytes', Uint8Array.from(filled((i) => i % 251))],
  ['narrow', Int32Array.from(filled((i) => i % 256))],
  ['two bytes', Int32Array.from(filled((i) => i))],
  ['wide at the end', Int32Array.from(filled((i) => (i === LONG - 1 ? 2 ** 31 - 1 : 0)))],
  ['negative', Int32Array.from(filled((i) => -i))],
  ['small floats', Float64Array.from(filled((i) => i * 10_000))],
  ['large floats', Float64Array.from(filled((i) => 2 ** 40 + i))],
  ['fractions', Float64Array.from(filled((i) => (i === 5_000 ? 0.5 : 1)))],
  ['no numbers', Float64Array.of(1, Number.POSITIVE_INFINITY, Number.NaN)],
];

test('columns of any width come back as they were', () => {
  const block = columnBlock({ text: 'é' }, columns);
  const bytes = new Uint8Array(8 + block.size);
  block.write(bytes, 8);
  const read = readBlock(bytes, 8);
  expect(read.data).toEqual({ text: 'é' });
  expect([...read.columns]).toEqual(columns);
  expect(read.end).toBe(bytes.length);
});

test('narrow columns and constant tails take less room', () => {
  const sizeOf = (column: Column) => columnBlock(null, [['column', column]]).size;
  const wide = sizeOf(Int32Array.from(filled((i) => i * 100_000)));
  expect(wide).toBeGreaterThan(4 * LONG);
  expect(sizeOf(Int32Array.from(filled((i) => i)))).toBeLessThan(wide / 1.9);
  expect(sizeOf(Float64Array.from(filled((i) => i % 9)))).toBeLessThan(wide / 3.8);
  expect(sizeOf(new Float64Array(LONG))).toBeLessThan(300);
});
