import { activate, type MidgardState, type ProtocolParameters, register, retire } from '../../src/index.js';
import { key } from './world.js';

/** A shift of three milliseconds: each boundary, and a moment that is none. */
export const tiny: ProtocolParameters = { shiftDurationMs: 3, registrationDurationMs: 2, requiredBond: 1n };
const D = tiny.shiftDurationMs;

/** No state is looked at more than this long after the start of its shift: two shifts can be missed. */
export const LATEST = 3 * D + 1;
/** Activation times further back are all the same: due. */
const OLDEST_ACTIVATION = -1;

/** A state of the model: the chain, the present, and what happened in the cycle so far. Times count from the start of the shift. */
export interface Node {
  readonly state: MidgardState;
  readonly now: number;
  /** Who served in this cycle. */
  readonly served: readonly string[];
  /** Who has been active since it began. */
  readonly throughout: readonly string[];
  readonly joins: number;
  readonly retirements: number;
}

/** A short text that two nodes share when they are the same. */
export function nameOf(node: Node): string {
  const { state, served, throughout, joins, retirements } = node;
  return `${chainNameOf(node)}|${short(state.retired)}|${short(served)}|${short(throughout)}|${joins}|${retirements}`;
}

/** What a transition depends on. */
export function chainNameOf({ state, now }: Node): string {
  let queue = '';
  for (const { operator, activationTime } of state.registered) queue += `${short([operator])}@${activationTime},`;
  return `${short([state.scheduler!.operator])}|${now}|${short(state.active)}|${queue}`;
}

/** Keys by their last digit: no small world has more than nine operators. */
function short(keys: readonly string[]): string {
  let text = '';
  for (const each of keys) text += each[55];
  return text;
}

/** The same node with the start of its shift as time 0. */
export function normalized(node: Node): Node {
  const { scheduler, registered } = node.state;
  const by = scheduler!.shiftStart;
  const shifted = registered.map(({ operator, activationTime }) => ({
    operator,
    activationTime: Math.max(OLDEST_ACTIVATION, activationTime - by),
  }));
  return {
    ...node,
    now: node.now - by,
    state: { ...node.state, scheduler: { operator: scheduler!.operator, shiftStart: 0 }, registered: shifted },
  };
}

/** Every way the world goes on without a transition: time passes, someone registers, is activated or retires. */
export function* otherMoves(node: Node, universe: number, parameters: ProtocolParameters): Generator<Node> {
  const { state, now } = node;
  if (now < LATEST) yield { ...node, now: now + 1 };
  for (let n = 1; n <= universe; n++) {
    const operator = key(n);
    const signed = { operator, signatories: [operator], bond: 1n };
    if (node.joins > 0) {
      const joined = register(state, { ...signed, validity: { from: now, to: now + 1 } }, parameters);
      if (joined.accepted) yield { ...node, state: joined.state, joins: node.joins - 1 };
    }
    const activated = activate(state, { ...signed, signatories: [], validity: { from: now, to: now + 1 } }, parameters);
    if (activated.accepted) yield { ...node, state: activated.state };
    if (node.retirements > 0) {
      const retired = retire(state, { ...signed, validity: { from: now, to: now + 1 } }, parameters);
      if (retired.accepted) {
        const throughout = node.throughout.filter((each) => each !== operator);
        yield { ...node, state: retired.state, throughout, retirements: node.retirements - 1 };
      }
    }
  }
}
