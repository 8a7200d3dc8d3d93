import { describe, expect, test } from 'vitest';
import { type MidgardState, type Transaction, validateTransaction } from '../../src/index.js';
import { advanceTo, DURATION, key, parameters, rewindTo, rulesOf, within, world } from '../support/world.js';

const empty: MidgardState = world({ active: [10, 20, 30], operator: null });
const running = world({ active: [10, 20, 30], operator: 30 });
const atLowest = world({ active: [10, 20, 30], operator: 10 });
const waiting = world({
  active: [10, 20, 30],
  operator: 10,
  registered: [
    { operator: key(5), activationTime: 9_000 },
    { operator: key(40), activationTime: 8_000 },
  ],
});

const init: Transaction = {
  redeemer: 'init',
  mint: { hubOracle: 1, scheduler: 1 },
  signatories: [],
  validity: within(null, null),
  schedulerOutput: { operator: key(30), shiftStart: 0 },
  referenceInputs: [],
};
const deinit: Transaction = {
  ...init,
  redeemer: 'deinit',
  mint: { hubOracle: -1, scheduler: -1 },
  schedulerOutput: null,
};
const output = (operator: number, shiftStart = DURATION) => ({ operator: key(operator), shiftStart });

interface Condition {
  condition: string;
  state: MidgardState;
  accepted: Transaction;
  rejected: Transaction;
  /** Where the rejecting transaction is judged, when not where the accepting one is. */
  rejectedIn?: MidgardState;
  rules: string[];
}

const minting: Condition[] = [
  {
    condition: 'Init 1: mints the hub oracle token',
    state: empty,
    accepted: init,
    rejected: { ...init, mint: { hubOracle: 0, scheduler: 1 } },
    rules: ['init-mints-hub-oracle'],
  },
  {
    condition: 'Init 2: mints the scheduler NFT',
    state: empty,
    accepted: init,
    rejected: { ...init, mint: { hubOracle: 1, scheduler: 2 } },
    rules: ['init-mints-scheduler-nft'],
  },
  {
    condition: 'Deinit 1: burns the hub oracle token',
    state: running,
    accepted: deinit,
    rejected: { ...deinit, mint: { hubOracle: 0, scheduler: -1 } },
    rules: ['deinit-burns-hub-oracle'],
  },
  {
    condition: 'Deinit 2: burns the scheduler NFT',
    state: running,
    accepted: deinit,
    rejected: { ...deinit, mint: { hubOracle: -1, scheduler: 1 } },
    rules: ['deinit-burns-scheduler-nft'],
  },
];

const advancing: Condition[] = [
  {
    condition: 'Advance, parse 1: the scheduler input is there',
    state: running,
    accepted: advanceTo(20),
    rejected: advanceTo(20),
    rejectedIn: empty,
    rules: ['scheduler-initialized'],
  },
  {
    condition: 'Advance, parse 2: the output holds the scheduler NFT',
    state: running,
    accepted: advanceTo(20),
    rejected: advanceTo(20, { schedulerOutput: null }),
    rules: ['scheduler-output-present'],
  },
  {
    condition: 'Advance, shift: moved forward by the duration, not less',
    state: running,
    accepted: advanceTo(20),
    rejected: advanceTo(20, { schedulerOutput: output(20, DURATION - 1), validity: within(DURATION, 1_500) }),
    rules: ['shift-moved-by-duration'],
  },
  {
    condition: 'Advance, shift: moved forward by the duration, not more',
    state: running,
    accepted: advanceTo(20),
    rejected: advanceTo(20, { schedulerOutput: output(20, DURATION + 1), validity: within(1_500, 2_000) }),
    rules: ['shift-moved-by-duration'],
  },
  {
    condition: 'Advance, consent a: signed by the new operator',
    state: running,
    accepted: advanceTo(20),
    rejected: advanceTo(20, { signatories: [key(30)] }),
    rules: ['operator-consent'],
  },
  {
    condition: 'Advance, consent a: the shift contains the window',
    state: running,
    accepted: advanceTo(20),
    rejected: advanceTo(20, { validity: within(DURATION - 1, 2 * DURATION) }),
    rules: ['operator-consent'],
  },
  {
    condition: 'Advance, consent b: the shift is entirely before the window',
    state: running,
    accepted: advanceTo(20, { signatories: [], validity: within(2 * DURATION, null) }),
    rejected: advanceTo(20, { signatories: [], validity: within(2 * DURATION - 1, null) }),
    rules: ['operator-consent'],
  },
  {
    condition: 'Advance, operator 1: a reference input shows an active node',
    state: running,
    accepted: advanceTo(20),
    rejected: advanceTo(20, { referenceInputs: [{ list: 'active', key: null }] }),
    rules: ['active-node-referenced'],
  },
  {
    condition: 'Advance, operator 2: its key is the new operator',
    state: running,
    accepted: advanceTo(20),
    rejected: advanceTo(20, { referenceInputs: [{ list: 'active', key: key(30) }] }),
    rules: ['active-node-is-new-operator'],
  },
  {
    condition: 'Advance, operator 3: its link is the previous operator',
    state: running,
    accepted: advanceTo(20),
    rejected: advanceTo(10),
    rules: ['active-node-link-reaches-previous'],
  },
  {
    condition: 'Advance, operator 3, note: or exceeds it, when it has retired',
    state: world({ active: [10, 20, 40], operator: 30, retired: [30] }),
    accepted: advanceTo(20),
    rejected: advanceTo(10),
    rules: ['active-node-link-reaches-previous'],
  },
];

const rewinding: Condition[] = [
  {
    condition: 'Rewind, parse 1: the scheduler input is there',
    state: atLowest,
    accepted: rewindTo(30),
    rejected: rewindTo(30),
    rejectedIn: empty,
    rules: ['scheduler-initialized'],
  },
  {
    condition: 'Rewind, parse 2: the output holds the scheduler NFT',
    state: atLowest,
    accepted: rewindTo(30),
    rejected: rewindTo(30, null, { schedulerOutput: null }),
    rules: ['scheduler-output-present'],
  },
  {
    condition: 'Rewind, shift: moved forward by the duration',
    state: atLowest,
    accepted: rewindTo(30),
    rejected: rewindTo(30, null, { schedulerOutput: output(30, 0), validity: within(0, 1_000) }),
    rules: ['shift-moved-by-duration'],
  },
  {
    condition: 'Rewind, consent a: signed by the new operator',
    state: atLowest,
    accepted: rewindTo(30),
    rejected: rewindTo(30, null, { signatories: [] }),
    rules: ['operator-consent'],
  },
  {
    condition: 'Rewind, consent a: the shift contains the window',
    state: atLowest,
    accepted: rewindTo(30),
    rejected: rewindTo(30, null, { validity: within(DURATION, 2 * DURATION + 1) }),
    rules: ['operator-consent'],
  },
  {
    condition: 'Rewind, consent b: the shift is entirely before the window',
    state: atLowest,
    accepted: rewindTo(30, null, { signatories: [], validity: within(2 * DURATION, null) }),
    rejected: rewindTo(30, null, { signatories: [], validity: within(2 * DURATION - 1, null) }),
    rules: ['operator-consent'],
  },
  {
    condition: 'Rewind, cycle 1: a reference input shows an active node',
    state: atLowest,
    accepted: rewindTo(30),
    rejected: rewindTo(30, null, {
      referenceInputs: [
        { list: 'active', key: null },
        { list: 'registered', key: null },
      ],
    }),
    rules: ['active-node-referenced'],
  },
  {
    condition: 'Rewind, cycle 1: it is the last one',
    state: atLowest,
    accepted: rewindTo(30),
    rejected: rewindTo(20),
    rules: ['active-node-is-last'],
  },
  {
    condition: 'Rewind, cycle 2: a reference input shows the root',
    state: atLowest,
    accepted: rewindTo(30),
    rejected: rewindTo(30, null, {
      referenceInputs: [
        { list: 'active', key: key(30) },
        { list: 'registered', key: null },
      ],
    }),
    rules: ['active-root-referenced'],
  },
  {
    condition: 'Rewind, cycle 3: the key of the last node is the new operator',
    state: atLowest,
    accepted: rewindTo(30),
    rejected: rewindTo(30, null, { schedulerOutput: output(20), signatories: [key(20)] }),
    rules: ['active-node-is-new-operator'],
  },
  {
    condition: 'Rewind, cycle 4: the link of the root is the previous operator',
    state: atLowest,
    accepted: rewindTo(30),
    rejected: rewindTo(30),
    rejectedIn: world({ active: [10, 20, 30], operator: 20 }),
    rules: ['active-root-link-reaches-previous'],
  },
  {
    condition: 'Rewind, cycle 4, note: or exceeds it, when it has retired',
    state: world({ active: [20, 30], operator: 10, retired: [10] }),
    accepted: rewindTo(30),
    rejected: rewindTo(30),
    rejectedIn: world({ active: [5, 20, 30], operator: 10, retired: [10] }),
    rules: ['active-root-link-reaches-previous'],
  },
  {
    condition: 'Rewind, queue 1: a reference input shows the registered queue',
    state: waiting,
    accepted: rewindTo(30, 40),
    rejected: rewindTo(30, 40, {
      referenceInputs: [
        { list: 'active', key: key(30) },
        { list: 'active', key: null },
      ],
    }),
    rules: ['registered-node-referenced'],
  },
  {
    condition: 'Rewind, queue 2: it is the last one, the earliest registrant',
    state: waiting,
    accepted: rewindTo(30, 40),
    rejected: rewindTo(30, 5),
    rules: ['registered-node-is-last'],
  },
  {
    condition: 'Rewind, queue 3: it is not yet eligible',
    state: waiting,
    accepted: rewindTo(30, 40, { signatories: [], validity: within(2_000, 7_999) }),
    rejected: rewindTo(30, 40, { signatories: [], validity: within(2_000, 8_000) }),
    rules: ['no-registrant-eligible'],
  },
];

describe.each([...minting, ...advancing, ...rewinding])(
  '$condition',
  ({ state, accepted, rejected, rejectedIn, rules }) => {
    test('a transaction that keeps it is accepted', () => {
      expect(validateTransaction(state, accepted, parameters)).toEqual({ accepted: true });
    });

    test(`one that breaks it alone is rejected by ${rules.join(', ')}`, () => {
      const verdict = validateTransaction(rejectedIn ?? state, rejected, parameters);
      expect(rulesOf(verdict)).toEqual(rules);
    });
  },
);

test('the violation says what was expected and what was found', () => {
  const verdict = validateTransaction(running, advanceTo(20, { schedulerOutput: output(20, 1_500) }), parameters);
  expect(verdict).toEqual({
    accepted: false,
    violations: [
      {
        rule: 'shift-moved-by-duration',
        expected: 'a shift that starts at 1000',
        found: 'one that starts at 1500',
      },
      {
        rule: 'operator-consent',
        expected: `signed by ${key(20)} and valid within [1500, 2500), or valid only from 2500 on`,
        found: 'signed by it, valid in [1000, 2000)',
      },
    ],
  });
});

test('a transaction that breaks everything hears of everything that can be judged', () => {
  const tx = rewindTo(20, 5, {
    mint: { hubOracle: 1, scheduler: 0 },
    signatories: [],
    validity: within(9_000, 9_000),
    schedulerOutput: output(10, 10_000),
    referenceInputs: [
      { list: 'active', key: key(20) },
      { list: 'active', key: key(99) },
      { list: 'active', key: null },
      { list: 'registered', key: key(5) },
    ],
  });
  const state = { ...waiting, scheduler: { operator: key(20), shiftStart: 0 } };
  expect(rulesOf(validateTransaction(state, tx, parameters))).toEqual([
    'mint-unchanged',
    'validity-not-empty',
    'reference-input-exists',
    'shift-moved-by-duration',
    'operator-consent',
    'active-node-is-new-operator',
    'active-node-is-last',
    'active-root-link-reaches-previous',
    'registered-node-is-last',
    'no-registrant-eligible',
  ]);
});
