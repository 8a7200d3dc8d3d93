import { type MidgardState, planTransaction, type Transaction, validateTransaction } from '@horae/midgard-shift';
import { defineBench } from '@horae-tooling/bench';
import { key, parameters, SIZES, worldOf } from './large-world.js';

/** A rewind that breaks eleven rules, so that each is explained. */
function hopeless(state: MidgardState): Transaction {
  return {
    redeemer: 'rewind',
    mint: { hubOracle: 1, scheduler: 1 },
    signatories: [],
    validity: { from: 5, to: 5 },
    schedulerOutput: { operator: state.active[0]!, shiftStart: 7 },
    referenceInputs: [
      { list: 'active', key: state.active[1]! },
      { list: 'active', key: key(1_000_000) },
      { list: 'active', key: null },
      { list: 'registered', key: null },
    ],
  };
}

function legal(state: MidgardState): Transaction {
  const plan = planTransaction(state, 0, state.active.at(-2)!, parameters);
  if (!plan.possible) throw new Error(plan.explanation);
  return plan.transaction;
}

const registered = [{ operator: key(2_000_000), activationTime: 1 }];

export default SIZES.flatMap((size) =>
  [
    { kind: 'accepted', transaction: legal },
    { kind: 'explained', transaction: hopeless },
  ].map(({ kind, transaction }) =>
    defineBench({
      name: `shift/validate/${kind}/${size}-operators`,
      about:
        kind === 'accepted'
          ? 'One operation: the verdict on a legal Advance.'
          : 'One operation: the verdict on a Rewind that breaks every rule it can, each with its texts.',
      ours: 'validateTransaction',
      contenders: {
        validateTransaction: {
          setup() {
            const state = { ...worldOf(size), registered };
            return { state, tx: transaction(state) };
          },
          run: ({ state, tx }: { state: MidgardState; tx: Transaction }) => validateTransaction(state, tx, parameters),
        },
      },
      wanted: [{ atMost: 20_000 }],
    }),
  ),
);
