import type { Footprint } from './footprint-sets.js';
import { readsAndWrites, usesOf } from './footprint-uses.js';
import { independent } from './independence.js';
import { comparisonOf, indexOfKey } from './key-order.js';
import { type Blocker, conflictMode, type Ledger } from './ledger.js';
import type { PendingRewrite } from './pending-rewrite.js';
import type { Category, ResourceKey } from './resource-keys.js';
import type { CanonicalFootprint } from './sealed-footprint.js';

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
    for (const { category, exclusive, key } of usesOf(footprint)) {
      for (const [order, held] of this.footprints.entries()) {
        if ((held.factorMask & footprint.factorMask) === 0n) continue;
        const holder = holdingOf(held, category, key);
        if (holder === 'none' || (holder === 'read' && !exclusive)) continue;
        const mode = conflictMode(category, exclusive, holder === 'exclusive');
        found.push({ blockedBy: this.accepted[order]!, category, key, mode });
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

/** How a footprint uses a key: a write counts before a read. */
function holdingOf(held: Footprint, category: Category, key: ResourceKey): 'none' | 'read' | 'exclusive' {
  const compare = comparisonOf(category);
  const has = (keys: readonly ResourceKey[]) => indexOfKey(keys, key, compare) !== -1;
  if (category === 'port') return has(held.bIn) || has(held.bOut) ? 'exclusive' : 'none';
  const [reads, writes] = readsAndWrites(held, category);
  if (has(writes)) return 'exclusive';
  return has(reads) ? 'read' : 'none';
}
