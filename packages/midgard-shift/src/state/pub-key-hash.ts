import { refuse } from './midgard-input-error.js';

/** The hash of an operator's key: 56 lower case hex digits. Keys are ordered as text, which is the order of their bytes. */
export type PubKeyHash = string;

const KEY = /^[0-9a-f]{56}$/;

/** `value` when it is a key hash; refuses it otherwise, upper case included, because it would silently equal no key. */
export function checkedKey(field: string, value: PubKeyHash): PubKeyHash {
  if (typeof value === 'string' && KEY.test(value)) return value;
  return refuse(field, 'a key hash of 56 lower case hex digits', value);
}

/** How many of the ascending `keys` are below `key`: where it stands, or would stand. */
export function countBelow(keys: readonly PubKeyHash[], key: PubKeyHash): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] as PubKeyHash) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The position of `key` in the ascending `keys`, or -1. */
export function positionOf(keys: readonly PubKeyHash[], key: PubKeyHash): number {
  const at = countBelow(keys, key);
  return keys[at] === key ? at : -1;
}
