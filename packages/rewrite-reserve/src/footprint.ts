import type { Footprint, FootprintSets } from './footprint-sets.js';
import { badKey, KeyReader } from './key-forms.js';
import { comparisonOf, type KeyComparison } from './key-order.js';
import { usePacker } from './packed-uses.js';
import type { Category, ResourceKey } from './resource-keys.js';
import { RewriteInputError } from './rewrite-errors.js';
import { type CanonicalFootprint, isCanonical, sealFootprint } from './sealed-footprint.js';

const ALL_FACTORS = (1n << 64n) - 1n;
const EMPTY: readonly never[] = Object.freeze([]);

/**
 * A footprint from sets of keys: checked, copied, ordered, freed of duplicates and frozen. Bytes are copied too, so buffers
 * may be reused afterwards. Without `factorMask` all 64 bits are set. Throws 'bad-key' or 'bad-mask'. It does not compare
 * warps with a scope; that is done when a rewrite is handed to a scheduler.
 */
export function footprint(sets: FootprintSets = {}): Footprint {
  return canonicalFootprint(sets);
}

/** The footprint itself if `footprint()` made it, otherwise one made from its sets now. */
export function canonicalFootprint(sets: FootprintSets): CanonicalFootprint {
  if (typeof sets !== 'object' || sets === null)
    throw badKey('footprint', sets, 'use footprint({ nRead, nWrite, ... })');
  return isCanonical(sets) ? sets : readFootprint(sets);
}

/** Apart from the way that every reserve takes: what the inner function remembers would be allocated there too. */
function readFootprint(sets: FootprintSets): CanonicalFootprint {
  const reader = new KeyReader();
  const read = <Key extends ResourceKey>(category: Category, field: string, keys: Iterable<Key> | undefined) =>
    keys === undefined ? EMPTY : orderedSet<Key>(reader, category, field, keys);
  return seal({
    nRead: read('node', 'nRead', sets.nRead),
    nWrite: read('node', 'nWrite', sets.nWrite),
    eRead: read('edge', 'eRead', sets.eRead),
    eWrite: read('edge', 'eWrite', sets.eWrite),
    aRead: read('attachment', 'aRead', sets.aRead),
    aWrite: read('attachment', 'aWrite', sets.aWrite),
    bIn: read('port', 'bIn', sets.bIn),
    bOut: read('port', 'bOut', sets.bOut),
    factorMask: checkedMask(sets.factorMask ?? ALL_FACTORS),
  });
}

/** One footprint that covers both: sets united, masks OR-ed. */
export function union(a: Footprint, b: Footprint): Footprint {
  const one = canonicalFootprint(a);
  const two = canonicalFootprint(b);
  const merge = <Key extends ResourceKey>(category: Category, left: readonly Key[], right: readonly Key[]) => {
    if (right.length === 0) return left;
    return left.length === 0
      ? right
      : Object.freeze(sortedWithoutDuplicates([...left, ...right], comparisonOf(category)));
  };
  return seal({
    nRead: merge('node', one.nRead, two.nRead),
    nWrite: merge('node', one.nWrite, two.nWrite),
    eRead: merge('edge', one.eRead, two.eRead),
    eWrite: merge('edge', one.eWrite, two.eWrite),
    aRead: merge('attachment', one.aRead, two.aRead),
    aWrite: merge('attachment', one.aWrite, two.aWrite),
    bIn: merge('port', one.bIn, two.bIn),
    bOut: merge('port', one.bOut, two.bOut),
    factorMask: one.factorMask | two.factorMask,
  });
}

function orderedSet<Key extends ResourceKey>(
  reader: KeyReader,
  category: Category,
  field: string,
  keys: Iterable<Key>,
): readonly Key[] {
  if (typeof keys !== 'object' || keys === null || typeof keys[Symbol.iterator] !== 'function') {
    throw badKey(field, keys, 'use an array or another iterable of keys');
  }
  const own: Key[] = [];
  for (const key of keys) own.push(reader.read(category, key, field) as Key);
  return Object.freeze(sortedWithoutDuplicates(own, comparisonOf(category)));
}

/** Sorts in place only if needed: most callers hand over few keys, already in order. */
function sortedWithoutDuplicates<Key extends ResourceKey>(keys: Key[], compare: KeyComparison<ResourceKey>): Key[] {
  if (isStrictlyAscending(keys, compare)) return keys;
  keys.sort(compare);
  return keys.filter((key, at) => at === 0 || compare(keys[at - 1]!, key) !== 0);
}

function isStrictlyAscending(keys: readonly ResourceKey[], compare: KeyComparison<ResourceKey>): boolean {
  for (let at = 1; at < keys.length; at++) if (compare(keys[at - 1]!, keys[at]!) >= 0) return false;
  return true;
}

function checkedMask(mask: unknown): bigint {
  if (typeof mask === 'bigint' && mask >= 0n && mask <= ALL_FACTORS) return mask;
  throw new RewriteInputError('bad-mask', `factorMask is a bigint from 0 to 2^64 - 1, got ${String(mask)}`, {
    field: 'factorMask',
    value: mask,
  });
}

/** Writes the numbers of the footprint down while the keys are at hand. */
function seal(sets: Footprint): CanonicalFootprint {
  const place = usePacker.pack(sets);
  return sealFootprint(sets, usePacker.chunk, place);
}
