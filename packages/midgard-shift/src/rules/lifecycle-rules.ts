import type { MidgardState } from '../state/midgard-state.js';
import type { ProtocolParameters } from '../state/protocol-parameters.js';
import { type PubKeyHash, positionOf } from '../state/pub-key-hash.js';
import { type Validity, windowText } from '../state/transaction.js';
import { emptyWindowFinding } from './common-rules.js';
import { type Rule, rule } from './rule.js';

/** A transaction of the lists around the scheduler, requested by an operator. */
export interface LifecycleRequest {
  readonly operator: PubKeyHash;
  readonly signatories: readonly PubKeyHash[];
  readonly validity: Validity;
  /** Only a registration locks one. */
  readonly bond?: bigint;
}

/** A request with all that its rules read. */
export interface LifecycleContext {
  readonly state: MidgardState;
  readonly request: LifecycleRequest;
  readonly parameters: ProtocolParameters;
}

/** A condition of a request. */
export type RequestRule = Rule<LifecycleContext>;

const signedByOperator: RequestRule = rule('signed-by-operator', ({ request }) =>
  request.signatories.includes(request.operator)
    ? null
    : { expected: `a signature of ${request.operator}`, found: request.signatories.join(', ') || 'no signature' },
);

const validityNotEmpty: RequestRule = rule('validity-not-empty', ({ request }) => emptyWindowFinding(request.validity));

const notRegistered: RequestRule = rule('not-registered', ({ state, request }) =>
  queueNode(state, request.operator) === undefined
    ? null
    : { expected: 'an operator outside the registered queue', found: `${request.operator} is in it` },
);

const notActive: RequestRule = rule('not-active', ({ state, request }) =>
  positionOf(state.active, request.operator) < 0
    ? null
    : { expected: 'an operator that is not active', found: `${request.operator} is active` },
);

const notRetired: RequestRule = rule('not-retired', ({ state, request }) =>
  positionOf(state.retired, request.operator) < 0
    ? null
    : { expected: 'an operator that has not retired', found: `${request.operator} has retired` },
);

const validityBounded: RequestRule = rule('validity-bounded', ({ request }) =>
  request.validity.to !== null
    ? null
    : {
        expected: 'a window with an upper bound, from which the activation time counts',
        found: windowText(request.validity),
      },
);

const isRegistered: RequestRule = rule('is-registered', ({ state, request }) =>
  queueNode(state, request.operator) !== undefined
    ? null
    : { expected: 'an operator in the registered queue', found: `${request.operator} is not in it` },
);

const activationTimeReached: RequestRule = rule('activation-time-reached', ({ state, request }) => {
  const node = queueNode(state, request.operator);
  if (node === undefined) return null;
  const { from } = request.validity;
  if (from !== null && from >= node.activationTime) return null;
  return { expected: `a window that begins at ${node.activationTime} or later`, found: windowText(request.validity) };
});

const isActive: RequestRule = rule('is-active', ({ state, request }) =>
  positionOf(state.active, request.operator) >= 0
    ? null
    : { expected: 'an active operator', found: `${request.operator} is not active` },
);

/** The registrant's node, if it is in the queue. */
export function queueNode(state: MidgardState, operator: PubKeyHash) {
  return state.registered.find((node) => node.operator === operator);
}

/** How an edition takes a registration. */
export interface RegistrationTerms {
  readonly bond: RequestRule;
  /** When a registration whose window ends at `to` becomes eligible. */
  activationTimeOf(to: number, parameters: ProtocolParameters): number;
  /** How many milliseconds after the newest registrant the next one becomes eligible at the earliest. */
  readonly leastDistanceMs: 0 | 1;
}

/** Conditions of the four requests. */
export type LifecycleRules = Readonly<
  Record<'register' | 'activate' | 'deregister' | 'retire', readonly RequestRule[]>
>;

/** The conditions that all editions share, completed by the terms of one. */
export function lifecycleRules(terms: RegistrationTerms): LifecycleRules {
  return {
    register: [
      signedByOperator,
      validityNotEmpty,
      validityBounded,
      terms.bond,
      notRegistered,
      notActive,
      notRetired,
      queueOrderKept(terms),
    ],
    activate: [validityNotEmpty, isRegistered, activationTimeReached, notActive, notRetired],
    deregister: [signedByOperator, validityNotEmpty, isRegistered],
    retire: [signedByOperator, validityNotEmpty, isActive],
  };
}

/** Else the last node of the queue would not be the first to become eligible, and a rewind could pass a registrant over. */
function queueOrderKept({ activationTimeOf, leastDistanceMs }: RegistrationTerms): RequestRule {
  return rule('queue-order-kept', ({ state, request, parameters }) => {
    const newest = state.registered[0];
    if (request.validity.to === null || newest === undefined) return null;
    const activationTime = activationTimeOf(request.validity.to, parameters);
    if (activationTime >= newest.activationTime + leastDistanceMs) return null;
    const limit = leastDistanceMs === 0 ? `${newest.activationTime} or later` : `later than ${newest.activationTime}`;
    return {
      expected: `an activation time of ${limit}, that of the newest registrant`,
      found: String(activationTime),
    };
  });
}
