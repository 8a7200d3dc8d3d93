import { editionOf } from '../editions/edition-of.js';
import type { EditionRules, SignedWindow, Transition } from '../editions/edition-rules.js';
import { checkedInteger } from '../state/midgard-input-error.js';
import { checkState, type MidgardState, type SchedulerDatum } from '../state/midgard-state.js';
import { checkParameters, type ProtocolParameters } from '../state/protocol-parameters.js';
import { checkedKey, type PubKeyHash } from '../state/pub-key-hash.js';
import type { ReferenceInput, Transaction, Validity } from '../state/transaction.js';
import { type Turn, turnAfter } from '../state/turn-order.js';

/** A transaction that will be accepted. */
export interface PossiblePlan {
  readonly possible: true;
  readonly redeemer: 'advance' | 'rewind';
  /** The operator of the shift. */
  readonly operator: PubKeyHash;
  /** The required signer; null when no signature is needed. */
  readonly requiredSigner: PubKeyHash | null;
  readonly validity: Validity;
  readonly referenceInputs: readonly ReferenceInput[];
  /** All of it, ready to submit, with exactly the required signature. */
  readonly transaction: Transaction;
}

/** Why there is no plan. */
export interface ImpossiblePlan {
  readonly possible: false;
  readonly reason: 'not-initialized' | 'no-active-operator' | 'registrant-must-activate';
  readonly explanation: string;
  /** The registrants that have to be activated first, the earliest to become eligible first. */
  readonly registrants: readonly PubKeyHash[];
}

/** The transaction to submit for the next shift, or why there is none. */
export type Plan = PossiblePlan | ImpossiblePlan;

/**
 * The next transition that `who` can submit at `now` or later: the earliest legal `validity.from` and, for it, the latest legal
 * `validity.to` (null when it may stay open). `who` is the possible signer: the next operator in edition `2025`, the previous one in
 * `2026-05`. For null, for anyone else and when a signature is too late, the plan is the unsigned one, which opens when the shift is over,
 * in `2026-05` when it has begun. When a registrant becomes eligible too early for any window, it has to be activated first.
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

/** The plan for the turn after `previous`, whatever the state's own datum is. */
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
  const edition = editionOf(parameters);
  const start = previous.shiftStart + parameters.shiftDurationMs;
  const transition: Transition = { previous, next: turn.operator, start, now, parameters };
  const { signer, from, to, leastTo } = windowFor(edition, transition, who);
  const earliest = turn.redeemer === 'rewind' ? state.registered.at(-1) : undefined;
  const latest = earliest === undefined ? null : edition.latestRewindEnd(earliest.activationTime);
  if (latest !== null && latest < leastTo) return blocked(state, edition, leastTo);
  const validity = { from, to: latest === null ? to : Math.min(to ?? latest, latest) };
  return possiblePlan(state, turn, start, validity, signer);
}

/** The earliest window and its latest end, as if the queue were empty; `to: null` and `signer: null` is the unsigned transaction. */
function windowFor(
  edition: EditionRules,
  transition: Transition,
  who: PubKeyHash | null,
): SignedWindow | { readonly signer: null; readonly from: number; readonly to: null; readonly leastTo: number } {
  const signed = who === null ? null : edition.signedWindow(transition, who);
  if (signed !== null) return signed;
  const from = Math.max(transition.now, edition.unsignedFrom(transition.start, transition.parameters));
  return { signer: null, from, to: null, leastTo: from + 1 };
}

function possiblePlan(
  state: MidgardState,
  { redeemer, operator }: Turn,
  shiftStart: number,
  validity: Validity,
  signer: PubKeyHash | null,
): PossiblePlan {
  const referenceInputs: ReferenceInput[] = [{ list: 'active', key: operator }];
  if (redeemer === 'rewind') {
    referenceInputs.push({ list: 'active', key: null });
    referenceInputs.push({ list: 'registered', key: state.registered.at(-1)?.operator ?? null });
  }
  const transaction: Transaction = {
    redeemer,
    mint: { hubOracle: 0, scheduler: 0 },
    signatories: signer === null ? [] : [signer],
    validity,
    schedulerOutput: { operator, shiftStart },
    referenceInputs,
  };
  return {
    possible: true,
    redeemer,
    operator,
    requiredSigner: signer,
    validity,
    referenceInputs,
    transaction,
  };
}

function blocked(state: MidgardState, edition: EditionRules, leastTo: number): ImpossiblePlan {
  const due = state.registered
    .filter(({ activationTime }) => edition.latestRewindEnd(activationTime) < leastTo)
    .reverse();
  const names = due.map(({ operator, activationTime }) => `${operator} (from ${activationTime} on)`);
  return impossible(
    'registrant-must-activate',
    `A new cycle could begin at ${leastTo - 1} at the earliest, and by then these have to be activated: ${names.join(', ')}.`,
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
