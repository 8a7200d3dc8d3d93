import type { Redeemer } from '../state/transaction.js';
import { deinitRules, initRules } from './mint-rules.js';
import type { Rule } from './rule.js';
import { type EditionConditions, spendRules } from './spend-rules.js';
import type { TransactionContext } from './transaction-context.js';

/** Which conditions each redeemer has. */
export type RuleSet = Readonly<Record<Redeemer, readonly Rule<TransactionContext>[]>>;

/** Which reading of the rules: `literal` lets an Advance re-appoint the previous operator or jump up. */
export type RuleReading = 'settled' | 'literal';

/** The rules of an edition in both readings. */
export type RuleSets = Readonly<Record<RuleReading, RuleSet>>;

/** The rules that all editions share, completed by those of one. */
export function ruleSets(conditions: EditionConditions): RuleSets {
  const { literalAdvance, advance, rewind } = spendRules(conditions);
  return {
    settled: { init: initRules, deinit: deinitRules, advance, rewind },
    literal: { init: initRules, deinit: deinitRules, advance: literalAdvance, rewind },
  };
}
