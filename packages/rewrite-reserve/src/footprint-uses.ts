import type { Footprint } from './footprint-sets.js';
import { compareIds, comparisonOf, type KeyComparison } from './key-order.js';
import type { Category, Id, ResourceKey } from './resource-keys.js';

/**
 * One use of one resource. `exclusive` is a write or a port: it tolerates nobody else. What is not exclusive is a read:
 * it tolerates other reads.
 */
export interface Use {
  readonly category: Category;
  readonly exclusive: boolean;
  readonly key: ResourceKey;
}

/**
 * Visits every resource of a footprint once, in check order: node writes, node reads, edge writes, edge reads, attachment
 * writes, attachment reads, ports in, ports out; inside a set in key order. A key that is read and written is visited
 * as its write, a port that is in and out as its in. Everything that speaks of "the n-th use" means this order.
 */
export function forEachUse(
  footprint: Footprint,
  visit: (category: Category, exclusive: boolean, key: ResourceKey) => void,
): void {
  visitSet('node', true, footprint.nWrite, [], visit);
  visitSet('node', false, footprint.nRead, footprint.nWrite, visit);
  visitSet('edge', true, footprint.eWrite, [], visit);
  visitSet('edge', false, footprint.eRead, footprint.eWrite, visit);
  visitSet('attachment', true, footprint.aWrite, [], visit);
  visitSet('attachment', false, footprint.aRead, footprint.aWrite, visit);
  visitSet('port', true, footprint.bIn, [], visit);
  visitSet('port', true, footprint.bOut, footprint.bIn, visit);
}

/** The uses of a footprint as a list, in check order. */
export function usesOf(footprint: Footprint): Use[] {
  const uses: Use[] = [];
  forEachUse(footprint, (category, exclusive, key) => uses.push({ category, exclusive, key }));
  return uses;
}

/** Visits the keys that are not in `already`. Both lists are in key order, so one walk along them is enough. */
function visitSet(
  category: Category,
  exclusive: boolean,
  keys: readonly ResourceKey[],
  already: readonly ResourceKey[],
  visit: (category: Category, exclusive: boolean, key: ResourceKey) => void,
): void {
  if (keys.length === 0) return;
  const compare: KeyComparison<ResourceKey> = comparisonOf(category);
  let ahead = 0;
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at]!;
    while (ahead < already.length && compare(already[ahead]!, key) < 0) ahead++;
    if (ahead < already.length && compare(already[ahead]!, key) === 0) continue;
    visit(category, exclusive, key);
  }
}

/** The two sets of a category that has reads and writes. */
export function readsAndWrites(
  declared: Footprint,
  category: 'node' | 'edge' | 'attachment',
): readonly [readonly ResourceKey[], readonly ResourceKey[]] {
  if (category === 'node') return [declared.nRead, declared.nWrite];
  if (category === 'edge') return [declared.eRead, declared.eWrite];
  return [declared.aRead, declared.aWrite];
}

/** The sets whose keys tolerate nobody else, in check order. */
const EXCLUSIVE_SETS = ['nWrite', 'eWrite', 'aWrite', 'bIn', 'bOut'] as const;

/** The warp of the first write or port in check order. */
export function firstWriteWarp(footprint: Footprint): Id | undefined {
  for (const set of EXCLUSIVE_SETS) if (footprint[set].length > 0) return footprint[set][0]!.warp;
  return undefined;
}

/** The first write or port in check order that is not in this warp. */
export function writeOutside(footprint: Footprint, warp: Id): { set: string; key: ResourceKey } | undefined {
  for (const set of EXCLUSIVE_SETS) {
    const keys: readonly ResourceKey[] = footprint[set];
    for (let at = 0; at < keys.length; at++) {
      const key = keys[at]!;
      if (key.warp !== warp && compareIds(key.warp, warp) !== 0) return { set, key };
    }
  }
  return undefined;
}
