import { checkState, type MidgardState, type SchedulerDatum } from './midgard-state.js';
import { planTransaction } from './plan-transaction.js';
import type { ProtocolParameters } from './protocol-parameters.js';
import type { PubKeyHash } from './pub-key-hash.js';
import { nextShiftOf, operatorAt, turnsUntil } from './timetable.js';
import type { Transaction } from './transaction.js';
import { validateTransaction } from './validate-transaction.js';

/** A transaction that was handed in and is not seen in the state yet. */
export interface PendingSubmission {
  /** The datum it spends: as long as the state shows it, the transaction is not included. */
  readonly spends: SchedulerDatum;
  readonly transaction: Transaction;
  /** `accepted` waits for the chain; `unknown`, when no answer came, is handed in again as it is. */
  readonly fate: 'accepted' | 'unknown';
}

/** What a keeper does next. `until: null` is for when nothing is in sight. */
export type KeeperStep =
  | { readonly kind: 'submit'; readonly spends: SchedulerDatum; readonly transaction: Transaction }
  | { readonly kind: 'wait'; readonly until: number | null; readonly isPending: boolean };

/** What a keeper decides about. */
export interface KeeperView {
  readonly state: MidgardState;
  readonly now: number;
  readonly operator: PubKeyHash;
  readonly parameters: ProtocolParameters;
  readonly pending: PendingSubmission | null;
  /** How long a transaction of the keeper stays valid, so that a lost one is known to be lost. */
  readonly patienceMs: number;
}

/**
 * Submits when the clock says that the shift is the operator's own: first, unsigned, what others left out, one after the other, then its
 * own shift with its signature. A transaction that is under way is waited for until its window has passed, because two of them would
 * spend the same utxo.
 */
export function decideKeeperStep(view: KeeperView): KeeperStep {
  const { state, now, operator, parameters, pending } = view;
  checkState(state);
  const { scheduler } = state;
  if (scheduler === null || state.active.length === 0) return waitUntil(null);
  if (pending !== null && isSame(pending.spends, scheduler)) {
    const again = stepOfPending(view, pending);
    if (again !== null) return again;
  }
  const turns = turnsUntil(scheduler, now, parameters);
  if (turns < 1 || operatorAt(state, now, parameters) !== operator) {
    const after = Math.max(now, scheduler.shiftStart) + 1;
    return waitUntil(nextShiftOf(state, operator, after, parameters)?.start ?? null);
  }
  const plan = planTransaction(state, now, turns === 1 ? operator : null, parameters);
  if (!plan.possible) return waitUntil(null);
  const to = Math.min(plan.validity.to ?? Infinity, now + view.patienceMs);
  return {
    kind: 'submit',
    spends: scheduler,
    transaction: { ...plan.transaction, validity: { from: plan.validity.from, to } },
  };
}

function stepOfPending({ state, now, parameters }: KeeperView, pending: PendingSubmission): KeeperStep | null {
  const { transaction, spends } = pending;
  const to = transaction.validity.to as number;
  if (now >= to) return null;
  if (pending.fate === 'accepted') return { kind: 'wait', until: to, isPending: true };
  // The lists may have changed since; then another transaction is needed.
  return validateTransaction(state, transaction, parameters).accepted ? { kind: 'submit', spends, transaction } : null;
}

/** Whether the state still shows the datum that was spent. */
export function isSame(left: SchedulerDatum, right: SchedulerDatum | null): boolean {
  return right !== null && left.operator === right.operator && left.shiftStart === right.shiftStart;
}

function waitUntil(until: number | null): KeeperStep {
  return { kind: 'wait', until, isPending: false };
}
