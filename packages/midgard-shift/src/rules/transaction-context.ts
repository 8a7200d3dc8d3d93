import type { MidgardState, SchedulerDatum } from '../state/midgard-state.js';
import type { ProtocolParameters } from '../state/protocol-parameters.js';
import { type PubKeyHash, positionOf } from '../state/pub-key-hash.js';
import type { ReferenceInput, Transaction } from '../state/transaction.js';

/** A node of the active list as a reference input shows it; `link: null` is the end of the list. */
interface ActiveNode {
  readonly key: PubKeyHash;
  readonly link: PubKeyHash | null;
}

/** An element of the registered queue as a reference input shows it; `key: null` is the root, which has no activation time. */
interface RegisteredElement {
  readonly key: PubKeyHash | null;
  readonly activationTime: number | null;
  readonly isLast: boolean;
}

/** A transaction with what its reference inputs show: all that a rule reads. */
export interface TransactionContext {
  readonly state: MidgardState;
  readonly tx: Transaction;
  readonly parameters: ProtocolParameters;
  /** The datum of the scheduler's input, and that of its output. */
  readonly previous: SchedulerDatum | null;
  readonly output: SchedulerDatum | null;
  /** References to elements that are not in their list; they show nothing. */
  readonly missing: readonly ReferenceInput[];
  /** The witness: the referenced node of the new operator, else the first referenced node. The root is not a node. */
  readonly activeNode: ActiveNode | null;
  readonly activeRoot: { readonly link: PubKeyHash | null } | null;
  /** The witness: the first referenced element of the queue, the root included. */
  readonly registeredNode: RegisteredElement | null;
}

/** Resolves the reference inputs of `tx` against `state`. */
export function contextOf(state: MidgardState, tx: Transaction, parameters: ProtocolParameters): TransactionContext {
  const missing: ReferenceInput[] = [];
  let activeNode: ActiveNode | null = null;
  let activeRoot: TransactionContext['activeRoot'] = null;
  let registeredNode: RegisteredElement | null = null;
  for (const input of tx.referenceInputs) {
    if (input.list === 'registered') {
      const element = registeredElement(state, input.key);
      if (element === null) missing.push(input);
      else registeredNode ??= element;
    } else if (input.key === null) {
      activeRoot = { link: state.active[0] ?? null };
    } else {
      const at = positionOf(state.active, input.key);
      if (at < 0) missing.push(input);
      else if (activeNode === null || input.key === tx.schedulerOutput?.operator)
        activeNode = { key: input.key, link: state.active[at + 1] ?? null };
    }
  }
  const { scheduler: previous } = state;
  return {
    state,
    tx,
    parameters,
    previous,
    output: tx.schedulerOutput,
    missing,
    activeNode,
    activeRoot,
    registeredNode,
  };
}

function registeredElement({ registered }: MidgardState, key: PubKeyHash | null): RegisteredElement | null {
  if (key === null) return { key, activationTime: null, isLast: registered.length === 0 };
  // The earliest registrant is the one that honest transactions show, so it is tried before the search.
  const last = registered.length - 1;
  const at = registered[last]?.operator === key ? last : registered.findIndex(({ operator }) => operator === key);
  const node = registered[at];
  return node === undefined ? null : { key, activationTime: node.activationTime, isLast: at === last };
}
