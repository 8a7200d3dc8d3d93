import { comparePorts, comparisonOf, type KeyComparison } from '../keys/key-order.js';
import type { ResourceKey } from '../keys/resource-keys.js';
import { conflictWith } from './collision.js';
import { canonicalFootprint } from './footprint.js';
import type { Footprint } from './footprint-sets.js';
import { usesOf } from './footprint-uses.js';
import { isRich } from './sealed-footprint.js';

/**
 * Whether two rewrites with these footprints may both be accepted: masks without a common bit, or no key that one writes or adds to and the
 * other uses in another way than adding too, and no common port. A footprint with a write or port is not independent of itself.
 */
export function independent(a: Footprint, b: Footprint): boolean {
  const one = canonicalFootprint(a);
  const two = canonicalFootprint(b);
  if ((one.factorMask & two.factorMask) === 0n) return true;
  if (isRich(one) || isRich(two)) return usesOf(one).every((use) => conflictWith(use, two) === undefined);
  return !(
    clash('node', one.nRead, one.nWrite, two.nRead, two.nWrite) ||
    clash('edge', one.eRead, one.eWrite, two.eRead, two.eWrite) ||
    clash('attachment', one.aRead, one.aWrite, two.aRead, two.aWrite) ||
    meet(one.bIn, two.bIn, comparePorts) ||
    meet(one.bIn, two.bOut, comparePorts) ||
    meet(one.bOut, two.bIn, comparePorts) ||
    meet(one.bOut, two.bOut, comparePorts)
  );
}

function clash<Key extends ResourceKey>(
  category: 'node' | 'edge' | 'attachment',
  readA: readonly Key[],
  writeA: readonly Key[],
  readB: readonly Key[],
  writeB: readonly Key[],
): boolean {
  const compare: KeyComparison<ResourceKey> = comparisonOf(category);
  return meet(writeA, writeB, compare) || meet(writeA, readB, compare) || meet(readA, writeB, compare);
}

/** Whether two lists in key order have a key in common. */
function meet<Key>(a: readonly Key[], b: readonly Key[], compare: KeyComparison<Key>): boolean {
  let atA = 0;
  let atB = 0;
  while (atA < a.length && atB < b.length) {
    const order = compare(a[atA]!, b[atB]!);
    if (order === 0) return true;
    if (order < 0) atA++;
    else atB++;
  }
  return false;
}
