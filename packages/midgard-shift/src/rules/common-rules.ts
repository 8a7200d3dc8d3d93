import { isEmptyWindow, type Validity, windowText } from '../state/transaction.js';
import { type Finding, type Rule, rule } from './rule.js';
import type { TransactionContext } from './transaction-context.js';

/** The finding of a window in which no moment lies; null for any other. */
export function emptyWindowFinding(validity: Validity): Finding | null {
  if (!isEmptyWindow(validity)) return null;
  return { expected: 'a validity window whose lower bound is before its upper bound', found: windowText(validity) };
}

export const validityNotEmpty: Rule<TransactionContext> = rule('validity-not-empty', ({ tx }) =>
  emptyWindowFinding(tx.validity),
);

export const referenceInputExists: Rule<TransactionContext> = rule('reference-input-exists', ({ missing }) => {
  if (missing.length === 0) return null;
  const names = missing.map(({ list, key }) => `${key} in the ${list} list`);
  return { expected: 'every reference input to point at an element of its list', found: `no ${names.join(', no ')}` };
});

export const schedulerInitialized: Rule<TransactionContext> = rule('scheduler-initialized', ({ previous }) =>
  previous !== null ? null : { expected: 'a scheduler, made by Init', found: 'none' },
);

export const schedulerOutputPresent: Rule<TransactionContext> = rule('scheduler-output-present', ({ output }) =>
  output !== null ? null : { expected: 'an output that holds the scheduler NFT', found: 'none' },
);
