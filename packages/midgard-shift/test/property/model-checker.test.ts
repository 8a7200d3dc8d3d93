import { describe, expect, test } from 'vitest';
import { edition2025 } from '../../src/editions/2025/edition.js';
import { rulesWith } from '../../src/editions/2026-05/rules.js';
import { type Rule, rule } from '../../src/rules/rule.js';
import type { RuleSet } from '../../src/rules/rule-set.js';
import type { TransactionContext } from '../../src/rules/transaction-context.js';
import { EDITIONS, type Edition } from '../../src/state/edition.js';
import { checkModel, type Model, type WorldSize } from '../support/model-checker.js';
import { type Theorems, TINY_SIGNED_MS, theorems } from '../support/theorems.js';

const everyRun: WorldSize[] = [
  { operators: 1, joins: 1, retirements: 1 },
  { operators: 2, joins: 2, retirements: 2 },
  { operators: 3, joins: 2, retirements: 2 },
  { operators: 4, joins: 0, retirements: 2 },
  { operators: 4, joins: 1, retirements: 1 },
];
const longRun: WorldSize[] = [
  { operators: 4, joins: 2, retirements: 0 },
  { operators: 4, joins: 2, retirements: 1 },
];
const sizes = process.env.HORAE_LONG === '1' ? [...everyRun, ...longRun] : everyRun;

/** The rules of each edition; a signed window of 2026-05 is as long beside the tiny shifts as a model of few moments can hold. */
const models: Record<Edition, Model> = {
  '2025': { edition: '2025', rules: edition2025.rules.settled },
  '2026-05': { edition: '2026-05', rules: rulesWith(TINY_SIGNED_MS).settled },
};

describe.each(EDITIONS)('edition %s: in every reachable state no theorem is broken', (edition) => {
  test.each(sizes)('with $operators operators, $joins joins, $retirements retirements', (size) => {
    const report = checkModel(models[edition], size);
    console.info(
      `model ${edition} ${JSON.stringify(size)}: ${report.states} states, ${report.transactions} transactions tried, ${report.accepted} accepted`,
    );
    expect(report.broken).toBeNull();
    expect(report.accepted).toBeGreaterThan(0);
  });
});

const { literal } = edition2025.rules;
const without = (name: string, settled = edition2025.rules.settled): RuleSet => ({
  ...settled,
  advance: settled.advance.filter((each) => each.name !== name),
  rewind: settled.rewind.filter((each) => each.name !== name),
});
const withOther = (other: Rule<TransactionContext>, settled = edition2025.rules.settled): RuleSet => ({
  ...settled,
  advance: settled.advance.map((each) => (each.name === other.name ? other : each)),
  rewind: settled.rewind.map((each) => (each.name === other.name ? other : each)),
});
const broken = { expected: '', found: '' };

const plantedBugs: { bug: string; rules: RuleSet; finds: string }[] = [
  { bug: 'the literal reading', rules: literal, finds: 'someone serves twice in a cycle' },
  { bug: 'no shift-moved-by-duration', rules: without('shift-moved-by-duration'), finds: 'a shift overlaps' },
  { bug: 'no operator-consent', rules: without('operator-consent'), finds: 'without consent' },
  { bug: 'no active-node-is-new-operator', rules: without('active-node-is-new-operator'), finds: 'was not active' },
  {
    bug: 'no active-node-link-reaches-previous',
    rules: without('active-node-link-reaches-previous'),
    finds: 'left out',
  },
  { bug: 'no active-node-is-last', rules: without('active-node-is-last'), finds: 'left out' },
  {
    bug: 'no active-root-link-reaches-previous',
    rules: without('active-root-link-reaches-previous'),
    finds: 'left out',
  },
  { bug: 'no registered-node-is-last', rules: without('registered-node-is-last'), finds: 'passed over' },
  { bug: 'no no-registrant-eligible', rules: without('no-registrant-eligible'), finds: 'passed over' },
  {
    bug: 'a window that may end at the activation time',
    rules: withOther(
      rule('no-registrant-eligible', ({ registeredNode, tx: { validity } }) =>
        (validity.to ?? Infinity) <= (registeredNode?.activationTime ?? Infinity) ? null : broken,
      ),
    ),
    finds: 'passed over',
  },
  {
    bug: 'an unsigned transition one millisecond before the end of the shift',
    rules: withOther(
      rule('operator-consent', ({ output, tx: { validity, signatories }, parameters }) => {
        const end = output!.shiftStart + parameters.shiftDurationMs;
        const from = validity.from ?? -Infinity;
        const isWithin = from >= output!.shiftStart && (validity.to ?? Infinity) <= end;
        return from >= end - 1 || (isWithin && signatories.includes(output!.operator)) ? null : broken;
      }),
    ),
    finds: 'without consent',
  },
  {
    bug: 'a signature that is good before the shift',
    rules: withOther(
      rule('operator-consent', ({ output, tx: { validity, signatories }, parameters }) => {
        const isAfter = validity.from !== null && validity.from >= output!.shiftStart + parameters.shiftDurationMs;
        return isAfter || signatories.includes(output!.operator) ? null : broken;
      }),
    ),
    finds: 'taken before it begins',
  },
  {
    bug: 'a root whose link must exceed the previous operator',
    rules: withOther(
      rule('active-root-link-reaches-previous', ({ activeRoot, previous }) =>
        activeRoot === null || activeRoot.link === null || activeRoot.link > previous!.operator ? null : broken,
      ),
    ),
    finds: 'stuck',
  },
];

const planted: WorldSize = { operators: 3, joins: 2, retirements: 1 };

describe('edition 2025: a planted bug is found', () => {
  test.each(plantedBugs)('$bug', ({ rules, finds }) => {
    expect(checkModel({ edition: '2025', rules }, planted).broken).toContain(finds);
  });
});

const newer = models['2026-05'].rules;
const consentOf = (allows: (at: { from: number; to: number; start: number; isSigned: boolean }) => boolean) =>
  withOther(
    rule('operator-consent', ({ previous, output, tx: { validity, signatories } }) => {
      const isSigned = signatories.includes(previous!.operator);
      const { from, to } = validity;
      return allows({ from: from ?? -Infinity, to: to ?? Infinity, start: output!.shiftStart, isSigned })
        ? null
        : broken;
    }),
    newer,
  );

describe('edition 2026-05: a planted bug is found', () => {
  test.each([
    { bug: 'the literal reading', rules: rulesWith(TINY_SIGNED_MS).literal, finds: 'someone serves twice in a cycle' },
    { bug: 'no operator-consent', rules: without('operator-consent', newer), finds: 'without consent' },
    { bug: 'no no-registrant-eligible', rules: without('no-registrant-eligible', newer), finds: 'passed over' },
    { bug: 'no registered-node-is-last', rules: without('registered-node-is-last', newer), finds: 'passed over' },
    { bug: 'no active-node-is-last', rules: without('active-node-is-last', newer), finds: 'left out' },
    {
      bug: 'an unsigned transition at the very start of the shift',
      rules: consentOf(
        ({ from, to, start, isSigned }) => from >= start || (isSigned && to - 1 - from <= 2 && start < to - 1),
      ),
      finds: 'cut short without consent',
    },
    {
      bug: 'a signed window of any length',
      rules: consentOf(({ from, to, start, isSigned }) => from > start || (isSigned && start < to - 1)),
      finds: 'handed over too early',
    },
    {
      bug: 'a signed window that ends at the start of the shift',
      rules: consentOf(
        ({ from, to, start, isSigned }) => from > start || (isSigned && to - 1 - from <= 2 && start < to),
      ),
      finds: 'handed over too early',
    },
    {
      bug: 'a window that may end a moment after the activation time',
      rules: withOther(
        rule('no-registrant-eligible', ({ registeredNode, tx: { validity } }) =>
          (validity.to ?? Infinity) <= (registeredNode?.activationTime ?? Infinity) + 1 ? null : broken,
        ),
        newer,
      ),
      finds: 'passed over',
    },
  ])('$bug', ({ rules, finds }) => {
    expect(checkModel({ edition: '2026-05', rules }, planted).broken).toContain(finds);
  });
});

describe('where edition 2026-05 is weaker than 2025', () => {
  test('a shift that could be served is assigned without the consent of its operator', () => {
    const ownConsent: Theorems = {
      ...theorems['2026-05'],
      consent: (node, tx) => (node.now >= tx.schedulerOutput!.shiftStart ? theorems['2025'].consent(node, tx) : null),
    };
    const model = { ...models['2026-05'], theorems: ownConsent };
    expect(checkModel(model, { operators: 2, joins: 0, retirements: 0 }).broken).toContain(
      'a shift that could be served is assigned without consent',
    );
  });

  test('an operator alone takes its next shift before it begins', () => {
    const model = { ...models['2026-05'], theorems: theorems['2025'] };
    expect(checkModel(model, { operators: 1, joins: 0, retirements: 0 }).broken).toContain(
      'a shift is taken before it begins',
    );
  });

  test('a rewind may be valid until the very moment in which a registrant becomes eligible', () => {
    const kept = { ...theorems['2026-05'], isEligible: theorems['2025'].isEligible };
    expect(checkModel({ ...models['2026-05'], theorems: kept }, planted).broken).toContain('passed over');
  });
});
