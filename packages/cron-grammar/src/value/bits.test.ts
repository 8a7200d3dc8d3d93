import { expect, test } from 'vitest';
import { bitCount, hasBit60, members, members60, nextBit60, previousBit, previousBit60 } from './bits.js';

const sets = [[0], [59], [29, 30], [0, 59], [5, 17, 30, 44], [31], Array.from({ length: 60 }, (_, i) => i)];

function halves(values: readonly number[]): [number, number] {
  let [low, high] = [0, 0];
  for (const value of values) {
    if (value < 30) low |= 1 << value;
    else high |= 1 << (value - 30);
  }
  return [low, high];
}

test.each(sets.map((values) => ({ values })))('the set $values answers like an array', ({ values }) => {
  const [low, high] = halves(values);
  expect(members60(low, high)).toEqual(values);
  expect(bitCount(low) + bitCount(high)).toBe(values.length);
  for (let at = 0; at < 60; at++) {
    expect(hasBit60(low, high, at)).toBe(values.includes(at));
    expect(nextBit60(low, high, at)).toBe(values.find((value) => value >= at) ?? -1);
    expect(previousBit60(low, high, at)).toBe(values.findLast((value) => value <= at) ?? -1);
  }
  expect(nextBit60(low, high, 60)).toBe(-1);
  expect(previousBit60(low, high, -1)).toBe(-1);
});

test('bit 31 is a member like any other', () => {
  expect(members(-0x8000_0000)).toEqual([31]);
  expect(previousBit(-0x8000_0000, 31)).toBe(31);
  expect(bitCount(-1)).toBe(32);
});
