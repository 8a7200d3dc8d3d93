import { seededRandom } from '@horae/clock-store';
import { expect, test } from 'vitest';
import { key, parameters, world } from '../../test/support/world.js';
import { OrderedOperators } from './ordered-operators.js';
import { simulate } from './simulate.js';

test('the ordered operators walk down, lose ranks and take in newcomers', () => {
  const operators = new OrderedOperators([10, 20, 30, 40].map(key), key(30));
  expect(operators.hasBelow()).toBe(true);
  expect(operators.takeBelow()).toBe(key(20));
  expect(operators.removeRank(0)).toBe(key(10));
  expect(operators.hasBelow()).toBe(false);
  expect(operators.removeRank(2)).toBe(key(40));
  expect(operators.takeGreatest()).toBe(key(30));
  operators.rebuild([key(5), key(25)], key(30));
  expect(operators.present()).toEqual([5, 20, 25, 30].map(key));
  expect([operators.hasBelow(), operators.takeBelow(), operators.size]).toEqual([true, key(25), 4]);
});

test('a run before Init, of no cycle or without anybody is none', () => {
  const none = { shifts: 0, missed: 0, joined: 0, retired: 0 };
  const states = [world({ active: [10], operator: null }), world({ active: [], operator: 10 })];
  for (const state of states)
    expect(simulate(state, { cycles: 3 }, parameters, seededRandom(1))).toEqual({ ...none, state });
  const state = world({ active: [10] });
  expect(simulate(state, { cycles: 0, absences: 1 }, parameters, seededRandom(1))).toEqual({ ...none, state });
});

test('it ends when the last operator retires', () => {
  const result = simulate(world({ active: [10, 20] }), { cycles: 1_000, retirements: 1 }, parameters, seededRandom(3));
  expect(result.state.active).toEqual([]);
  expect(result.state.retired).toEqual([key(10), key(20)]);
  expect(result.retired).toBe(2);
});

test('everybody absent means that every shift is missed and yet taken', () => {
  const missed: boolean[] = [];
  const given = { cycles: 2, absences: 1, onShift: (shift: { missed: boolean }) => missed.push(shift.missed) };
  const result = simulate(world({ active: [10, 20] }), given, parameters, seededRandom(1));
  expect(result).toMatchObject({
    shifts: 4,
    missed: 4,
    state: { scheduler: { operator: key(20), shiftStart: 4_000 } },
  });
  expect(missed).toEqual([true, true, true, true]);
});

test('a poor source of keys registers nobody twice', () => {
  const poor = { uint32: () => 7, below: () => 0 };
  const result = simulate(world({ active: [10] }), { cycles: 20, joins: 3 }, parameters, poor);
  expect(result.joined).toBe(1);
});
