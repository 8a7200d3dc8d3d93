import { checkedInteger, refuse } from './midgard-input-error.js';
import { checkedKey, type PubKeyHash } from './pub-key-hash.js';

/** The operator assigned to the shift that starts at `shiftStart`. */
export interface SchedulerDatum {
  readonly operator: PubKeyHash;
  /** Epoch milliseconds; the shift is `[shiftStart, shiftStart + shiftDurationMs)`. */
  readonly shiftStart: number;
}

/** An operator that waits in the queue; it is eligible from `activationTime` on. */
export interface RegisteredNode {
  readonly operator: PubKeyHash;
  readonly activationTime: number;
}

/** The part of the chain that the scheduler reads. Plain literals are fine as input; what this package returns is deeply frozen. */
export interface MidgardState {
  /** The datum of the utxo with the scheduler NFT; null before Init and after Deinit. */
  readonly scheduler: SchedulerDatum | null;
  /** Whether the hub oracle token exists. */
  readonly hubOracle: boolean;
  /** The linked list of active operators from its root: ascending. */
  readonly active: readonly PubKeyHash[];
  /** The queue of registrants from its root: newest first, so that the last is the earliest. */
  readonly registered: readonly RegisteredNode[];
  /** Ascending. */
  readonly retired: readonly PubKeyHash[];
}

/**
 * Lists that have been checked, with their length then. A list is checked once and not at every call: a state of 100,000 operators would
 * cost milliseconds each time.
 */
const checkedKeyLists = new WeakMap<object, number>();
const checkedQueues = new WeakMap<object, number>();
/** Lists that this package made and froze; they are shared between states. */
const ownLists = new WeakSet<object>();

/** Refuses a state that is not one: wrong types, keys that are not key hashes, lists that are not ascending. */
export function checkState(state: MidgardState): void {
  if (typeof state !== 'object' || state === null) refuse('state', 'an object', state);
  if (typeof state.hubOracle !== 'boolean') refuse('state.hubOracle', 'true or false', state.hubOracle);
  if (state.scheduler !== null) checkDatum('state.scheduler', state.scheduler);
  if (!isKnown(checkedKeyLists, state.active)) checkKeys('state.active', state.active);
  if (!isKnown(checkedKeyLists, state.retired)) checkKeys('state.retired', state.retired);
  if (!isKnown(checkedQueues, state.registered)) checkQueue(state.registered);
}

function isKnown(known: WeakMap<object, number>, list: readonly unknown[]): boolean {
  const length = known.get(list);
  return length !== undefined && length === list.length;
}

/** Refuses a datum without a key hash and a whole number. */
export function checkDatum(field: string, datum: SchedulerDatum): void {
  if (typeof datum !== 'object' || datum === null) refuse(field, '{ operator, shiftStart } or null', datum);
  checkedKey(`${field}.operator`, datum.operator);
  checkedInteger(`${field}.shiftStart`, datum.shiftStart);
}

/** The state as deeply frozen data of its own; lists that are so already are shared, not copied. */
export function frozenState(state: MidgardState): MidgardState {
  const { scheduler } = state;
  return Object.freeze({
    scheduler:
      scheduler === null ? null : Object.freeze({ operator: scheduler.operator, shiftStart: scheduler.shiftStart }),
    hubOracle: state.hubOracle,
    active: frozenKeys(state.active),
    registered: frozenQueue(state.registered),
    retired: frozenKeys(state.retired),
  });
}

function frozenKeys(keys: readonly PubKeyHash[]): readonly PubKeyHash[] {
  if (ownLists.has(keys)) return keys;
  const copy = Object.freeze([...keys]);
  ownLists.add(copy);
  checkedKeyLists.set(copy, copy.length);
  return copy;
}

function frozenQueue(queue: readonly RegisteredNode[]): readonly RegisteredNode[] {
  if (ownLists.has(queue)) return queue;
  const copy = Object.freeze(queue.map(({ operator, activationTime }) => Object.freeze({ operator, activationTime })));
  ownLists.add(copy);
  checkedQueues.set(copy, copy.length);
  return copy;
}

function checkKeys(field: string, keys: readonly PubKeyHash[]): void {
  if (!Array.isArray(keys)) refuse(field, 'a list of key hashes', keys);
  for (let index = 0; index < keys.length; index++) {
    const key = checkedKey(`${field}[${index}]`, keys[index]);
    if (index > 0 && keys[index - 1] >= key) refuse(`${field}[${index}]`, 'above the key before it', key);
  }
  checkedKeyLists.set(keys, keys.length);
}

function checkQueue(queue: readonly RegisteredNode[]): void {
  if (!Array.isArray(queue)) refuse('state.registered', 'a list of { operator, activationTime }', queue);
  const seen = new Set<PubKeyHash>();
  for (let index = 0; index < queue.length; index++) {
    const field = `state.registered[${index}]`;
    const node: RegisteredNode = queue[index];
    if (typeof node !== 'object' || node === null) refuse(field, '{ operator, activationTime }', node);
    checkedKey(`${field}.operator`, node.operator);
    checkedInteger(`${field}.activationTime`, node.activationTime);
    if (seen.has(node.operator))
      refuse(`${field}.operator`, 'an operator that is not in the queue twice', node.operator);
    seen.add(node.operator);
  }
  checkedQueues.set(queue, queue.length);
}
