import { describe, expect, test } from 'vitest';
import { DURATION, key, parameters, world } from '../../test/support/world.js';
import { nextShiftOf, operatorAt, timetable } from './timetable.js';

const shift = (operator: number, turn: number) => ({
  operator: key(operator),
  start: turn * DURATION,
  end: (turn + 1) * DURATION,
});

const three = world({ active: [10, 20, 30], operator: 20 });

describe('the timetable', () => {
  test('goes down and starts again at the greatest key', () => {
    const expected = [shift(20, 0), shift(10, 1), shift(30, 2), shift(20, 3), shift(10, 4)];
    expect(timetable(three, parameters, { from: 0, count: 5 })).toEqual(expected);
  });

  test.each([
    { story: 'before the current shift', from: -5_000, first: shift(20, 0) },
    { story: 'in its last millisecond', from: 999, first: shift(20, 0) },
    { story: 'at its exclusive end', from: 1_000, first: shift(10, 1) },
    { story: 'far away', from: 3_000_000_500, first: shift(20, 3_000_000) },
  ])('begins with the shift that contains $story', ({ from, first }) => {
    expect(timetable(three, parameters, { from, count: 1 })).toEqual([first]);
    expect(timetable(three, parameters, { from, count: 0 })).toEqual([]);
  });

  test('of a retired operator begins with its shift and goes on below it', () => {
    const state = world({ active: [10, 30], operator: 20, retired: [20] });
    expect(timetable(state, parameters, { from: 0, count: 3 })).toEqual([shift(20, 0), shift(10, 1), shift(30, 2)]);
  });

  test('without a scheduler is empty; with nobody active it is the current shift alone', () => {
    expect(timetable(world({ active: [10], operator: null }), parameters, { from: 0, count: 3 })).toEqual([]);
    const lonely = world({ active: [], operator: 20, retired: [20] });
    expect(timetable(lonely, parameters, { from: 0, count: 3 })).toEqual([shift(20, 0)]);
    expect(timetable(lonely, parameters, { from: 1_000, count: 3 })).toEqual([]);
  });
});

test.each([
  { t: -1, operator: null },
  { t: 0, operator: 20 },
  { t: 999, operator: 20 },
  { t: 1_000, operator: 10 },
  { t: 2_000, operator: 30 },
  { t: 3_600_000, operator: 20 },
])('at $t it is $operator', ({ t, operator }) => {
  expect(operatorAt(three, t, parameters)).toBe(operator === null ? null : key(operator));
});

test('nobody is on shift without a scheduler, or after the last shift when nobody is active', () => {
  expect(operatorAt(world({ active: [10], operator: null }), 0, parameters)).toBeNull();
  const lonely = world({ active: [], operator: 20 });
  expect([operatorAt(lonely, 999, parameters), operatorAt(lonely, 1_000, parameters)]).toEqual([key(20), null]);
});

describe('the next shift of an operator', () => {
  test.each([
    { story: 'the current one, when it has not begun', operator: 20, now: -1, next: shift(20, 0) },
    { story: 'the current one, when it begins now', operator: 20, now: 0, next: shift(20, 0) },
    { story: 'the one after, when it has begun', operator: 20, now: 1, next: shift(20, 3) },
    { story: 'that of the next one, at its start', operator: 10, now: 1_000, next: shift(10, 1) },
    { story: 'a cycle later, a millisecond after', operator: 10, now: 1_001, next: shift(10, 4) },
    { story: 'that of the greatest', operator: 30, now: -99, next: shift(30, 2) },
    { story: 'none for a stranger', operator: 25, now: 0, next: null },
  ])('is $story', ({ operator, now, next }) => {
    expect(nextShiftOf(three, key(operator), now, parameters)).toEqual(next);
  });

  test('of one that retired during its shift is that shift at most', () => {
    const state = world({ active: [10], operator: 20, retired: [20] });
    expect(nextShiftOf(state, key(20), 0, parameters)).toEqual(shift(20, 0));
    expect(nextShiftOf(state, key(20), 1, parameters)).toBeNull();
    expect(nextShiftOf(world({ active: [10], operator: null }), key(10), 0, parameters)).toBeNull();
  });
});
