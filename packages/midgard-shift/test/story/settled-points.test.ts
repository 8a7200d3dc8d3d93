import { describe, expect, test } from 'vitest';
import {
  activate,
  applyTransaction,
  MidgardInputError,
  type MidgardState,
  planTransaction,
  type Transaction,
  TransactionRejectedError,
  validateTransaction,
} from '../../src/index.js';
import { advanceTo, DURATION, key, parameters, rewindTo, rulesOf, within, world } from '../support/world.js';

const judge = (state: MidgardState, tx: Transaction) => rulesOf(validateTransaction(state, tx, parameters));
const judgeLiterally = (state: MidgardState, tx: Transaction) =>
  rulesOf(validateTransaction(state, tx, parameters, { rules: 'literal' }));

describe('1: turns go down', () => {
  const running = world({ active: [10, 20, 30], operator: 20 });

  test.each([
    { story: 'an operator that re-appoints itself', tx: advanceTo(20) },
    { story: 'a jump up to the greatest key', tx: advanceTo(30) },
  ])('$story is refused by the guard alone, which the literal rules leave out', ({ tx }) => {
    expect(judge(running, tx)).toEqual(['new-operator-below-previous']);
    expect(judgeLiterally(running, tx)).toEqual([]);
  });

  test('a rewind is judged the same way by both readings', () => {
    const state = world({ active: [10, 20, 30], operator: 10 });
    expect(judge(state, rewindTo(20))).toEqual(['active-node-is-last']);
    expect(judgeLiterally(state, rewindTo(20))).toEqual(['active-node-is-last']);
  });

  test('another reading is not known', () => {
    expect(() => validateTransaction(running, advanceTo(10), parameters, { rules: 'loose' as never })).toThrow(
      MidgardInputError,
    );
  });
});

describe('2: the ends of the lists', () => {
  test('without a link nothing stands above the new operator', () => {
    expect(judge(world({ active: [10, 20], operator: 30, retired: [30] }), advanceTo(20))).toEqual([]);
  });

  test('the root shows an empty queue, and then the window may stay open', () => {
    const state = world({ active: [10, 20], operator: 10 });
    expect(judge(state, rewindTo(20, null, { signatories: [], validity: within(2_000, null) }))).toEqual([]);
  });

  test('with registrants the root is not the last element, and shows nobody to judge', () => {
    const registered = [{ operator: key(40), activationTime: 0 }];
    expect(judge(world({ active: [10, 20], operator: 10, registered }), rewindTo(20))).toEqual([
      'registered-node-is-last',
    ]);
  });

  test('a single operator rewinds onto itself and cannot advance onto itself', () => {
    const alone = world({ active: [10] });
    expect(judge(alone, rewindTo(10))).toEqual([]);
    expect(judge(alone, advanceTo(10))).toEqual(['new-operator-below-previous']);
  });

  test.each([
    advanceTo(10, { referenceInputs: [] }),
    rewindTo(10, null, { referenceInputs: [{ list: 'active', key: null }] }),
  ])('with nobody active no $redeemer is legal, and the verdict says so', (tx) => {
    const rules = judge(world({ active: [], operator: 30, retired: [30] }), tx);
    expect(rules).toContain('some-operator-active');
    expect(rules).toContain('active-node-referenced');
  });
});

describe('3: Init', () => {
  const init: Transaction = {
    ...advanceTo(20, { redeemer: 'init', mint: { hubOracle: 1, scheduler: 1 }, signatories: [], referenceInputs: [] }),
    schedulerOutput: { operator: key(20), shiftStart: 77 },
  };
  const before = world({ active: [10, 20], operator: null });

  test('begins with the greatest active key and the given start', () => {
    const after = applyTransaction(before, init, parameters);
    expect(after).toEqual({ ...before, scheduler: { operator: key(20), shiftStart: 77 }, hubOracle: true });
    expect(judge({ ...before, active: [key(10), key(20), key(30)] }, init)).toEqual([
      'init-operator-is-greatest-active',
    ]);
  });

  test('takes the operator given when the list is empty', () => {
    expect(judge({ ...before, active: [] }, init)).toEqual([]);
  });

  test('happens only once', () => {
    expect(judge(world({ active: [10, 20] }), init)).toEqual(['init-only-once']);
    expect(judge({ ...before, hubOracle: true }, init)).toEqual(['init-only-once']);
  });

  test('needs its output', () => {
    expect(judge(before, { ...init, schedulerOutput: null })).toEqual(['scheduler-output-present']);
  });

  test('is undone by Deinit, after which it may happen again', () => {
    const deinit: Transaction = {
      ...init,
      redeemer: 'deinit',
      mint: { hubOracle: -1, scheduler: -1 },
      schedulerOutput: null,
    };
    const running = applyTransaction(before, init, parameters);
    const ended = applyTransaction(running, deinit, parameters);
    expect(ended).toEqual(before);
    expect(judge(ended, init)).toEqual([]);
    expect(judge(ended, deinit)).toEqual(['scheduler-initialized']);
    expect(judge(running, { ...deinit, schedulerOutput: init.schedulerOutput })).toEqual(['scheduler-output-absent']);
  });
});

describe('4: eligible registrants', () => {
  const at = 8_000;
  const state = world({ active: [10, 20], operator: 10, registered: [{ operator: key(40), activationTime: at }] });
  const rewind = (from: number, to: number) => rewindTo(20, 40, { signatories: [], validity: within(from, to) });
  const activation = (from: number, to: number) =>
    activate(state, { operator: key(40), signatories: [], validity: within(from, to) }, parameters).accepted;

  test.each([
    { story: 'ends before the activation time', from: 7_000, to: at - 1, rewinds: true, activates: false },
    { story: 'ends at the activation time', from: 7_000, to: at, rewinds: false, activates: false },
    { story: 'straddles the activation time', from: at - 1, to: at + 1, rewinds: false, activates: false },
    { story: 'begins at the activation time', from: at, to: at + 1, rewinds: false, activates: true },
  ])('a window that $story', ({ from, to, rewinds, activates }) => {
    expect(judge(state, rewind(from, to))).toEqual(rewinds ? [] : ['no-registrant-eligible']);
    expect(activation(from, to)).toBe(activates);
  });

  test('a window without an end lets a registrant become eligible', () => {
    expect(judge(state, rewindTo(20, 40, { signatories: [], validity: within(2_000, null) }))).toEqual([
      'no-registrant-eligible',
    ]);
  });

  test('the plan ends its window before the activation time, or names who has to be activated', () => {
    expect(planTransaction(state, at - 3, null, parameters)).toMatchObject({ validity: { from: at - 3, to: at - 1 } });
    expect(planTransaction(state, at - 2, null, parameters)).toMatchObject({ validity: { from: at - 2, to: at - 1 } });
    for (const now of [at - 1, at, at + 5_000]) {
      expect(planTransaction(state, now, null, parameters)).toMatchObject({
        possible: false,
        reason: 'registrant-must-activate',
        registrants: [key(40)],
      });
    }
  });
});

describe('6: windows are half-open, unbounded ends are not contained', () => {
  const state = world({ active: [10, 20, 30], operator: 30 });
  const signed = (from: number | null, to: number | null) =>
    judge(state, advanceTo(20, { validity: within(from, to) }));
  const unsigned = (from: number | null, to: number | null) =>
    judge(state, advanceTo(20, { signatories: [], validity: within(from, to) }));
  const start = DURATION;
  const end = 2 * DURATION;

  test.each([
    { story: 'equal to the shift', from: start, to: end, rules: [] },
    { story: 'of the first millisecond', from: start, to: start + 1, rules: [] },
    { story: 'of the last millisecond', from: end - 1, to: end, rules: [] },
    { story: 'one millisecond early', from: start - 1, to: end, rules: ['operator-consent'] },
    { story: 'one millisecond late', from: start, to: end + 1, rules: ['operator-consent'] },
    { story: 'one within on each side', from: start + 1, to: end - 1, rules: [] },
    { story: 'without a lower bound', from: null, to: end, rules: ['operator-consent'] },
    { story: 'without an upper bound', from: start, to: null, rules: ['operator-consent'] },
    { story: 'without bounds', from: null, to: null, rules: ['operator-consent'] },
    { story: 'that is empty', from: start + 5, to: start + 5, rules: ['validity-not-empty'] },
    { story: 'that ends before it begins', from: start + 5, to: start + 4, rules: ['validity-not-empty'] },
    { story: 'after the shift, where the signature does no harm', from: end, to: end + 1, rules: [] },
  ])('signed, a window $story', ({ from, to, rules }) => {
    expect(signed(from, to)).toEqual(rules);
  });

  test.each([
    { story: 'from the end of the shift on', from: end, to: null, rules: [] },
    { story: 'one millisecond before its end', from: end - 1, to: null, rules: ['operator-consent'] },
    { story: 'one millisecond after its end', from: end + 1, to: end + 2, rules: [] },
    { story: 'equal to the shift', from: start, to: end, rules: ['operator-consent'] },
    { story: 'without a lower bound', from: null, to: end + 9, rules: ['operator-consent'] },
  ])('unsigned, a window $story', ({ from, to, rules }) => {
    expect(unsigned(from, to)).toEqual(rules);
  });
});

describe('witnesses', () => {
  const state = world({ active: [10, 20, 30], operator: 30 });

  test('the node of the new operator is the witness wherever it stands among the references', () => {
    const referenceInputs = [30, 10, 20].map((n) => ({ list: 'active' as const, key: key(n) }));
    expect(judge(state, advanceTo(20, { referenceInputs }))).toEqual([]);
  });

  test('without it the first referenced node is', () => {
    const referenceInputs = [10, 30].map((n) => ({ list: 'active' as const, key: key(n) }));
    expect(judge(state, advanceTo(20, { referenceInputs }))).toEqual([
      'active-node-is-new-operator',
      'active-node-link-reaches-previous',
    ]);
  });

  test('a reference to nobody is named and shows nothing', () => {
    const referenceInputs = [{ list: 'active' as const, key: key(99) }];
    expect(judge(state, advanceTo(20, { referenceInputs }))).toEqual([
      'reference-input-exists',
      'active-node-referenced',
    ]);
    const registrant = [...advanceTo(20).referenceInputs, { list: 'registered' as const, key: key(99) }];
    expect(judge(state, advanceTo(20, { referenceInputs: registrant }))).toEqual(['reference-input-exists']);
  });
});

test('a rejected transaction throws with its violations, an accepted one gives a frozen state', () => {
  const state = world({ active: [10, 20, 30], operator: 30 });
  const before = structuredClone(state);
  const after = applyTransaction(state, advanceTo(20), parameters);
  expect(after.scheduler).toEqual({ operator: key(20), shiftStart: DURATION });
  const frozen = [after, after.scheduler, after.active, after.registered, after.retired].map(Object.isFrozen);
  expect(frozen).toEqual([true, true, true, true, true]);
  expect(state).toEqual(before);
  expect(Object.isFrozen(state.active)).toBe(false);
  const refused = () => applyTransaction(state, advanceTo(10), parameters);
  expect(refused).toThrow(TransactionRejectedError);
  try {
    refused();
  } catch (error) {
    const { violations, code, message } = error as TransactionRejectedError;
    expect(code).toBe('transaction-rejected');
    expect(violations.map(({ rule }) => rule)).toEqual(['active-node-link-reaches-previous']);
    expect(message).toContain('active-node-link-reaches-previous (expected a node whose link is');
  }
});
