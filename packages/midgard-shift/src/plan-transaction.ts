import { checkedInteger } from './midgard-input-error.js';
import { checkState, type MidgardState, type SchedulerDatum } from './midgard-state.js';
import { checkParameters, type ProtocolParameters } from './protocol-parameters.js';
import { checkedKey, type PubKeyHash } from './pub-key-hash.js';
import type { ReferenceInput, Transaction, Validity } from './transaction.js';
import { type Turn, turnAfter } from './turn-order.js';

/** A transaction that will be accepted. */
export interface PossiblePlan {
  readonly possible: true;
  readonly redeemer: 'advance' | 'rewind';
  /** Who gets the shift. */
  readonly operator: PubKeyHash;
  /** Who has to sign; null when nobody has to. */
  readonly requiredSigner: PubKeyHash | null;
  readonly validity: Validity;
  readonly referenceInputs: readonly ReferenceInput[];
  /** All of it, ready to submit, with exactly the required signature. */
  readonly transaction: Transaction;
}

/** Why there is none. */
export interface ImpossiblePlan {
  readonly possible: false;
  readonly reason: 'not-initialized' | 'no-active-operator' | 'registrant-must-activate';
  readonly explanation: string;
  /** Who has to be activated first, the earliest to become eligible first. */
  readonly registrants: readonly PubKeyHash[];
}

/** What to submit for the next shift, or why nothing can be. */
export type Plan = PossiblePlan | ImpossiblePlan;

/**
 * The next transition that `who` can submit at `now` or later: the earliest legal `validity.from` and, for it, the latest legal
 * `validity.to` (null when it may stay open). `who` is who may sign; for null, and for anyone but the next operator, it is the unsigned way,
 * which opens when the shift is over. When a registrant becomes eligible too early for any window, it has to be activated first.
 */
export function planTransaction(
  state: MidgardState,
  now: number,
  who: PubKeyHash | null,
  parameters: ProtocolParameters,
): Plan {
  checkParameters(parameters);
  checkState(state);
  checkedInteger('now', now);
  if (who !== null) checkedKey('who', who);
  if (state.scheduler === null) return impossible('not-initialized', 'There is no scheduler yet: Init makes it.');
  return planNext(state, state.scheduler, now, who, parameters);
}

/** The plan for the turn after `previous`, whatever the state's own datum says. */
export function planNext(
  state: MidgardState,
  previous: SchedulerDatum,
  now: number,
  who: PubKeyHash | null,
  parameters: ProtocolParameters,
): Plan {
  const turn = turnAfter(state.active, previous.operator);
  if (turn === null)
    return impossible('no-active-operator', 'Nobody is active: a registrant has to be activated before any shift.');
  const start = previous.shiftStart + parameters.shiftDurationMs;
  const end = start + parameters.shiftDurationMs;
  // Its own operator can sign as long as a moment of the shift is left.
  const isSigned = who === turn.operator && now < end;
  const from = Math.max(now, isSigned ? start : end);
  const earliest = turn.redeemer === 'rewind' ? state.registered.at(-1) : undefined;
  // The window has to end before the registrant is eligible, and the shortest one ends a millisecond after it begins.
  if (earliest !== undefined && from + 1 >= earliest.activationTime) return blocked(state, from);
  const latest = earliest === undefined ? null : earliest.activationTime - 1;
  const to = isSigned ? Math.min(end, latest ?? end) : latest;
  return possiblePlan(state, turn, start, { from, to }, isSigned);
}

function possiblePlan(
  state: MidgardState,
  { redeemer, operator }: Turn,
  shiftStart: number,
  validity: Validity,
  isSigned: boolean,
): PossiblePlan {
  const referenceInputs: ReferenceInput[] = [{ list: 'active', key: operator }];
  if (redeemer === 'rewind') {
    referenceInputs.push({ list: 'active', key: null });
    referenceInputs.push({ list: 'registered', key: state.registered.at(-1)?.operator ?? null });
  }
  const transaction: Transaction = {
    redeemer,
    mint: { hubOracle: 0, scheduler: 0 },
    signatories: isSigned ? [operator] : [],
    validity,
    schedulerOutput: { operator, shiftStart },
    referenceInputs,
  };
  return {
    possible: true,
    redeemer,
    operator,
    requiredSigner: isSigned ? operator : null,
    validity,
    referenceInputs,
    transaction,
  };
}

function blocked(state: MidgardState, from: number): ImpossiblePlan {
  const due = state.registered.filter(({ activationTime }) => activationTime <= from + 1).reverse();
  const names = due.map(({ operator, activationTime }) => `${operator} (from ${activationTime} on)`);
  return impossible(
    'registrant-must-activate',
    `A new cycle could begin at ${from} at the earliest, and by then these have to be activated: ${names.join(', ')}.`,
    due.map(({ operator }) => operator),
  );
}

function impossible(
  reason: ImpossiblePlan['reason'],
  explanation: string,
  registrants: readonly PubKeyHash[] = [],
): ImpossiblePlan {
  return { possible: false, reason, explanation, registrants };
}
