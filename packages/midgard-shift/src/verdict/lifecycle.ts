import { editionOf } from '../editions/edition-of.js';
import type { LifecycleRequest, LifecycleRules } from '../rules/lifecycle-rules.js';
import { judgeAll } from '../rules/rule.js';
import { refuse } from '../state/midgard-input-error.js';
import { checkState, frozenState, type MidgardState } from '../state/midgard-state.js';
import { checkParameters, type ProtocolParameters } from '../state/protocol-parameters.js';
import { checkedKey, countBelow, type PubKeyHash } from '../state/pub-key-hash.js';
import { checkSignatories, checkValidity } from '../state/transaction.js';
import type { Violation } from '../state/violation.js';

/** Something legal that is better avoided. */
export interface LifecycleWarning {
  readonly warning: 'retired-during-own-shift';
  readonly message: string;
}

/** The outcome of a request: the new state, or every rule it breaks. */
export type LifecycleVerdict =
  | { readonly accepted: true; readonly state: MidgardState; readonly warnings: readonly LifecycleWarning[] }
  | { readonly accepted: false; readonly violations: readonly Violation[] };

/**
 * Puts an operator at the head of the queue, eligible `registrationDurationMs` after the window's end (edition `2026-05`: after its last
 * moment). Needs the operator's signature and the exact bond (`2026-05`: at least that bond); refused while the operator is registered,
 * active or retired, and when it would become eligible before an earlier registrant (`2026-05`: or at the same time).
 */
export function register(
  state: MidgardState,
  request: LifecycleRequest,
  parameters: ProtocolParameters,
): LifecycleVerdict {
  return decide('register', state, request, parameters, () => {
    const activationTime = editionOf(parameters).activationTimeOf(request.validity.to!, parameters);
    return { ...state, registered: [{ operator: request.operator, activationTime }, ...state.registered] };
  });
}

/**
 * Moves a due registrant into the active list. Any submitter may do so, for any due registrant, in a window that begins at its activation
 * time or later.
 */
export function activate(
  state: MidgardState,
  request: LifecycleRequest,
  parameters: ProtocolParameters,
): LifecycleVerdict {
  return decide('activate', state, request, parameters, () => ({
    ...state,
    registered: withoutRegistrant(state, request.operator),
    active: withKey(state.active, request.operator),
  }));
}

/** Takes an operator out of the queue before it is active. Needs its signature. */
export function deregister(
  state: MidgardState,
  request: LifecycleRequest,
  parameters: ProtocolParameters,
): LifecycleVerdict {
  return decide('deregister', state, request, parameters, () => ({
    ...state,
    registered: withoutRegistrant(state, request.operator),
  }));
}

/**
 * Moves an active operator to the retired ones, at any time; needs its signature. Warns when the window overlaps the operator's shift in
 * the datum: that shift stays assigned to it.
 */
export function retire(
  state: MidgardState,
  request: LifecycleRequest,
  parameters: ProtocolParameters,
): LifecycleVerdict {
  const change = () => ({
    ...state,
    active: state.active.filter((key) => key !== request.operator),
    retired: withKey(state.retired, request.operator),
  });
  return decide('retire', state, request, parameters, change, () => warningsOf(state, request, parameters));
}

function decide(
  kind: keyof LifecycleRules,
  state: MidgardState,
  request: LifecycleRequest,
  parameters: ProtocolParameters,
  change: () => MidgardState,
  warnings: () => readonly LifecycleWarning[] = () => [],
): LifecycleVerdict {
  checkParameters(parameters);
  checkState(state);
  checkRequest(request);
  const violations = judgeAll(editionOf(parameters).lifecycle[kind], { state, request, parameters });
  if (violations.length > 0) return Object.freeze({ accepted: false, violations });
  return Object.freeze({ accepted: true, state: frozenState(change()), warnings: Object.freeze(warnings()) });
}

function checkRequest(request: LifecycleRequest): void {
  if (typeof request !== 'object' || request === null) refuse('request', 'an object', request);
  checkedKey('request.operator', request.operator);
  checkSignatories('request.signatories', request.signatories);
  checkValidity('request.validity', request.validity);
  if (request.bond !== undefined && typeof request.bond !== 'bigint') refuse('request.bond', 'a bigint', request.bond);
}

function warningsOf(
  { scheduler }: MidgardState,
  { operator, validity }: LifecycleRequest,
  { shiftDurationMs }: ProtocolParameters,
): readonly LifecycleWarning[] {
  if (scheduler?.operator !== operator) return [];
  const start = scheduler.shiftStart;
  const end = start + shiftDurationMs;
  const overlaps = (validity.from ?? -Infinity) < end && (validity.to ?? Infinity) > start;
  if (!overlaps) return [];
  const message = `${operator} retires during its own shift [${start}, ${end}): finishing it first disturbs nobody`;
  return [Object.freeze({ warning: 'retired-during-own-shift', message })];
}

function withoutRegistrant({ registered }: MidgardState, operator: PubKeyHash) {
  return registered.filter((node) => node.operator !== operator);
}

/** The ascending `keys` with `key` in its place; as they are when it is among them. */
function withKey(keys: readonly PubKeyHash[], key: PubKeyHash): readonly PubKeyHash[] {
  const at = countBelow(keys, key);
  return keys[at] === key ? keys : keys.toSpliced(at, 0, key);
}
