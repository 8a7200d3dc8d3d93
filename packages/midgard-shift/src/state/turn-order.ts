import { countBelow, type PubKeyHash } from './pub-key-hash.js';

/** The turn after someone's: a step down, or from below everybody up to the greatest key. */
export interface Turn {
  readonly redeemer: 'advance' | 'rewind';
  readonly operator: PubKeyHash;
}

/** Whose turn comes after `previous`, who need not be active any more; null when nobody is active. */
export function turnAfter(active: readonly PubKeyHash[], previous: PubKeyHash): Turn | null {
  const operator = operatorAfter(active, previous, 1);
  if (operator === null) return null;
  return { redeemer: operator < previous ? 'advance' : 'rewind', operator };
}

/**
 * Who serves `turns` turns after `previous`, all taken over the ascending `active` as it is: each turn goes one key down and, below
 * the least, up to the greatest. `turns` is 1 or more; null when nobody is active.
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
