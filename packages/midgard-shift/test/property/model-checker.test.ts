import { describe, expect, test } from 'vitest';
import { type Rule, rule } from '../../src/rule.js';
import { firstEdition, type RuleSet } from '../../src/rule-set.js';
import type { TransactionContext } from '../../src/transaction-context.js';
import { checkModel, type WorldSize } from '../support/model-checker.js';

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

describe('in every reachable state no theorem is broken', () => {
  test.each(sizes)('with $operators operators, $joins joins, $retirements retirements', (size) => {
    const report = checkModel(firstEdition.settled, size);
    console.info(
      `model ${JSON.stringify(size)}: ${report.states} states, ${report.transactions} transactions tried, ${report.accepted} accepted`,
    );
    expect(report.broken).toBeNull();
    expect(report.accepted).toBeGreaterThan(0);
  });
});

const { settled, literal } = firstEdition;
const without = (name: string): RuleSet => ({
  ...settled,
  advance: settled.advance.filter((each) => each.name !== name),
  rewind: settled.rewind.filter((each) => each.name !== name),
});
const withOther = (other: Rule<TransactionContext>): RuleSet => ({
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

describe('a planted bug is found', () => {
  test.each(plantedBugs)('$bug', ({ rules, finds }) => {
    expect(checkModel(rules, { operators: 3, joins: 2, retirements: 1 }).broken).toContain(finds);
  });
});
