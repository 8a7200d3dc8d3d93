import { conflictWith } from '../footprint/collision.js';
import { usesOf } from '../footprint/footprint-uses.js';
import { independent } from '../footprint/independence.js';
import type { CanonicalFootprint } from '../footprint/sealed-footprint.js';
import type { Blocker, Ledger } from './ledger.js';
import type { PendingRewrite } from './pending-rewrite.js';

/**
 * The ledger of the legacy kind: keeps the accepted footprints and compares a candidate with each of them. Slow on purpose
 * and simple enough to be believed; it is what the radix kind is measured and checked against.
 */
export class LegacyLedger implements Ledger {
  accepted: PendingRewrite[] = [];
  private footprints: CanonicalFootprint[] = [];

  get held(): number {
    return this.accepted.length;
  }

  hold(rewrite: PendingRewrite, footprint: CanonicalFootprint): boolean {
    for (const held of this.footprints) if (!independent(held, footprint)) return false;
    this.accepted.push(rewrite);
    this.footprints.push(footprint);
    return true;
  }

  blockers(footprint: CanonicalFootprint, firstOnly: boolean): Blocker[] {
    const found: Blocker[] = [];
    for (const use of usesOf(footprint)) {
      for (const [order, held] of this.footprints.entries()) {
        if ((held.factorMask & footprint.factorMask) === 0n) continue;
        const mode = conflictWith(use, held);
        if (mode === undefined) continue;
        found.push({ blockedBy: this.accepted[order]!, category: use.category, key: use.key, mode });
        if (firstOnly) return found;
      }
    }
    return found;
  }

  release(count: number): void {
    this.accepted.length = count;
    this.footprints.length = count;
  }

  clear(): void {
    this.accepted = [];
    this.footprints = [];
  }
}
