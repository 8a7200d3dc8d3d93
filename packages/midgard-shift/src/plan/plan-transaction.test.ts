import { describe, expect, test } from 'vitest';
import { key, parameters, world } from '../../test/support/world.js';
import { planCatchUp } from './plan-catch-up.js';
import { planTransaction } from './plan-transaction.js';

const running = world({ active: [10, 20, 30], operator: 30 });
const waiting = (...times: number[]) =>
  world({
    active: [10, 20],
    operator: 10,
    registered: times.map((activationTime, index) => ({ operator: key(40 + index), activationTime })),
  });

describe('the plan', () => {
  test('carries all that has to be submitted', () => {
    expect(planTransaction(running, 500, key(20), parameters)).toEqual({
      possible: true,
      redeemer: 'advance',
      operator: key(20),
      requiredSigner: key(20),
      validity: { from: 1_000, to: 2_000 },
      referenceInputs: [{ list: 'active', key: key(20) }],
      transaction: {
        redeemer: 'advance',
        mint: { hubOracle: 0, scheduler: 0 },
        signatories: [key(20)],
        validity: { from: 1_000, to: 2_000 },
        schedulerOutput: { operator: key(20), shiftStart: 1_000 },
        referenceInputs: [{ list: 'active', key: key(20) }],
      },
    });
  });

  test.each([
    { story: 'signed, in the middle of the shift', who: 20, now: 1_500, from: 1_500, to: 2_000, signer: 20 },
    { story: 'signed, in its last millisecond', who: 20, now: 1_999, from: 1_999, to: 2_000, signer: 20 },
    { story: 'unsigned for its operator, once it is over', who: 20, now: 2_000, from: 2_000, to: null, signer: null },
    { story: 'unsigned for another', who: 10, now: 1_500, from: 2_000, to: null, signer: null },
    { story: 'unsigned for nobody', who: null, now: 5_000, from: 5_000, to: null, signer: null },
  ])('$story', ({ who, now, from, to, signer }) => {
    const plan = planTransaction(running, now, who === null ? null : key(who), parameters);
    expect(plan).toMatchObject({ validity: { from, to }, requiredSigner: signer === null ? null : key(signer) });
  });

  test('of a new cycle shows the last node, the root and the earliest registrant', () => {
    const state = waiting(9_000, 8_000);
    const plan = planTransaction(state, 1_000, key(20), parameters);
    expect(plan).toMatchObject({
      redeemer: 'rewind',
      operator: key(20),
      validity: { from: 1_000, to: 2_000 },
      referenceInputs: [
        { list: 'active', key: key(20) },
        { list: 'active', key: null },
        { list: 'registered', key: key(41) },
      ],
    });
    expect(planTransaction(state, 1_000, null, parameters)).toMatchObject({ validity: { from: 2_000, to: 7_999 } });
  });

  test('ends a signed window before a registrant becomes eligible', () => {
    expect(planTransaction(waiting(1_500), 0, key(20), parameters)).toMatchObject({
      validity: { from: 1_000, to: 1_499 },
    });
  });

  test('names those who must be activated, the earliest first', () => {
    expect(planTransaction(waiting(9_000, 2_001, 1_800), 0, null, parameters)).toEqual({
      possible: false,
      reason: 'registrant-must-activate',
      explanation: `A new cycle could begin at 2000 at the earliest, and by then these have to be activated: ${key(42)} (from 1800 on), ${key(41)} (from 2001 on).`,
      registrants: [key(42), key(41)],
    });
  });

  test('says why there is none', () => {
    expect(planTransaction(world({ active: [10], operator: null }), 0, null, parameters)).toMatchObject({
      possible: false,
      reason: 'not-initialized',
      registrants: [],
    });
    expect(planTransaction(world({ active: [], operator: 10 }), 0, null, parameters)).toMatchObject({
      possible: false,
      reason: 'no-active-operator',
    });
  });
});

describe('catching up', () => {
  test.each([
    { now: 1_999, missed: [] },
    { now: 2_000, missed: [20] },
    { now: 2_999, missed: [20] },
    { now: 5_500, missed: [20, 10, 30, 20] },
  ])('at $now costs a transaction for each of $missed', ({ now, missed }) => {
    const plans = planCatchUp(running, now, parameters);
    expect(plans.map((plan) => plan.possible && plan.operator)).toEqual(missed.map(key));
    expect(plans.every((plan) => plan.possible && plan.requiredSigner === null && plan.validity.from === now)).toBe(
      true,
    );
  });

  test('stops where someone has to be activated first', () => {
    const plans = planCatchUp(
      { ...waiting(3_000), scheduler: { operator: key(20), shiftStart: 0 } },
      9_000,
      parameters,
    );
    expect(plans.map((plan) => (plan.possible ? plan.operator : plan.reason))).toEqual([
      key(10),
      'registrant-must-activate',
    ]);
  });

  test('is nothing before Init, and one refusal when nobody is active', () => {
    expect(planCatchUp(world({ active: [10], operator: null }), 9_000, parameters)).toEqual([]);
    const lonely = world({ active: [], operator: 10 });
    expect(planCatchUp(lonely, 1_999, parameters)).toEqual([]);
    expect(planCatchUp(lonely, 9_000, parameters)).toMatchObject([{ possible: false, reason: 'no-active-operator' }]);
  });
});
