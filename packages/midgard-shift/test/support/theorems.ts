import type { Transaction } from '../../src/index.js';
import { type Node, tiny } from './small-world.js';

const D = tiny.shiftDurationMs;

/** The longest signed window of edition 2026-05 in the small worlds, in proportion to their shifts. */
export const TINY_SIGNED_MS = 2;

/** What an edition promises about an accepted transition. Each gives what is broken, or null. */
export interface Theorems {
  /** Who has agreed to the new shift, and when it can be assigned at the earliest. */
  consent(node: Node, tx: Transaction): string | null;
  /** Whether the registrant is eligible at a moment of the window. */
  isEligible(activationTime: number, to: number): boolean;
}

/** Edition 2025: a shift that is not over is taken by its own operator, inside it. */
const theorems2025: Theorems = {
  consent({ now }, tx) {
    const { operator, shiftStart } = tx.schedulerOutput!;
    if (now >= shiftStart + D) return null;
    if (!tx.signatories.includes(operator)) return 'a shift that could be served is assigned without consent';
    return now < shiftStart ? 'a shift is taken before it begins' : null;
  },
  isEligible: (activationTime, to) => activationTime <= to,
};

/** Edition 2026-05: until a shift has started only the operator before it can assign it, and no earlier than the window is long. */
const theorems202605: Theorems = {
  consent({ now, state }, tx) {
    const { shiftStart } = tx.schedulerOutput!;
    if (now > shiftStart) return null;
    if (!tx.signatories.includes(state.scheduler!.operator)) return 'a shift is cut short without consent';
    return now <= shiftStart - TINY_SIGNED_MS ? 'a shift is handed over too early' : null;
  },
  isEligible: (activationTime, to) => activationTime < to,
};

/** The theorems that hold in each edition. */
export const theorems = { '2025': theorems2025, '2026-05': theorems202605 };
