import { editionOf } from '../editions/edition-of.js';
import { planTransaction } from '../plan/plan-transaction.js';
import { nextShiftOf, operatorAt, turnsUntil } from '../plan/timetable.js';
import type { LifecycleRequest } from '../rules/lifecycle-rules.js';
import { checkState, type MidgardState, type SchedulerDatum } from '../state/midgard-state.js';
import type { ProtocolParameters } from '../state/protocol-parameters.js';
import type { PubKeyHash } from '../state/pub-key-hash.js';
import type { Transaction } from '../state/transaction.js';
import { validateTransaction } from '../verdict/validate-transaction.js';
import { type WindowTerms, windowAt } from './keeper-window.js';

/** A transaction that was submitted and is not visible in the state yet. */
export interface PendingSubmission {
  /** The datum it spends: as long as the state shows it, the transaction is not included. */
  readonly spends: SchedulerDatum;
  readonly transaction: Transaction;
  /** `accepted` waits for the chain; `unknown`, when no answer came, is submitted again unchanged. */
  readonly fate: 'accepted' | 'unknown';
}

/** The next step of a keeper. `until: null` means that nothing is in sight. */
export type KeeperStep =
  | { readonly kind: 'submit'; readonly spends: SchedulerDatum; readonly transaction: Transaction }
  | { readonly kind: 'activate'; readonly request: LifecycleRequest }
  | { readonly kind: 'wait'; readonly until: number | null; readonly isPending: boolean };

/** The inputs of a keeper's decision. */
export interface KeeperView {
  readonly state: MidgardState;
  readonly now: number;
  readonly operator: PubKeyHash;
  readonly parameters: ProtocolParameters;
  readonly pending: PendingSubmission | null;
  readonly window: WindowTerms;
  /** Activations that were accepted, with the end of their windows; null when the keeper does not activate registrants. */
  readonly activations: ReadonlyMap<PubKeyHash, number> | null;
}

/**
 * Submits once the clock is in the operator's own shift: first, unsigned and one after the other, the transitions that other operators
 * missed, then the operator's own as the edition requires. A transaction that is under way is waited for until its window has passed,
 * because two of them would spend the same utxo.
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
  const signer = turns === 1 ? editionOf(parameters).keeperSigner(operator) : null;
  return takeShift(view, scheduler, signer);
}

/** Submits the next transition as soon as a window for it is open. */
function takeShift(view: KeeperView, scheduler: SchedulerDatum, signer: PubKeyHash | null): KeeperStep {
  const { state, now, parameters, window: terms } = view;
  // As of the shift before, so that `from` is the moment in which the transition becomes legal.
  const plan = planTransaction(state, scheduler.shiftStart, signer, parameters);
  if (!plan.possible) return activateFirst(view, plan.registrants);
  const { from: earliest, to: latest } = plan.validity;
  const window = windowAt(now, { earliest: earliest as number, latest }, terms);
  if (window.kind === 'later') return waitUntil(window.at);
  if (window.kind === 'none') return activateFirst(view, plan.redeemer === 'rewind' ? blockersOf(view) : []);
  const validity = { from: window.from, to: window.to };
  return { kind: 'submit', spends: scheduler, transaction: { ...plan.transaction, validity } };
}

/** The registrants that leave no moment for a rewind, earliest first; the earliest of all when only the cut of the slots leaves none. */
function blockersOf({ state, now, parameters }: KeeperView): readonly PubKeyHash[] {
  const { latestRewindEnd } = editionOf(parameters);
  const due = state.registered.filter(({ activationTime }) => latestRewindEnd(activationTime) <= now);
  return (due.length > 0 ? due : state.registered.slice(-1)).map(({ operator }) => operator).reverse();
}

function activateFirst(view: KeeperView, registrants: readonly PubKeyHash[]): KeeperStep {
  const { state, now, activations, window: terms } = view;
  if (activations === null) return waitUntil(null);
  let soonest: number | null = null;
  let isPending = false;
  for (const operator of registrants) {
    const { activationTime } = state.registered.find((node) => node.operator === operator)!;
    if ((activations.get(operator) ?? -Infinity) > now) {
      isPending = true;
      continue;
    }
    const window = windowAt(now, { earliest: activationTime, latest: null }, terms);
    if (window.kind === 'open')
      return {
        kind: 'activate',
        request: { operator, signatories: [], validity: { from: window.from, to: window.to } },
      };
    if (window.kind === 'later') soonest = Math.min(soonest ?? Infinity, window.at);
  }
  return { kind: 'wait', until: soonest, isPending };
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
