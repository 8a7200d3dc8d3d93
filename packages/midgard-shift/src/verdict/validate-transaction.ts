import { HoraeError } from '@horae/clock-store';
import { editionOf } from '../editions/edition-of.js';
import { judgeAll } from '../rules/rule.js';
import type { RuleReading, RuleSet } from '../rules/rule-set.js';
import { contextOf } from '../rules/transaction-context.js';
import { refuse } from '../state/midgard-input-error.js';
import { checkState, frozenState, type MidgardState } from '../state/midgard-state.js';
import { checkParameters, type ProtocolParameters } from '../state/protocol-parameters.js';
import { checkTransaction, type Redeemer, type Transaction } from '../state/transaction.js';
import type { Verdict, Violation } from '../state/violation.js';

/** Options of `validateTransaction` and `applyTransaction`. */
export interface ValidateOptions {
  /** Default `settled`: turns go down. `literal` leaves that guard out, for comparison. */
  readonly rules?: RuleReading;
}

/** A transaction breaks at least one rule; `violations` lists all of them. */
export class TransactionRejectedError extends HoraeError<{ redeemer: Redeemer; violations: readonly Violation[] }> {
  readonly code = 'transaction-rejected';

  /** Every violated rule, as `validateTransaction` lists them. */
  get violations(): readonly Violation[] {
    return this.details.violations;
  }
}

const ACCEPTED: Verdict = Object.freeze({ accepted: true });

/**
 * Whether `tx` is legal in `state`, and if not, every rule it breaks with what was expected and found. A rule that cannot be judged,
 * because there is no output or no such node, is not listed; the rule that requires the missing part is. Throws `MidgardInputError` for
 * arguments that are not a state or a transaction at all. Does not check whether the window contains the current time.
 */
export function validateTransaction(
  state: MidgardState,
  tx: Transaction,
  parameters: ProtocolParameters,
  options: ValidateOptions = {},
): Verdict {
  const reading = options.rules ?? 'settled';
  if (reading !== 'settled' && reading !== 'literal') refuse('options.rules', "'settled' or 'literal'", reading);
  checkParameters(parameters);
  checkState(state);
  checkTransaction(tx);
  return validateWith(editionOf(parameters).rules[reading], state, tx, parameters);
}

/** The verdict of any rule set on checked input. */
export function validateWith(
  rules: RuleSet,
  state: MidgardState,
  tx: Transaction,
  parameters: ProtocolParameters,
): Verdict {
  const violations = judgeAll(rules[tx.redeemer], contextOf(state, tx, parameters));
  return violations.length === 0 ? ACCEPTED : Object.freeze({ accepted: false, violations });
}

/** The state after `tx`, frozen; `state` itself is left as it is. Throws `TransactionRejectedError` with every violated rule. */
export function applyTransaction(
  state: MidgardState,
  tx: Transaction,
  parameters: ProtocolParameters,
  options: ValidateOptions = {},
): MidgardState {
  const verdict = validateTransaction(state, tx, parameters, options);
  if (verdict.accepted) return stateAfter(state, tx);
  const { violations } = verdict;
  const broken = violations.map(({ rule, expected, found }) => `${rule} (expected ${expected}; found ${found})`);
  throw new TransactionRejectedError(`The ${tx.redeemer} is rejected: ${broken.join('; ')}`, {
    redeemer: tx.redeemer,
    violations,
  });
}

/** The state after a transaction that is known to be accepted. */
export function stateAfter(state: MidgardState, tx: Transaction): MidgardState {
  const hubOracle = tx.redeemer === 'init' || (tx.redeemer !== 'deinit' && state.hubOracle);
  return frozenState({ ...state, scheduler: tx.schedulerOutput, hubOracle });
}
