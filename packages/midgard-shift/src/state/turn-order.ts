import { countBelow, type PubKeyHash } from './pub-key-hash.js';

/** The turn after an operator's: a step down, or from the least key up to the greatest. */
export interface Turn {
  readonly redeemer: 'advance' | 'rewind';
  readonly operator: PubKeyHash;
}

/** The operator whose turn comes after `previous`, which need not be active any more; null when no operator is active. */
export function turnAfter(active: readonly PubKeyHash[], previous: PubKeyHash): Turn | null {
  const operator = operatorAfter(active, previous, 1);
  if (operator === null) return null;
  return { redeemer: operator < previous ? 'advance' : 'rewind', operator };
}

/**
 * The operator that serves `turns` turns after `previous`, over the ascending `active` as it is: each turn goes one key down and, below the
 * least, up to the greatest. `turns` is 1 or more; null when no operator is active.
 */
export function operatorAfter(active: readonly PubKeyHash[], previous: PubKeyHash, turns: number): PubKeyHash | null {
  if (active.length === 0) return null;
  return active[modulo(countBelow(active, previous) - turns, active.length)] as PubKeyHash;
}

/** The remainder that is never negative. */
export function modulo(value: number, divisor: number): number {
  const rest = value % divisor;
  return rest < 0 ? rest + divisor : rest;
}
