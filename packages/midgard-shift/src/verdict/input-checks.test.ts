import { describe, expect, test } from 'vitest';
import { advanceTo, key, parameters, world } from '../../test/support/world.js';
import { planCatchUp } from '../plan/plan-catch-up.js';
import { planTransaction } from '../plan/plan-transaction.js';
import { nextShiftOf, operatorAt, timetable } from '../plan/timetable.js';
import { simulate } from '../simulation/simulate.js';
import { MidgardInputError } from '../state/midgard-input-error.js';
import type { MidgardState } from '../state/midgard-state.js';
import { parseProtocolParameters } from '../state/protocol-parameters.js';
import type { Transaction } from '../state/transaction.js';
import { validateTransaction } from './validate-transaction.js';

const running = world({ active: [10, 20, 30] });

function refusal(work: () => unknown): { field: string; message: string } {
  try {
    work();
  } catch (error) {
    if (error instanceof MidgardInputError) return { field: error.details.field, message: error.message };
    throw error;
  }
  throw new Error('it was accepted');
}

describe('parameters', () => {
  test('are all required and given back frozen, without what is no parameter', () => {
    const parsed = parseProtocolParameters({ ...parameters, colour: 'red' });
    expect(parsed).toEqual(parameters);
    expect(Object.isFrozen(parsed)).toBe(true);
  });

  test.each([
    { value: { ...parameters, shiftDurationMs: 0 }, field: 'parameters.shiftDurationMs' },
    { value: { ...parameters, shiftDurationMs: 1.5 }, field: 'parameters.shiftDurationMs' },
    { value: { ...parameters, shiftDurationMs: '1000' }, field: 'parameters.shiftDurationMs' },
    { value: { ...parameters, registrationDurationMs: -1 }, field: 'parameters.registrationDurationMs' },
    { value: { ...parameters, requiredBond: 100 }, field: 'parameters.requiredBond' },
    { value: { ...parameters, requiredBond: -1n }, field: 'parameters.requiredBond' },
    { value: { shiftDurationMs: 1 }, field: 'parameters.registrationDurationMs' },
    { value: null, field: 'parameters' },
  ])('$field that is not usable is refused everywhere', ({ value, field }) => {
    expect(refusal(() => parseProtocolParameters(value)).field).toBe(field);
    expect(refusal(() => validateTransaction(running, advanceTo(20), value as never)).field).toBe(field);
    expect(refusal(() => timetable(running, value as never, { from: 0, count: 1 })).field).toBe(field);
  });
});

describe('a state', () => {
  const judge = (state: unknown) => () => validateTransaction(state as MidgardState, advanceTo(20), parameters);
  test.each([
    { story: 'nothing', state: null, field: 'state' },
    { story: 'keys out of order', state: { ...running, active: [key(20), key(10)] }, field: 'state.active[1]' },
    { story: 'a key twice', state: { ...running, active: [key(20), key(20)] }, field: 'state.active[1]' },
    { story: 'an upper case key', state: { ...running, active: ['A'.repeat(56)] }, field: 'state.active[0]' },
    { story: 'a short key', state: { ...running, retired: ['ab'] }, field: 'state.retired[0]' },
    { story: 'no list', state: { ...running, active: undefined }, field: 'state.active' },
    { story: 'no queue', state: { ...running, registered: {} }, field: 'state.registered' },
    { story: 'a queue of keys', state: { ...running, registered: [key(1)] }, field: 'state.registered[0]' },
    {
      story: 'a registrant twice',
      state: { ...running, registered: [1, 2].map((activationTime) => ({ operator: key(9), activationTime })) },
      field: 'state.registered[1].operator',
    },
    {
      story: 'a fraction',
      state: { ...running, scheduler: { operator: key(1), shiftStart: 0.5 } },
      field: 'state.scheduler.shiftStart',
    },
    { story: 'no datum and no null', state: { ...running, scheduler: undefined }, field: 'state.scheduler' },
    { story: 'no answer', state: { ...running, hubOracle: 1 }, field: 'state.hubOracle' },
  ])('with $story is refused by the name of the field', ({ state, field }) => {
    expect(refusal(judge(state)).field).toBe(field);
  });

  test('a literal that grows is looked at again', () => {
    const active = [key(10), key(20), key(30)];
    const state = { ...running, active };
    expect(judge(state)()).toEqual({ accepted: true });
    active.push(key(5));
    expect(refusal(judge(state))).toEqual({
      field: 'state.active[3]',
      message: `state.active[3] must be above the key before it, got "${key(5)}"`,
    });
  });
});

describe('a transaction', () => {
  const judge = (changes: object) => () => validateTransaction(running, advanceTo(20, changes), parameters);
  test.each([
    { changes: { redeemer: 'skip' }, field: 'tx.redeemer' },
    { changes: { mint: null }, field: 'tx.mint' },
    { changes: { mint: { hubOracle: 0 } }, field: 'tx.mint.scheduler' },
    { changes: { signatories: [key(1).slice(1)] }, field: 'tx.signatories' },
    { changes: { signatories: key(1) }, field: 'tx.signatories' },
    { changes: { validity: { from: Infinity, to: null } }, field: 'tx.validity.from' },
    { changes: { validity: { from: 0 } }, field: 'tx.validity.to' },
    { changes: { validity: null }, field: 'tx.validity' },
    {
      changes: { schedulerOutput: { operator: key(1), shiftStart: Number.NaN } },
      field: 'tx.schedulerOutput.shiftStart',
    },
    { changes: { referenceInputs: null }, field: 'tx.referenceInputs' },
    { changes: { referenceInputs: [{ list: 'retired', key: null }] }, field: 'tx.referenceInputs.list' },
    { changes: { referenceInputs: [{ list: 'active', key: 'x' }] }, field: 'tx.referenceInputs.key' },
  ])('whose $field makes no sense is refused', ({ changes, field }) => {
    expect(refusal(judge(changes)).field).toBe(field);
  });

  test('that is nothing is refused', () => {
    expect(refusal(() => validateTransaction(running, undefined as unknown as Transaction, parameters)).field).toBe(
      'tx',
    );
  });
});

test.each([
  { work: () => timetable(running, parameters, { from: 0.5, count: 1 }), field: 'options.from' },
  { work: () => timetable(running, parameters, { from: 0, count: -1 }), field: 'options.count' },
  { work: () => timetable(running, parameters, { from: 0, count: 10_000_001 }), field: 'options.count' },
  { work: () => operatorAt(running, Number.NaN, parameters), field: 't' },
  { work: () => nextShiftOf(running, 'me', 0, parameters), field: 'operator' },
  { work: () => nextShiftOf(running, key(10), Infinity, parameters), field: 'now' },
  { work: () => planTransaction(running, 0, 'me', parameters), field: 'who' },
  { work: () => planTransaction(running, 0.5, null, parameters), field: 'now' },
  { work: () => planCatchUp(running, 0.5, parameters), field: 'now' },
  { work: () => simulate(running, { cycles: -1 }, parameters, null as never), field: 'options.cycles' },
  { work: () => simulate(running, { cycles: 1, joins: -1 }, parameters, null as never), field: 'options.joins' },
  {
    work: () => simulate(running, { cycles: 1, retirements: Infinity }, parameters, null as never),
    field: 'options.retirements',
  },
  { work: () => simulate(running, { cycles: 1, absences: 1.1 }, parameters, null as never), field: 'options.absences' },
])('$field is checked', ({ work, field }) => {
  expect(refusal(work).field).toBe(field);
});
