import type { MidgardState, ReferenceInput, Transaction, Validity } from '../../src/index.js';
import { tiny } from './small-world.js';
import { key } from './world.js';

const D = tiny.shiftDurationMs;

/** Windows around the present: as short as possible, to the ends of the coming shifts, and unbounded. */
function windowsAround(now: number): Validity[] {
  const froms = [now, now - 1, D, null].filter((from) => from === null || from <= now);
  const tos = [now + 1, now + 2, D + 1, D + 2, 2 * D, null].filter((to) => to === null || to > now);
  const all = froms.flatMap((from) => tos.map((to) => ({ from, to })));
  return [...new Map(all.map((validity) => [`${validity.from} ${validity.to}`, validity])).values()];
}

const NO_MINT = { hubOracle: 0, scheduler: 0 };

/**
 * Every transition that could be tried at `now`: anyone of the universe as the new operator, without a signature, with its own and with that of the
 * previous operator, over the grid of windows, with any element of the queue as what a rewind shows of it, and with a shift that is moved too little or too far.
 */
export function forEachTransition(
  state: MidgardState,
  now: number,
  universe: number,
  visit: (tx: Transaction) => void,
): void {
  const nodes: ReferenceInput[] = state.active.map((each) => ({ list: 'active', key: each }));
  const root: ReferenceInput = { list: 'active', key: null };
  const queue: ReferenceInput[] = [null, ...state.registered.map(({ operator }) => operator)].map((each) => ({
    list: 'registered',
    key: each,
  }));
  const ofRewind = queue.map((element) => [...nodes, root, element]);
  const windows = windowsAround(now);
  const previous = state.scheduler!.operator;
  for (let n = 1; n <= universe; n++) {
    const operator = key(n);
    for (const signatories of [[], ...new Set([operator, previous])].map((each) => [each].flat())) {
      for (const shiftStart of [D, 0, 2 * D]) {
        const schedulerOutput = { operator, shiftStart };
        // A shift that is moved wrongly is tried in the shortest window only.
        for (const validity of shiftStart === D ? windows : windows.slice(0, 1)) {
          visit({ redeemer: 'advance', mint: NO_MINT, signatories, validity, schedulerOutput, referenceInputs: nodes });
          for (const referenceInputs of ofRewind)
            visit({ redeemer: 'rewind', mint: NO_MINT, signatories, validity, schedulerOutput, referenceInputs });
        }
      }
    }
  }
}
