import { type Network, slotConfigOf, slotFrom, slotToTime, timeToSlot } from '../chain/network.js';

/** How a keeper cuts the windows of its transactions. */
export interface WindowTerms {
  /** A transaction stays valid for this long after it was submitted, so that a lost one is recognised as lost. */
  readonly patienceMs: number;
  /** The longest window, from its start to its end. */
  readonly maxWindowMs: number;
  /** How far this clock may be ahead of the chain's: nothing is submitted earlier than this long after its window opens. */
  readonly clockSkewMs: number;
  /** The network to whose slots the bounds are aligned; null leaves them unchanged. */
  readonly network: Network | null;
}

/** A window for a submission now, the moment from which there is one, or that there is none. */
export type KeeperWindow =
  | { readonly kind: 'open'; readonly from: number; readonly to: number }
  | { readonly kind: 'later'; readonly at: number }
  | { readonly kind: 'none' };

/**
 * The window at `now` of a transaction that is legal from `earliest` on and until `latest`, which is null when it may stay open. The lower
 * bound is as late as the skew of the clocks allows, so that a long outage does not make a long window.
 */
export function windowAt(
  now: number,
  legal: { readonly earliest: number; readonly latest: number | null },
  terms: WindowTerms,
): KeeperWindow {
  const { patienceMs, maxWindowMs, clockSkewMs, network } = terms;
  const slots = alignment(network);
  const from = Math.max(slots.up(legal.earliest), slots.down(now - clockSkewMs));
  if (now < from + clockSkewMs) return { kind: 'later', at: from + clockSkewMs };
  const to = slots.down(Math.min(legal.latest ?? Infinity, from + maxWindowMs, now + patienceMs));
  return to > now ? { kind: 'open', from, to } : { kind: 'none' };
}

function alignment(network: Network | null) {
  const asIs = (ms: number) => ms;
  if (network === null) return { up: asIs, down: asIs };
  const { zeroTimeMs } = slotConfigOf(network);
  return {
    up: (ms: number) => slotToTime(network, slotFrom(network, Math.max(ms, zeroTimeMs))),
    // Before the first slot there is no bound to align to, and every slot is later.
    down: (ms: number) => (ms < zeroTimeMs ? -Infinity : slotToTime(network, timeToSlot(network, ms))),
  };
}
