import { compareIds, comparisonOf } from '../keys/key-order.js';
import { isPathKey, pathCovers, pathsIntersect } from '../keys/path-keys.js';
import type { AttachmentKey, Category, ResourceKey } from '../keys/resource-keys.js';
import type { Footprint } from './footprint-sets.js';
import { contains, setsOf, type Use, type UseMode } from './footprint-uses.js';

/** The candidate's use of a key, then the holder's; 'port' when both use the same port. */
export type ConflictMode =
  | 'write-write'
  | 'write-read'
  | 'read-write'
  | 'add-read'
  | 'add-write'
  | 'read-add'
  | 'write-add'
  | 'port';

/** The mode of a conflict between two uses that do not tolerate each other. */
export function conflictMode(category: Category, candidate: UseMode, holder: UseMode): ConflictMode {
  return category === 'port' ? 'port' : (`${candidate}-${holder}` as ConflictMode);
}

/**
 * How a footprint conflicts with a use, or undefined. Its strongest use of what the key reaches counts: write, add, read. The read of a key
 * that the candidate adds to as well is reported only where the add is not in conflict already.
 */
export function conflictWith({ category, mode, key, addedAndRead }: Use, held: Footprint): ConflictMode | undefined {
  if (category === 'port') {
    return contains('port', held.bIn, key) || contains('port', held.bOut, key) ? 'port' : undefined;
  }
  const { reads, adds, writes } = setsOf(held, category);
  const alsoAdds = mode === 'read' && addedAndRead;
  const holds = (keys: readonly ResourceKey[]) => reaches(category, keys, key);
  if (holds(writes)) return alsoAdds ? undefined : conflictMode(category, mode, 'write');
  if (mode !== 'add' && holds(adds) && !(alsoAdds && holds(reads))) return conflictMode(category, mode, 'add');
  return mode !== 'read' && holds(reads) ? conflictMode(category, mode, 'read') : undefined;
}

/** Whether a key of the set has a resource in common with `key`. */
function reaches(category: Category, keys: readonly ResourceKey[], key: ResourceKey): boolean {
  if (!isPathKey(key)) return contains(category, keys, key);
  return keys.some((other) => keysIntersect(category, other, key));
}

/** Whether two keys of one category have a resource in common. */
export function keysIntersect(category: Category, a: ResourceKey, b: ResourceKey): boolean {
  if (!isPathKey(a) || !isPathKey(b)) return comparisonOf(category)(a, b) === 0;
  return compareIds(a.warp, b.warp) === 0 && sameKind(category, a, b) && pathsIntersect(a, b);
}

/** Whether every resource of `inner` belongs to `outer`; both are of one category. */
export function covers(category: Category, outer: ResourceKey, inner: ResourceKey): boolean {
  if (!isPathKey(outer) || !isPathKey(inner)) return comparisonOf(category)(outer, inner) === 0;
  return compareIds(outer.warp, inner.warp) === 0 && sameKind(category, outer, inner) && pathCovers(outer, inner);
}

/** Attachments of different owners or planes are different resources. */
function sameKind(category: Category, a: ResourceKey, b: ResourceKey): boolean {
  if (category !== 'attachment') return true;
  const [one, two] = [a as AttachmentKey, b as AttachmentKey];
  return one.owner === two.owner && one.plane === two.plane;
}
