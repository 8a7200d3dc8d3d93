import { describe, expect, test } from 'vitest';
import {
  activate,
  applyTransaction,
  deregister,
  type LifecycleRequest,
  type LifecycleVerdict,
  MidgardInputError,
  planTransaction,
  register,
  retire,
} from '../../src/index.js';
import { key, parameters, within, world } from '../support/world.js';

const request = (operator: number, changes: Partial<LifecycleRequest> = {}): LifecycleRequest => ({
  operator: key(operator),
  signatories: [key(operator)],
  validity: within(0, 100),
  ...changes,
});
const registration = (operator: number, changes: Partial<LifecycleRequest> = {}) =>
  request(operator, { bond: 100n, ...changes });
const rulesOf = (verdict: LifecycleVerdict) => (verdict.accepted ? [] : verdict.violations.map(({ rule }) => rule));
const stateOf = (verdict: LifecycleVerdict) => {
  if (!verdict.accepted) throw new Error(JSON.stringify(verdict.violations));
  return verdict.state;
};

const state = world({
  active: [10, 20],
  registered: [{ operator: key(30), activationTime: 5_200 }],
  retired: [40],
});

describe('register', () => {
  test('puts the registrant at the head of the queue, eligible after the registration time', () => {
    const verdict = register(state, registration(50, { validity: within(0, 200) }), parameters);
    expect(stateOf(verdict).registered).toEqual([
      { operator: key(50), activationTime: 5_200 },
      { operator: key(30), activationTime: 5_200 },
    ]);
    expect(verdict).toMatchObject({ warnings: [] });
    expect(Object.isFrozen(stateOf(verdict).registered[0])).toBe(true);
  });

  const later = { validity: within(0, 300) };
  test.each([
    {
      story: 'no signature',
      change: { ...later, signatories: [key(10)] },
      operator: 50,
      rules: ['signed-by-operator'],
    },
    { story: 'no bond', change: { ...later, bond: undefined }, operator: 50, rules: ['bond-is-required-bond'] },
    { story: 'too much bond', change: { ...later, bond: 101n }, operator: 50, rules: ['bond-is-required-bond'] },
    { story: 'no upper bound', change: { validity: within(0, null) }, operator: 50, rules: ['validity-bounded'] },
    { story: 'an empty window', change: { validity: within(300, 300) }, operator: 50, rules: ['validity-not-empty'] },
    { story: 'a place in the queue', change: later, operator: 30, rules: ['not-registered'] },
    { story: 'a place among the active', change: later, operator: 20, rules: ['not-active'] },
    { story: 'retired before', change: later, operator: 40, rules: ['not-retired'] },
    {
      story: 'an earlier activation than the newest registrant by one millisecond',
      change: { validity: within(0, 199) },
      operator: 50,
      rules: ['queue-order-kept'],
    },
    {
      story: 'several faults at once',
      change: { signatories: [], bond: 1n, validity: within(0, null) },
      operator: 20,
      rules: ['signed-by-operator', 'validity-bounded', 'bond-is-required-bond', 'not-active'],
    },
  ])('with $story is refused', ({ change, operator, rules }) => {
    expect(rulesOf(register(state, registration(operator, change), parameters))).toEqual(rules);
  });
});

describe('activate', () => {
  const unsigned = (from: number | null, operator = 30) =>
    request(operator, { signatories: [], validity: within(from, null) });

  test('moves a due registrant into its place, without a signature', () => {
    const after = stateOf(activate(state, unsigned(5_200), parameters));
    expect(after.active).toEqual([key(10), key(20), key(30)]);
    expect(after.registered).toEqual([]);
  });

  test.each([
    { story: 'a millisecond early', given: unsigned(5_199), rules: ['activation-time-reached'] },
    { story: 'without a lower bound', given: unsigned(null), rules: ['activation-time-reached'] },
    { story: 'of a stranger', given: unsigned(9_000, 60), rules: ['is-registered'] },
    {
      story: 'in an empty window',
      given: { ...unsigned(0), validity: within(6_000, 6_000) },
      rules: ['validity-not-empty'],
    },
  ])('$story is refused', ({ given, rules }) => {
    expect(rulesOf(activate(state, given, parameters))).toEqual(rules);
  });

  test('any due registrant may be activated, in any order', () => {
    const two = stateOf(register(state, registration(50, { validity: within(0, 200) }), parameters));
    for (const order of [
      [30, 50],
      [50, 30],
    ]) {
      const after = order.reduce((at, n) => stateOf(activate(at, unsigned(5_200, n), parameters)), two);
      expect(after.active).toEqual([10, 20, 30, 50].map(key));
    }
  });

  test('who is active or retired already is not activated a second time', () => {
    const twice = { ...state, active: [key(10), key(20), key(30)] };
    expect(rulesOf(activate(twice, unsigned(9_000), parameters))).toEqual(['not-active']);
    expect(rulesOf(activate({ ...state, retired: [key(30)] }, unsigned(9_000), parameters))).toEqual(['not-retired']);
  });
});

describe('deregister', () => {
  test('takes the registrant out of the queue', () => {
    expect(stateOf(deregister(state, request(30), parameters)).registered).toEqual([]);
  });

  test('needs the signature and a place in the queue', () => {
    expect(rulesOf(deregister(state, request(30, { signatories: [] }), parameters))).toEqual(['signed-by-operator']);
    expect(rulesOf(deregister(state, request(20), parameters))).toEqual(['is-registered']);
    expect(rulesOf(deregister(state, request(30, { validity: within(2, 1) }), parameters))).toEqual([
      'validity-not-empty',
    ]);
  });
});

describe('5: retire', () => {
  test('moves the operator to the retired ones, at any time', () => {
    const after = stateOf(retire(state, request(10, { validity: within(null, null) }), parameters));
    expect(after.active).toEqual([key(20)]);
    expect(after.retired).toEqual([key(10), key(40)]);
  });

  test('needs the signature of an active operator', () => {
    expect(rulesOf(retire(state, request(10, { signatories: [key(20)] }), parameters))).toEqual(['signed-by-operator']);
    expect(rulesOf(retire(state, request(30), parameters))).toEqual(['is-active']);
    expect(rulesOf(retire(state, request(10, { validity: within(1, 1) }), parameters))).toEqual(['validity-not-empty']);
  });

  test.each([
    { story: 'all of the shift', validity: within(0, 1_000), warned: true },
    { story: 'its first millisecond', validity: within(-5, 1), warned: true },
    { story: 'its last millisecond', validity: within(999, null), warned: true },
    { story: 'the time before it', validity: within(null, 0), warned: false },
    { story: 'the time from its end on', validity: within(1_000, null), warned: false },
  ])('warns when the window covers $story: $warned', ({ validity, warned }) => {
    const verdict = retire(state, request(20, { validity }), parameters);
    const warnings = verdict.accepted ? verdict.warnings.map(({ warning }) => warning) : null;
    expect(warnings).toEqual(warned ? ['retired-during-own-shift'] : []);
  });

  test('the scheduler adjusts: the turn goes to the next below, or begins a new cycle', () => {
    const three = world({ active: [10, 20, 30], operator: 20 });
    const withoutNext = stateOf(retire(three, request(10), parameters));
    expect(planTransaction(withoutNext, 1_000, key(30), parameters)).toMatchObject({
      redeemer: 'rewind',
      operator: key(30),
    });
    const withoutCurrent = stateOf(retire(three, request(20, { validity: within(1_000, null) }), parameters));
    const plan = planTransaction(withoutCurrent, 1_000, key(10), parameters);
    expect(plan).toMatchObject({ redeemer: 'advance', operator: key(10) });
    if (plan.possible)
      expect(applyTransaction(withoutCurrent, plan.transaction, parameters).scheduler?.operator).toBe(key(10));
  });
});

test('what is not a request at all is refused with its field', () => {
  const refused = (given: LifecycleRequest) => () => register(state, given, parameters);
  expect(refused({ ...registration(50), operator: 'ABC' })).toThrow('request.operator must be a key hash');
  expect(refused({ ...registration(50), bond: 100 as never })).toThrow('request.bond must be a bigint');
  expect(refused({ ...registration(50), validity: within(0.5, 1) })).toThrow('request.validity.from');
  expect(refused({ ...registration(50), signatories: 'x' as never })).toThrow(MidgardInputError);
  expect(() => register(state, null as never, parameters)).toThrow('request must be an object');
});
