import { seededRandom } from '@horae/clock-store';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Shift, simulate, timetable } from '../../src/index.js';
import { simulateSlowly } from '../support/slow-simulation.js';
import { parameters, world } from '../support/world.js';

const active = (count: number) => Array.from({ length: count }, (_, index) => 2 * index + 2);

test('the simulation is what validated transactions and judged requests give, draw by draw', () => {
  const options = fc.record({
    cycles: fc.integer({ min: 0, max: 6 }),
    joins: fc.constantFrom(0, 0.5, 2, 9.25),
    retirements: fc.constantFrom(0, 0.5, 2, 7.5),
    absences: fc.constantFrom(0, 0.2, 1),
  });
  const editions = fc.constantFrom('2025' as const, '2026-05' as const);
  const registrationDurationMs = fc.constantFrom(0, 1, 999, 1_000, 5_000);
  fc.assert(
    fc.property(
      fc.integer(),
      fc.integer({ min: 0, max: 9 }),
      options,
      registrationDurationMs,
      editions,
      (seed, count, given, registration, edition) => {
        const state = world({ active: active(count), operator: 7 });
        const rules = { ...parameters, registrationDurationMs: registration, edition };
        const seen: (Shift & { missed: boolean })[] = [];
        const fast = simulate(state, { ...given, onShift: (shift) => seen.push(shift) }, rules, seededRandom(seed));
        const slow = simulateSlowly(state, given, rules, seededRandom(seed));
        expect({ ...fast, seen }).toEqual(slow);
      },
    ),
    { numRuns: 400 },
  );
});

test('without joins and retirements it is the timetable, cycle after cycle', () => {
  const state = world({ active: active(50) });
  const seen: Shift[] = [];
  const onShift = ({ operator, start, end }: Shift) => seen.push({ operator, start, end });
  const result = simulate(state, { cycles: 4, onShift }, parameters, seededRandom(1));
  expect(result).toMatchObject({ shifts: 200, missed: 0, joined: 0, retired: 0 });
  expect(seen).toEqual(timetable(state, parameters, { from: 1_000, count: 200 }));
});

test('in a large world nobody serves twice in a cycle and nobody active throughout is left out', () => {
  const state = world({ active: active(2_000) });
  let served = new Set<string>();
  let previous = state.scheduler!.operator;
  let cycles = 0;
  const onShift = ({ operator }: Shift) => {
    if (operator >= previous) {
      cycles += 1;
      served = new Set();
    }
    expect(served.has(operator)).toBe(false);
    served.add(operator);
    previous = operator;
  };
  const given = { cycles: 20, joins: 150, retirements: 140, absences: 0.1, onShift };
  const { state: after, shifts, missed, joined, retired } = simulate(state, given, parameters, seededRandom('large'));
  expect(cycles).toBe(20);
  expect(joined).toBeGreaterThan(2_000);
  expect(retired).toBeGreaterThan(2_000);
  expect(missed / shifts).toBeCloseTo(0.1, 1);
  expect(after.active.length + after.registered.length).toBe(2_000 + joined - retired);
  expect(after.retired).toEqual(after.retired.toSorted());
  expect(after.retired.length).toBe(retired);
});
