import type { Transaction } from '../state/transaction.js';
import type { TransactionRule } from '../state/violation.js';
import {
  referenceInputExists,
  schedulerInitialized,
  schedulerOutputPresent,
  validityNotEmpty,
} from './common-rules.js';
import { type Rule, rule } from './rule.js';
import type { TransactionContext } from './transaction-context.js';

const tokenNames = { hubOracle: 'hub oracle token', scheduler: 'scheduler NFT' } as const;

function quantity(name: TransactionRule, token: keyof Transaction['mint'], wanted: 1 | -1): Rule<TransactionContext> {
  return rule(name, ({ tx }) => {
    if (tx.mint[token] === wanted) return null;
    const verb = wanted === 1 ? 'minted' : 'burned';
    return { expected: `one ${tokenNames[token]} ${verb} (${wanted})`, found: String(tx.mint[token]) };
  });
}

const initOnlyOnce: Rule<TransactionContext> = rule('init-only-once', ({ state, previous }) => {
  if (previous === null && !state.hubOracle) return null;
  return { expected: 'no scheduler and no hub oracle yet', found: previous === null ? 'a hub oracle' : 'a scheduler' };
});

const initOperatorIsGreatestActive: Rule<TransactionContext> = rule(
  'init-operator-is-greatest-active',
  ({ state, output }) => {
    const greatest = state.active.at(-1);
    if (output === null || greatest === undefined || output.operator === greatest) return null;
    return { expected: `the greatest active operator, ${greatest}`, found: output.operator };
  },
);

const schedulerOutputAbsent: Rule<TransactionContext> = rule('scheduler-output-absent', ({ output }) =>
  output === null
    ? null
    : { expected: 'no output with the scheduler NFT', found: `one that assigns ${output.operator}` },
);

/** Conditions of Init. */
export const initRules: readonly Rule<TransactionContext>[] = [
  initOnlyOnce,
  quantity('init-mints-hub-oracle', 'hubOracle', 1),
  quantity('init-mints-scheduler-nft', 'scheduler', 1),
  schedulerOutputPresent,
  initOperatorIsGreatestActive,
  validityNotEmpty,
  referenceInputExists,
];

/** Conditions of Deinit. */
export const deinitRules: readonly Rule<TransactionContext>[] = [
  schedulerInitialized,
  quantity('deinit-burns-hub-oracle', 'hubOracle', -1),
  quantity('deinit-burns-scheduler-nft', 'scheduler', -1),
  schedulerOutputAbsent,
  validityNotEmpty,
  referenceInputExists,
];
