import { badKey, KeyReader } from '../keys/key-forms.js';
import { comparisonOf, type KeyComparison } from '../keys/key-order.js';
import type { Category, ResourceKey } from '../keys/resource-keys.js';
import { RewriteInputError } from '../keys/rewrite-errors.js';
import type { Footprint, FootprintSets } from './footprint-sets.js';
import { nearestName } from './nearest-name.js';
import { usePacker } from './packed-uses.js';
import { type CanonicalFootprint, isCanonical, isRich, sealFootprint } from './sealed-footprint.js';

const ALL_FACTORS = (1n << 64n) - 1n;
const EMPTY: readonly never[] = Object.freeze([]);

/**
 * A footprint from sets of keys: checked, copied, ordered, freed of duplicates and frozen. Bytes are copied too, so buffers may be reused
 * afterwards. Without `factorMask` all 64 bits are set. Throws 'unknown-set' for a set of another name, 'bad-key' or 'bad-mask'. It does
 * not compare warps with a scope; a scheduler does that when it receives the rewrite.
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
  refuseUnknownSets(sets);
  const reader = new KeyReader();
  const read = <Key extends ResourceKey>(category: Category, field: string, keys: Iterable<Key> | undefined) =>
    keys === undefined ? EMPTY : orderedSet<Key>(reader, category, field, keys);
  const made = {
    nRead: read('node', 'nRead', sets.nRead),
    nAdd: read('node', 'nAdd', sets.nAdd),
    nWrite: read('node', 'nWrite', sets.nWrite),
    eRead: read('edge', 'eRead', sets.eRead),
    eAdd: read('edge', 'eAdd', sets.eAdd),
    eWrite: read('edge', 'eWrite', sets.eWrite),
    aRead: read('attachment', 'aRead', sets.aRead),
    aAdd: read('attachment', 'aAdd', sets.aAdd),
    aWrite: read('attachment', 'aWrite', sets.aWrite),
    bIn: read('port', 'bIn', sets.bIn),
    bOut: read('port', 'bOut', sets.bOut),
    factorMask: checkedMask(sets.factorMask ?? ALL_FACTORS),
  };
  return seal(made, reader.sawPath || hasAdds(made));
}

const setNames = [
  ...['nRead', 'nAdd', 'nWrite', 'eRead', 'eAdd', 'eWrite', 'aRead', 'aAdd', 'aWrite'],
  ...['bIn', 'bOut', 'factorMask'],
];
const knownNames: ReadonlySet<string> = new Set(setNames);

/** A misspelt set would be ignored, and the rewrite would run beside others that touch the same keys. */
function refuseUnknownSets(sets: FootprintSets): void {
  for (const name of Object.keys(sets)) {
    if (knownNames.has(name)) continue;
    const nearest = nearestName(name, setNames);
    throw new RewriteInputError(
      'unknown-set',
      `footprint has no set "${name}", nearest is "${nearest}"; the sets are ${setNames.join(', ')}`,
      { field: name, nearest },
    );
  }
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
  const made = {
    nRead: merge('node', one.nRead, two.nRead),
    nAdd: merge('node', one.nAdd, two.nAdd),
    nWrite: merge('node', one.nWrite, two.nWrite),
    eRead: merge('edge', one.eRead, two.eRead),
    eAdd: merge('edge', one.eAdd, two.eAdd),
    eWrite: merge('edge', one.eWrite, two.eWrite),
    aRead: merge('attachment', one.aRead, two.aRead),
    aAdd: merge('attachment', one.aAdd, two.aAdd),
    aWrite: merge('attachment', one.aWrite, two.aWrite),
    bIn: merge('port', one.bIn, two.bIn),
    bOut: merge('port', one.bOut, two.bOut),
    factorMask: one.factorMask | two.factorMask,
  };
  return seal(made, isRich(one) || isRich(two));
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

/** Sorts in place only if needed: most callers pass few keys, already in order. */
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
function seal(sets: Footprint, rich: boolean): CanonicalFootprint {
  const place = rich ? usePacker.packRich(sets) : usePacker.pack(sets);
  return sealFootprint(sets, usePacker.chunk, place);
}

function hasAdds({ nAdd, eAdd, aAdd }: Footprint): boolean {
  return nAdd.length > 0 || eAdd.length > 0 || aAdd.length > 0;
}
