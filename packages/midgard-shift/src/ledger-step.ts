import { refuse } from './midgard-input-error.js';
import { checkState, frozenState, type MidgardState } from './midgard-state.js';
import type { ProtocolParameters } from './protocol-parameters.js';
import { type Transaction, windowText } from './transaction.js';
import { stateAfter, validateTransaction } from './validate-transaction.js';
import type { Verdict, Violation } from './violation.js';

/** How many steps can be undone: the depth to which Cardano's own consensus may roll back. Older ones are forgotten. */
export const DEEPEST_ROLLBACK = 2_160;

/** What the chain does with `tx` at `now`: the verdict, and the state after it when it is accepted. */
export function judgeSubmission(
  state: MidgardState,
  tx: Transaction,
  parameters: ProtocolParameters,
  now: number,
): { readonly verdict: Verdict; readonly after: MidgardState | null } {
  const verdict = validateTransaction(state, tx, parameters);
  const { from, to } = tx.validity;
  const containsNow = (from === null || from <= now) && (to === null || now < to);
  if (containsNow) return { verdict, after: verdict.accepted ? stateAfter(state, tx) : null };
  const late: Violation = {
    rule: 'validity-contains-now',
    expected: `a window that contains ${now}`,
    found: windowText(tx.validity),
  };
  return {
    verdict: { accepted: false, violations: [late, ...(verdict.accepted ? [] : verdict.violations)] },
    after: null,
  };
}

/** The state that a change leaves, frozen; null when it leaves everything as it is. */
export function judgeChange(state: MidgardState, step: (state: MidgardState) => MidgardState): MidgardState | null {
  const after = step(state);
  checkState(after);
  return after === state ? null : frozenState(after);
}

/** Refuses a number of steps that cannot be undone; `undoable` are. */
export function checkRollback(steps: number, undoable: number): void {
  if (Number.isSafeInteger(steps) && steps >= 0 && steps <= undoable) return;
  refuse('steps', `a whole number from 0 to ${undoable}, the steps that can be undone`, steps);
}
