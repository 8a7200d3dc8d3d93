import { checkedInteger, refuse } from '../state/midgard-input-error.js';

/** How the slots of a network lie in time: of a known network, or of your own. */
export type Network = 'mainnet' | 'preprod' | 'preview' | SlotConfig;

/** Slot `zeroSlot` begins at `zeroTimeMs`; from there on each lasts `slotLengthMs`. */
export interface SlotConfig {
  readonly zeroTimeMs: number;
  readonly zeroSlot: number;
  readonly slotLengthMs: number;
}

/** The Shelley eras of the public networks: slots of a second. Byron's longer slots lie before them and are refused. */
const known: Readonly<Record<Extract<Network, string>, SlotConfig>> = {
  mainnet: { zeroTimeMs: 1_596_059_091_000, zeroSlot: 4_492_800, slotLengthMs: 1_000 },
  preprod: { zeroTimeMs: 1_655_769_600_000, zeroSlot: 86_400, slotLengthMs: 1_000 },
  preview: { zeroTimeMs: 1_666_656_000_000, zeroSlot: 0, slotLengthMs: 1_000 },
};

/** The slots of `network`; refuses one that is neither known nor complete. */
export function slotConfigOf(network: Network): SlotConfig {
  if (typeof network === 'string' && Object.hasOwn(known, network)) return known[network];
  if (typeof network !== 'object' || network === null)
    return refuse('network', `'mainnet', 'preprod', 'preview' or { zeroTimeMs, zeroSlot, slotLengthMs }`, network);
  checkedInteger('network.zeroTimeMs', network.zeroTimeMs);
  checkedInteger('network.zeroSlot', network.zeroSlot, 0);
  checkedInteger('network.slotLengthMs', network.slotLengthMs, 1);
  return network;
}

/** When `slot` begins, in epoch milliseconds. Throws `MidgardInputError` before slot zero. */
export function slotToTime(network: Network, slot: number): number {
  const { zeroTimeMs, zeroSlot, slotLengthMs } = slotConfigOf(network);
  return zeroTimeMs + (checkedInteger('slot', slot, zeroSlot) - zeroSlot) * slotLengthMs;
}

/** The slot that contains `ms`. Throws `MidgardInputError` before slot zero. */
export function timeToSlot(network: Network, ms: number): number {
  const { zeroTimeMs, zeroSlot, slotLengthMs } = slotConfigOf(network);
  return zeroSlot + Math.floor((checkedInteger('ms', ms, zeroTimeMs) - zeroTimeMs) / slotLengthMs);
}

/** The first slot that begins at or after `ms`. */
export function slotFrom(network: Network, ms: number): number {
  const slot = timeToSlot(network, ms);
  return slotToTime(network, slot) === ms ? slot : slot + 1;
}
