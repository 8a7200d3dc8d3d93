import { deinitRules, initRules } from './mint-rules.js';
import type { Rule } from './rule.js';
import { advanceRules, literalAdvanceRules, rewindRules } from './spend-rules.js';
import type { Redeemer } from './transaction.js';
import type { TransactionContext } from './transaction-context.js';

/** An edition of the scheduler: which conditions each redeemer has. Another edition is another value of this type. */
export type RuleSet = Readonly<Record<Redeemer, readonly Rule<TransactionContext>[]>>;

/** Which reading of the rules: `literal` lets an Advance re-appoint the previous operator or jump up. */
export type RuleReading = 'settled' | 'literal';

/** The first edition in both readings. */
export const firstEdition: Readonly<Record<RuleReading, RuleSet>> = {
  settled: { init: initRules, deinit: deinitRules, advance: advanceRules, rewind: rewindRules },
  literal: { init: initRules, deinit: deinitRules, advance: literalAdvanceRules, rewind: rewindRules },
};
