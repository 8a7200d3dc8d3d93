import { compareIds, comparisonOf, indexOfKey, type KeyComparison } from '../keys/key-order.js';
import type { Category, Id, ResourceKey } from '../keys/resource-keys.js';
import type { Footprint } from './footprint-sets.js';

/** The use of a key by a rewrite. Reads tolerate reads, adds tolerate adds, a write tolerates no other use; a port is a write. */
export type UseMode = 'write' | 'add' | 'read';

/** One use of one key. */
export interface Use {
  readonly category: Category;
  readonly mode: UseMode;
  readonly key: ResourceKey;
  /** Whether the footprint adds to this key and reads it: there is a use for each of the two. */
  readonly addedAndRead: boolean;
}

/**
 * Visits every resource of a footprint without adds once, in check order: node writes, node reads, edge writes, edge reads, attachment
 * writes, attachment reads, ports in, ports out; inside a set in key order. A key that is read and written is visited as its write, a port
 * that is in and out as its in. "The n-th use" always refers to this order.
 */
export function forEachUse(
  footprint: Footprint,
  visit: (category: Category, exclusive: boolean, key: ResourceKey) => void,
): void {
  visitSet('node', true, footprint.nWrite, NONE, visit);
  visitSet('node', false, footprint.nRead, footprint.nWrite, visit);
  visitSet('edge', true, footprint.eWrite, NONE, visit);
  visitSet('edge', false, footprint.eRead, footprint.eWrite, visit);
  visitSet('attachment', true, footprint.aWrite, NONE, visit);
  visitSet('attachment', false, footprint.aRead, footprint.aWrite, visit);
  visitSet('port', true, footprint.bIn, NONE, visit);
  visitSet('port', true, footprint.bOut, footprint.bIn, visit);
}

const NONE: readonly never[] = [];

/**
 * The uses of a footprint in check order: in every category writes, then adds, then reads. A key in the write set is only its
 * write. A key that is added to and read is in the list twice: neither use includes the other.
 */
export function usesOf(footprint: Footprint): Use[] {
  const uses: Use[] = [];
  for (const category of WITH_ADDS) {
    const { reads, adds, writes } = setsOf(footprint, category);
    const put = (mode: UseMode, others: readonly ResourceKey[]) => (_: Category, __: boolean, key: ResourceKey) =>
      uses.push({ category, mode, key, addedAndRead: contains(category, others, key) });
    visitSet(category, true, writes, NONE, put('write', NONE));
    visitSet(category, true, adds, writes, put('add', reads));
    visitSet(category, false, reads, writes, put('read', adds));
  }
  const putPort = (category: Category, _: boolean, key: ResourceKey) =>
    uses.push({ category, mode: 'write', key, addedAndRead: false });
  visitSet('port', true, footprint.bIn, NONE, putPort);
  visitSet('port', true, footprint.bOut, footprint.bIn, putPort);
  return uses;
}

/** The categories whose keys are read, added to and written. */
const WITH_ADDS = ['node', 'edge', 'attachment'] as const;

/** Whether a set has this very key. */
export function contains(category: Category, keys: readonly ResourceKey[], key: ResourceKey): boolean {
  return keys.length > 0 && indexOfKey(keys, key, comparisonOf(category)) !== -1;
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

/** The three sets of a category that has them. */
export function setsOf(
  declared: Footprint,
  category: 'node' | 'edge' | 'attachment',
): Record<'reads' | 'adds' | 'writes', readonly ResourceKey[]> {
  if (category === 'node') return { reads: declared.nRead, adds: declared.nAdd, writes: declared.nWrite };
  if (category === 'edge') return { reads: declared.eRead, adds: declared.eAdd, writes: declared.eWrite };
  return { reads: declared.aRead, adds: declared.aAdd, writes: declared.aWrite };
}

/** The sets that must lie in the warp of the scope, in check order. */
const CHANGING_SETS = ['nWrite', 'nAdd', 'eWrite', 'eAdd', 'aWrite', 'aAdd', 'bIn', 'bOut'] as const;

/** The warp of the first write, add or port in check order. */
export function firstWriteWarp(footprint: Footprint): Id | undefined {
  for (const set of CHANGING_SETS) if (footprint[set].length > 0) return footprint[set][0]!.warp;
  return undefined;
}

/** The first write, add or port in check order that is not in this warp. */
export function writeOutside(footprint: Footprint, warp: Id): { set: string; key: ResourceKey } | undefined {
  for (const set of CHANGING_SETS) {
    const keys: readonly ResourceKey[] = footprint[set];
    for (let at = 0; at < keys.length; at++) {
      const key = keys[at]!;
      if (key.warp !== warp && compareIds(key.warp, warp) !== 0) return { set, key };
    }
  }
  return undefined;
}
