import { expect, test } from 'vitest';
import {
  applyTransaction,
  type MidgardState,
  type Plan,
  type ProtocolParameters,
  planCatchUp,
  planTransaction,
  validateTransaction,
} from '../../src/index.js';
import { key, world } from '../support/world.js';

const base: ProtocolParameters = { shiftDurationMs: 3, registrationDurationMs: 2, requiredBond: 1n };
const editions = (['2025', '2026-05'] as const).map((edition) => ({ edition, tiny: { ...base, edition } }));
/** Nothing in these worlds happens later. */
const HORIZON = 14;

interface Window {
  from: number;
  to: number | null;
}

/** Every transaction that `who` could submit with a window from `now` on: the least `from`, and for it the greatest `to`. */
function search(state: MidgardState, now: number, who: number | null, tiny: ProtocolParameters): Window | null {
  const isLegal = (from: number, to: number | null): boolean =>
    (['advance', 'rewind'] as const).some((redeemer) =>
      state.active.some((operator) =>
        [[], ...(who === null ? [] : [[key(who)]])].some((signatories) => {
          const tx = {
            redeemer,
            mint: { hubOracle: 0, scheduler: 0 },
            signatories,
            validity: { from, to },
            schedulerOutput: { operator, shiftStart: state.scheduler!.shiftStart + tiny.shiftDurationMs },
            referenceInputs: [
              { list: 'active' as const, key: operator },
              { list: 'active' as const, key: null },
              { list: 'registered' as const, key: state.registered.at(-1)?.operator ?? null },
            ],
          };
          return validateTransaction(state, tx, tiny).accepted;
        }),
      ),
    );
  for (let from = now; from <= HORIZON; from++) {
    if (isLegal(from, null)) return { from, to: null };
    // A signed window of edition 2026-05 is five minutes long: far beyond the horizon, and exact.
    for (const to of [from + 300_002, from + 300_001, from + 300_000]) if (isLegal(from, to)) return { from, to };
    for (let to = HORIZON + 2; to > from; to--) if (isLegal(from, to)) return { from, to };
  }
  return null;
}

function* smallStates(): Generator<MidgardState> {
  const queues = [[], [0], [3], [4], [5], [6], [7], [8], [9], [11], [9, 5]];
  for (const active of [[2], [2, 4], [2, 4, 6]]) {
    for (const operator of [1, 2, 3, 4, 6, 7]) {
      for (const times of queues) {
        const registered = times.map((activationTime, index) => ({ operator: key(20 + index), activationTime }));
        yield world({ active, operator, registered });
      }
    }
  }
}

function expectAccepted(state: MidgardState, plan: Extract<Plan, { possible: true }>, tiny: ProtocolParameters): void {
  expect(validateTransaction(state, plan.transaction, tiny)).toEqual({ accepted: true });
  expect(plan.transaction.signatories).toEqual(plan.requiredSigner === null ? [] : [plan.requiredSigner]);
  expect(plan.transaction.schedulerOutput?.operator).toBe(plan.operator);
  expect(plan.transaction).toMatchObject({ redeemer: plan.redeemer, validity: plan.validity });
}

test.each(editions)(
  'edition $edition: the plan is the earliest legal transaction with the widest window, against a search over all of them',
  ({ tiny }) => {
    let plans = 0;
    for (const state of smallStates()) {
      for (const now of [0, 3, 4, 6, 7]) {
        for (const who of [null, 2, 4, 6, 9]) {
          const found = search(state, now, who, tiny);
          const plan = planTransaction(state, now, who === null ? null : key(who), tiny);
          plans += 1;
          if (plan.possible) {
            expectAccepted(state, plan, tiny);
            expect(plan.validity, JSON.stringify({ state, now, who })).toEqual(found);
          } else {
            expect(plan.reason).toBe('registrant-must-activate');
            expect(found, JSON.stringify({ state, now, who })).toBeNull();
          }
        }
      }
    }
    expect(plans).toBe(3 * 6 * 11 * 5 * 5);
  },
);

test.each(editions)(
  'edition $edition, catching up: each plan is accepted after the ones before it, and then nobody is late or nothing can be done',
  ({ edition, tiny }) => {
    for (const state of smallStates()) {
      for (let now = 0; now < 40; now++) {
        let at = state;
        const plans = planCatchUp(state, now, tiny);
        for (const [index, plan] of plans.entries()) {
          if (!plan.possible) {
            expect(index).toBe(plans.length - 1);
            continue;
          }
          expect(plan.requiredSigner).toBeNull();
          expect(plan.validity.from).toBe(now);
          at = applyTransaction(at, plan.transaction, tiny);
        }
        // Shift number k is [3k, 3k + 3): in 2025 it is missed when it has ended, in 2026-05 when it has begun before now.
        const missed = Math.max(0, edition === '2025' ? Math.floor(now / 3) - 1 : Math.ceil(now / 3) - 1);
        if (plans.at(-1)?.possible === false) expect(plans.length).toBeLessThanOrEqual(missed);
        else expect(plans.length).toBe(missed);
      }
    }
  },
);
