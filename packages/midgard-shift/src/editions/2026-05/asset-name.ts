import { toHex } from '../../state/hex.js';
import { checkedInteger, refuse } from '../../state/midgard-input-error.js';
import { checkedKey, type PubKeyHash } from '../../state/pub-key-hash.js';

/** The token whose name is built: that of the scheduler, of a list's root, or of a node. */
export type AssetNameOf =
  | 'scheduler'
  | 'active-root'
  | 'registered-root'
  | 'retired-root'
  | { readonly list: 'active' | 'retired'; readonly operator: PubKeyHash }
  | { readonly list: 'registered'; readonly activationTime: number };

const single = {
  scheduler: hexOfText('MIDGARD_SCHEDULER'),
  'active-root': hexOfText('MIDGARD_ACTIVE_OPERATORS'),
  'registered-root': hexOfText('MIDGARD_REGISTERED_OPERATORS'),
  'retired-root': hexOfText('MIDGARD_RETIRED_OPERATORS'),
} as const;

/** The prefix of the name of a node's token; its key follows. */
export const nodePrefix = {
  active: hexOfText('MACT'),
  registered: hexOfText('MREG'),
  retired: hexOfText('MRET'),
} as const;

/**
 * The name of a token of edition `2026-05` in hex. A node's name is its prefix and its key: the operator's key hash, or in the registered
 * queue the activation time in as few bytes as it takes, none for 0.
 */
export function assetName(of: AssetNameOf): string {
  if (typeof of === 'string' && Object.hasOwn(single, of)) return single[of];
  if (typeof of !== 'object' || of === null || !Object.hasOwn(nodePrefix, of.list))
    return refuse('of', `one of ${Object.keys(single).join(', ')}, or { list, operator | activationTime }`, of);
  return (
    nodePrefix[of.list] +
    (of.list === 'registered' ? timeKey(of.activationTime) : checkedKey('of.operator', of.operator))
  );
}

/** The key of a registrant: its activation time, big-endian, in as few bytes as it takes. */
export function timeKey(activationTime: number): string {
  if (checkedInteger('of.activationTime', activationTime, 0) === 0) return '';
  const hex = activationTime.toString(16);
  return hex.length % 2 === 0 ? hex : `0${hex}`;
}

function hexOfText(text: string): string {
  return toHex(new TextEncoder().encode(text));
}
