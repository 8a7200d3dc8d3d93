import type { LifecycleRequest } from '../rules/lifecycle-rules.js';
import { refuse } from '../state/midgard-input-error.js';
import { checkState, frozenState, type MidgardState } from '../state/midgard-state.js';
import type { ProtocolParameters } from '../state/protocol-parameters.js';
import { type Transaction, type Validity, windowText } from '../state/transaction.js';
import type { Verdict, Violation } from '../state/violation.js';
import { activate } from '../verdict/lifecycle.js';
import { stateAfter, validateTransaction } from '../verdict/validate-transaction.js';

/** How many steps can be undone: the depth to which Cardano's own consensus may roll back. Older ones are dropped. */
export const DEEPEST_ROLLBACK = 2_160;

/** A verdict, and the state after it when it is an acceptance. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly after: MidgardState | null;
}

/** The chain's verdict on `tx` at `now`, and the state after it. */
export function judgeSubmission(
  state: MidgardState,
  tx: Transaction,
  parameters: ProtocolParameters,
  now: number,
): Judgement {
  const verdict = validateTransaction(state, tx, parameters);
  return judgeTime(verdict, tx.validity, now, () => stateAfter(state, tx));
}

/** The chain's verdict on an activation at `now`, and the state after it. */
export function judgeActivation(
  state: MidgardState,
  request: LifecycleRequest,
  parameters: ProtocolParameters,
  now: number,
): Judgement {
  const verdict = activate(state, request, parameters);
  return judgeTime(verdict, request.validity, now, () => (verdict.accepted ? verdict.state : state));
}

/** The verdict of the rules together with that of the clock. */
function judgeTime(verdict: Verdict, { from, to }: Validity, now: number, after: () => MidgardState): Judgement {
  const containsNow = (from === null || from <= now) && (to === null || now < to);
  const late: Violation[] = containsNow
    ? []
    : [
        {
          rule: 'validity-contains-now',
          expected: `a window that contains ${now}`,
          found: windowText({ from, to }),
        },
      ];
  const violations = [...late, ...(verdict.accepted ? [] : verdict.violations)];
  if (violations.length > 0) return { verdict: { accepted: false, violations }, after: null };
  return { verdict: { accepted: true }, after: after() };
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
