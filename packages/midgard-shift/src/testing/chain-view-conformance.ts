import type { ChainView } from '../ledger/chain-view.js';
import type { Verdict } from '../state/violation.js';
import {
  beginning,
  type ChainCase,
  type ConformanceCase,
  MIDDLE,
  NOW,
  type OpenChain,
  parameters,
  START,
  same,
  takeOver,
} from './conformance-world.js';

/** The requirements on every chain view that a keeper uses, one case per requirement. */
export function chainViewConformance(open: OpenChain): readonly ConformanceCase[] {
  return casesOn(open, chainCases);
}

/** Runs each case on a chain of its own. */
export function casesOn<Chain extends ChainView>(
  open: OpenChain<Chain>,
  cases: readonly ChainCase<Chain>[],
): readonly ConformanceCase[] {
  const standing = () => Promise.reject(new Error('nothing sleeps in these cases'));
  const clock = { now: () => NOW, monotonicMs: () => 0, sleepUntil: standing, sleepFor: standing };
  return cases.map(({ name, check }) => ({
    name,
    async run() {
      const { chain, close } = await open({ state: beginning, parameters, clock });
      try {
        await check(chain);
      } finally {
        await close?.();
      }
    },
  }));
}

/** The names of the violated rules. */
export const rulesOf = (verdict: Verdict) => (verdict.accepted ? [] : verdict.violations.map(({ rule }) => rule));

export const chainCases: readonly ChainCase<ChainView>[] = [
  {
    name: 'the state is the one it began with',
    check: async (chain) => same('state()', await chain.state(), beginning),
  },
  {
    name: 'an accepted transaction is in the state',
    async check(chain) {
      same('verdict', await chain.submit(takeOver), { accepted: true });
      same('datum', (await chain.state()).scheduler, { operator: MIDDLE, shiftStart: START + 1_000 });
    },
  },
  {
    name: 'a refused transaction names the rule and changes nothing',
    async check(chain) {
      same('rules', rulesOf(await chain.submit({ ...takeOver, signatories: [] })), ['operator-consent']);
      same('state()', await chain.state(), beginning);
    },
  },
  {
    name: 'the same transaction is accepted once',
    async check(chain) {
      await chain.submit(takeOver);
      const again = await chain.submit(takeOver);
      same('verdict', again.accepted, false);
    },
  },
  {
    name: 'of two transactions at the same time one is accepted',
    async check(chain) {
      const verdicts = await Promise.all([chain.submit(takeOver), chain.submit(takeOver)]);
      same('accepted', verdicts.filter(({ accepted }) => accepted).length, 1);
    },
  },
  ...[
    { story: 'begins a millisecond later', validity: { from: NOW + 1, to: START + 2_000 } },
    { story: 'ends now, which it does not contain', validity: { from: NOW - 1, to: NOW } },
  ].map(({ story, validity }) => ({
    name: `a window that ${story} is refused by the clock`,
    check: async (chain: ChainView) =>
      same('rules', rulesOf(await chain.submit({ ...takeOver, validity })), ['validity-contains-now']),
  })),
  {
    name: 'a window of the present millisecond is enough',
    check: async (chain) =>
      same('verdict', await chain.submit({ ...takeOver, validity: { from: NOW, to: NOW + 1 } }), { accepted: true }),
  },
];
