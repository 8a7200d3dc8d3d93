import { comparePathKeys, isPathKey } from './path-keys.js';
import type { AttachmentKey, Category, Id, NodeKey, PortKey, ResourceKey } from './resource-keys.js';

/** How two keys of one category stand: negative, zero for equal by value, positive. */
export type KeyComparison<Key> = (a: Key, b: Key) => number;

/** Bytes compared as unsigned numbers, first difference first; a prefix stands before what it begins. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  if (a === b) return 0;
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at++) {
    const difference = a[at]! - b[at]!;
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Numbers before bytes before texts; inside a form by value, texts by their UTF-16 units as `<` does. */
export function compareIds(a: Id, b: Id): number {
  if (typeof a === 'number') return typeof b === 'number' ? a - b : -1;
  if (typeof b === 'number') return 1;
  if (typeof a === 'string') {
    if (typeof b !== 'string') return 1;
    return a < b ? -1 : a > b ? 1 : 0;
  }
  return typeof b === 'string' ? -1 : compareBytes(a, b);
}

/** Nodes and edges: by warp, then flat ids before paths. */
export function compareNamed(a: NodeKey, b: NodeKey): number {
  const warps = compareIds(a.warp, b.warp);
  if (warps !== 0) return warps;
  if (isPathKey(a)) return isPathKey(b) ? comparePathKeys(a, b) : 1;
  return isPathKey(b) ? -1 : compareIds(a.id as Id, b.id as Id);
}

/** Attachments: owner ('node' first), warp, name, plane ('alpha' first). */
export function compareAttachments(a: AttachmentKey, b: AttachmentKey): number {
  if (a.owner !== b.owner) return a.owner === 'node' ? -1 : 1;
  const named = compareNamed(a, b);
  if (named !== 0) return named;
  return a.plane === b.plane ? 0 : a.plane === 'alpha' ? -1 : 1;
}

/** Ports: by warp, then by number. */
export function comparePorts(a: PortKey, b: PortKey): number {
  const warps = compareIds(a.warp, b.warp);
  if (warps !== 0) return warps;
  return a.port < b.port ? -1 : a.port > b.port ? 1 : 0;
}

/** The order of one category's keys. */
export function comparisonOf(category: Category): KeyComparison<ResourceKey> {
  if (category === 'port') return comparePorts as KeyComparison<ResourceKey>;
  if (category === 'attachment') return compareAttachments as KeyComparison<ResourceKey>;
  return compareNamed as KeyComparison<ResourceKey>;
}

/** Where `key` stands in a list in key order, or -1. */
export function indexOfKey<Key>(keys: readonly Key[], key: Key, compare: KeyComparison<Key>): number {
  let low = 0;
  let high = keys.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const order = compare(keys[middle]!, key);
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
