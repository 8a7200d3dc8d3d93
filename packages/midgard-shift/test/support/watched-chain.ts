import type { Clock } from '@horae/clock-store';
import type { ChainView, MidgardState, Transaction, Verdict } from '../../src/index.js';

/** A submission as the chain saw it. */
export interface Submission {
  readonly at: number;
  readonly tx: Transaction;
  readonly verdict: Verdict;
}

/** The chain with a record of what was submitted, and when. */
export function watched(chain: ChainView, clock: Clock): ChainView & { readonly submissions: Submission[] } {
  const submissions: Submission[] = [];
  return {
    submissions,
    state: () => chain.state(),
    async submit(tx) {
      const at = clock.now();
      const verdict = await chain.submit(tx);
      submissions.push({ at, tx, verdict });
      return verdict;
    },
  };
}

/** The chain as a provider shows it that is `lagMs` behind: what is submitted is included at once and seen late. */
export function lagging(chain: ChainView, clock: Clock, lagMs: number): ChainView {
  const seen: { at: number; state: MidgardState }[] = [];
  const note = async () => {
    const state = await chain.state();
    if (seen.at(-1)?.state !== state) seen.push({ at: clock.now(), state });
  };
  return {
    async state() {
      await note();
      const old = seen.findLast(({ at }) => at <= clock.now() - lagMs);
      return (old ?? seen[0]!).state;
    },
    async submit(tx) {
      await note();
      const verdict = await chain.submit(tx);
      await note();
      return verdict;
    },
  };
}

/** A chain that says yes and forgets, for the calls that `drops` names, counted from 1. */
export function forgetful(chain: ChainView, drops: readonly number[]): ChainView {
  let calls = 0;
  return {
    state: () => chain.state(),
    async submit(tx) {
      calls += 1;
      return drops.includes(calls) ? { accepted: true } : chain.submit(tx);
    },
  };
}
