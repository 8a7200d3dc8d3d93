import { seededRandom } from '@horae/clock-store';
import { type MidgardState, simulate } from '@horae/midgard-shift';
import { defineBench } from '@horae-tooling/bench';
import { parameters, SIZES, worldOf } from './large-world.js';

/** At least this many shifts in a run, so that a cycle of ten is not all overhead. */
const SHIFTS = 20_000;
/** Of the operators, per cycle. */
const TURNOVER = 0.002;

/** What one would write first: the list is searched for the next operator, and spliced when someone comes or goes. */
function searched(state: MidgardState, cycles: number): number {
  const random = seededRandom(1);
  const active = [...state.active];
  const rate = TURNOVER * 2 ** 32;
  let { operator } = state.scheduler!;
  let joined = 0;
  for (let rewinds = 0, shifts = 0; ; shifts++) {
    if (rewinds === cycles || active.length === 0) return shifts;
    const below = active.findLast((key) => key < operator);
    if (below === undefined) rewinds += 1;
    operator = below ?? active.at(-1)!;
    random.uint32();
    if (random.uint32() < rate) active.splice(random.below(active.length), 1);
    if (random.uint32() < rate) {
      active.push(`${(joined++).toString(16).padStart(8, '0')}${operator.slice(8)}`);
      active.sort();
    }
  }
}

export default SIZES.map((size) => {
  const cycles = Math.max(1, Math.ceil(SHIFTS / size));
  const turnover = TURNOVER * size;
  const options = { cycles, joins: turnover, retirements: turnover, absences: 0.05 };
  /** A run says how many shifts it was; the next ones are the same. */
  const contender = (run: (state: MidgardState) => number) => ({
    setup() {
      const state = worldOf(size);
      return { state, shifts: run(state) };
    },
    run: ({ state }: { state: MidgardState }) => run(state),
    operations: ({ shifts }: { shifts: number }) => shifts,
  });
  return defineBench({
    name: `shift/simulate/${size}-operators`,
    about:
      'One operation: one shift; per cycle 0.2 % of the operators join and as many retire, 5 % of the shifts are missed.',
    ours: 'simulate',
    contenders: {
      simulate: contender((state) => simulate(state, options, parameters, seededRandom(1)).shifts),
      // With 100,000 operators a run would take minutes.
      ...(size > 1_000 ? {} : { 'searched array': contender((state) => searched(state, cycles)) }),
    },
    wanted: [{ atMost: 1_000 }],
  });
});
