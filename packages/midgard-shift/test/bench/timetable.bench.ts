import { type MidgardState, nextShiftOf, type PubKeyHash, timetable } from '@horae/midgard-shift';
import { defineBench } from '@horae-tooling/bench';
import { parameters, SIZES, worldOf } from './large-world.js';

/** Shift by shift until the operator comes up; the position is kept, so this is the quick way to walk. */
function walked(state: MidgardState, operator: PubKeyHash, now: number) {
  const { active } = state;
  let position = active.length - 1;
  for (let start = 0; ; start += parameters.shiftDurationMs) {
    if (start >= now && active[position] === operator)
      return { operator, start, end: start + parameters.shiftDurationMs };
    position = position === 0 ? active.length - 1 : position - 1;
  }
}

const nextBenches = SIZES.map((size) => {
  const setup = () => {
    const state = worldOf(size);
    return { state, operator: state.active[Math.floor(size / 3)]!, now: 40 * parameters.shiftDurationMs + 1 };
  };
  return defineBench({
    name: `shift/next/${size}-operators`,
    about: 'One operation: the next shift of an operator two thirds of a cycle away.',
    ours: 'nextShiftOf',
    contenders: {
      nextShiftOf: { setup, run: ({ state, operator, now }) => nextShiftOf(state, operator, now, parameters) },
      'shift by shift': { setup, run: ({ state, operator, now }) => walked(state, operator, now) },
    },
    wanted: [{ atMost: 1_000_000 }],
  });
});

const tableBenches = SIZES.map((size) =>
  defineBench({
    name: `shift/timetable/${size}-operators`,
    about: 'One operation: a timetable of 10,000 shifts that begins a year ahead.',
    ours: 'timetable',
    unit: 'ns',
    contenders: {
      timetable: {
        setup: () => worldOf(size),
        run: (state: MidgardState) => timetable(state, parameters, { from: 31_536_000_000, count: 10_000 }),
      },
    },
    wanted: [{ atMost: 10_000_000 }],
  }),
);

export default [...nextBenches, ...tableBenches];
