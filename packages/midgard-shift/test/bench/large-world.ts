import type { MidgardState, ProtocolParameters } from '@horae/midgard-shift';

/** A key hash for each number, spread over the whole range. */
export const key = (n: number): string =>
  (BigInt(n + 1) * 0x9e3779b97f4a7c15n).toString(16).padStart(20, '0').padEnd(56, '7');

export const parameters: ProtocolParameters = {
  shiftDurationMs: 3_600_000,
  registrationDurationMs: 86_400_000,
  requiredBond: 1_000_000n,
};

/** `count` active operators with the greatest assigned. */
export function worldOf(count: number): MidgardState {
  const active = Array.from({ length: count }, (_, n) => key(n)).sort();
  return {
    scheduler: { operator: active.at(-1)!, shiftStart: 0 },
    hubOracle: true,
    active,
    registered: [],
    retired: [],
  };
}

export const SIZES = [10, 1_000, 100_000];
