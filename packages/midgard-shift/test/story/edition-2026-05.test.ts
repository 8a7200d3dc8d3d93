import { describe, expect, test } from 'vitest';
import {
  activate,
  MidgardInputError,
  type ProtocolParameters,
  parseProtocolParameters,
  planCatchUp,
  planTransaction,
  register,
  type Transaction,
  validateTransaction,
} from '../../src/index.js';
import { advanceTo, parameters as base, key, rewindTo, rulesOf, within, world } from '../support/world.js';

const HOUR = 3_600_000;
const parameters: ProtocolParameters = { ...base, shiftDurationMs: HOUR, edition: '2026-05' };
const S = HOUR;
const state = world({ active: [10, 20, 30] });
const moved = { operator: key(20), shiftStart: S };

const judge = (changes: Partial<Transaction>, of = state) =>
  rulesOf(validateTransaction(of, advanceTo(20, { schedulerOutput: moved, ...changes }), parameters));

describe('the parameters name the edition', () => {
  test('it is kept as given, and left out when it is not given', () => {
    expect(parseProtocolParameters(parameters).edition).toBe('2026-05');
    expect(parseProtocolParameters({ ...base, edition: '2025' }).edition).toBe('2025');
    expect(parseProtocolParameters(base)).not.toHaveProperty('edition');
  });

  test.each([
    { story: 'parseProtocolParameters', call: (bad: ProtocolParameters) => parseProtocolParameters(bad) },
    {
      story: 'validateTransaction',
      call: (bad: ProtocolParameters) => validateTransaction(state, advanceTo(20), bad),
    },
  ])('$story refuses another one and names both', ({ call }) => {
    const bad = { ...base, edition: '2026' } as unknown as ProtocolParameters;
    expect(() => call(bad)).toThrow(MidgardInputError);
    expect(() => call(bad)).toThrow("parameters.edition must be '2025' or '2026-05', got \"2026\"");
  });

  test('the same transaction is judged by the edition that is named', () => {
    const tx = advanceTo(20, { signatories: [], validity: within(S + 1, null), schedulerOutput: moved });
    expect(rulesOf(validateTransaction(state, tx, parameters))).toEqual([]);
    expect(rulesOf(validateTransaction(state, tx, { ...parameters, edition: '2025' }))).toEqual(['operator-consent']);
  });
});

describe('operator-consent', () => {
  const previous = [key(30)];
  test.each([
    { story: 'unsigned, a moment after the start', signatories: [], validity: within(S + 1, null), is: true },
    { story: 'unsigned, at the start', signatories: [], validity: within(S, null), is: false },
    { story: 'unsigned, without a lower bound', signatories: [], validity: within(null, S + 5), is: false },
    {
      story: 'of the previous operator, five minutes',
      signatories: previous,
      validity: within(S - 299_999, S + 2),
      is: true,
    },
    {
      story: 'of the previous operator, a millisecond longer',
      signatories: previous,
      validity: within(S - 299_999, S + 3),
      is: false,
    },
    {
      story: 'of the previous operator, over at the start',
      signatories: previous,
      validity: within(S - 299_999, S + 1),
      is: false,
    },
    { story: 'of the previous operator, open below', signatories: previous, validity: within(null, S + 2), is: false },
    { story: 'of the previous operator, open above', signatories: previous, validity: within(S, null), is: false },
    { story: 'of the new operator', signatories: [key(20)], validity: within(S - 299_999, S + 2), is: false },
  ])('$story: $is', ({ signatories, validity, is }) => {
    expect(judge({ signatories, validity })).toEqual(is ? [] : ['operator-consent']);
  });
});

describe('a rewind and the earliest registrant', () => {
  const activationTime = S + 100;
  const waiting = world({ active: [10, 20], operator: 10, registered: [{ operator: key(5), activationTime }] });
  const judged = (to: number | null) =>
    rulesOf(
      validateTransaction(
        waiting,
        rewindTo(20, 5, { signatories: [], validity: within(S + 1, to), schedulerOutput: moved }),
        parameters,
      ),
    );

  test('the window may end at the activation time, which it does not contain', () => {
    expect(judged(activationTime)).toEqual([]);
    expect(judged(activationTime + 1)).toEqual(['no-registrant-eligible']);
    expect(judged(null)).toEqual(['no-registrant-eligible']);
  });

  test('the plan ends there', () => {
    expect(planTransaction(waiting, 0, null, parameters)).toMatchObject({
      possible: true,
      redeemer: 'rewind',
      validity: { from: S + 1, to: activationTime },
    });
    expect(planTransaction(waiting, activationTime - 1, null, parameters)).toMatchObject({ possible: true });
    expect(planTransaction(waiting, activationTime, null, parameters)).toMatchObject({
      possible: false,
      reason: 'registrant-must-activate',
      registrants: [key(5)],
    });
  });

  test('a signed window needs a moment after the start that is left before the activation time', () => {
    const early = (time: number) =>
      world({ active: [10, 20], operator: 10, registered: [{ operator: key(5), activationTime: time }] });
    expect(planTransaction(early(S + 2), S - 5, key(10), parameters)).toMatchObject({
      possible: true,
      requiredSigner: key(10),
      validity: { from: S - 5, to: S + 2 },
    });
    expect(planTransaction(early(S + 1), S - 5, key(10), parameters)).toMatchObject({ possible: false });
  });
});

describe('registering', () => {
  const request = (changes: object) => ({
    operator: key(5),
    signatories: [key(5)],
    validity: within(0, 1_000),
    bond: 100n,
    ...changes,
  });
  const judged = (changes: object, of = state) => {
    const verdict = register(of, request(changes), parameters);
    return verdict.accepted ? verdict.state.registered : rulesOf(verdict);
  };

  test('locks at least the bond', () => {
    expect(judged({ bond: 99n })).toEqual(['bond-at-least-required-bond']);
    expect(judged({ bond: undefined })).toEqual(['bond-at-least-required-bond']);
    expect(judged({ bond: 1_000n })).toHaveLength(1);
  });

  test('counts from the last moment of the window', () => {
    expect(judged({})).toEqual([{ operator: key(5), activationTime: 999 + 5_000 }]);
  });

  test('gives every registrant a time of its own, later than the newest', () => {
    const queue = world({ active: [10], registered: [{ operator: key(7), activationTime: 5_999 }] });
    expect(judged({}, queue)).toEqual(['queue-order-kept']);
    expect(judged({ validity: within(0, 1_001) }, queue)).toHaveLength(2);
  });

  test('is followed by an activation from that time on', () => {
    const queue = world({ active: [10], registered: [{ operator: key(7), activationTime: 5_999 }] });
    const at = (from: number) =>
      activate(queue, request({ operator: key(7), validity: within(from, null) }), parameters);
    expect(rulesOf(at(5_998))).toEqual(['activation-time-reached']);
    expect(at(5_999)).toMatchObject({ accepted: true });
  });
});

describe('planTransaction', () => {
  test.each([
    { story: 'long before: as early as five minutes allow', now: 0, validity: within(S - 299_999, S + 2) },
    { story: 'shortly before: from now on', now: S - 10, validity: within(S - 10, S - 10 + 300_001) },
    { story: 'at the start: still signed', now: S, validity: within(S, S + 300_001) },
  ])('the previous operator signs, $story', ({ now, validity }) => {
    const plan = planTransaction(state, now, key(30), parameters);
    expect(plan).toMatchObject({ possible: true, operator: key(20), requiredSigner: key(30), validity });
    expect(plan.possible && validateTransaction(state, plan.transaction, parameters)).toEqual({ accepted: true });
  });

  test.each([
    { story: 'the previous operator after the start', now: S + 1, who: key(30), from: S + 1 },
    { story: 'the new operator before the start', now: 0, who: key(20), from: S + 1 },
    { story: 'nobody, later', now: S + 77, who: null, from: S + 77 },
  ])('unsigned for $story', ({ now, who, from }) => {
    expect(planTransaction(state, now, who, parameters)).toMatchObject({
      requiredSigner: null,
      validity: { from, to: null },
    });
  });

  test('catching up takes every shift that has begun before now', () => {
    expect(planCatchUp(state, S, parameters)).toEqual([]);
    expect(planCatchUp(state, S + 1, parameters)).toHaveLength(1);
    expect(planCatchUp(state, 3 * S, parameters)).toHaveLength(2);
    expect(planCatchUp(state, 3 * S + 1, parameters).map((plan) => plan.possible && plan.operator)).toEqual(
      [20, 10, 30].map(key),
    );
  });
});
