import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type MidgardState,
  nextShiftOf,
  operatorAt,
  planNextForTest,
  type Shift,
  timetable,
} from '../support/projection-oracle.js';
import { DURATION, key, parameters, world } from '../support/world.js';

const worlds = fc
  .record({
    active: fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { maxLength: 12 }),
    operator: fc.integer({ min: 0, max: 31 }),
    shiftStart: fc.integer({ min: -5_000, max: 5_000 }),
  })
  .map(({ active, operator, shiftStart }) => world({ active: active.sort((a, b) => a - b), operator, shiftStart }));

/** Shift by shift, each found by searching the whole list: what a validated run of plans gives. */
function walk(state: MidgardState, count: number): Shift[] {
  const shifts: Shift[] = [];
  let at = state;
  for (let index = 0; index < count && at.scheduler !== null; index++) {
    const { operator, shiftStart } = at.scheduler;
    shifts.push({ operator, start: shiftStart, end: shiftStart + DURATION });
    at = planNextForTest(at, parameters);
  }
  return shifts;
}

test('timetable, operatorAt and nextShiftOf agree with a walk of validated transitions', () => {
  fc.assert(
    fc.property(worlds, fc.integer({ min: -3_000, max: 40_000 }), (state, offset) => {
      const { shiftStart } = state.scheduler!;
      const from = shiftStart + offset;
      const walked = walk(state, 80);
      const first = walked.findIndex(({ end }) => from < end);
      const expected = first < 0 ? [] : walked.slice(first, first + 20);
      expect(timetable(state, parameters, { from, count: 20 })).toEqual(expected);

      const current = walked.find(({ start, end }) => start <= from && from < end);
      expect(operatorAt(state, from, parameters)).toBe(current?.operator ?? null);

      for (const operator of [key(0), key(31), state.scheduler!.operator, ...state.active]) {
        const next = walked.find((shift) => shift.operator === operator && shift.start >= from);
        expect(nextShiftOf(state, operator, from, parameters)).toEqual(next ?? null);
      }
    }),
    { numRuns: 400 },
  );
});
