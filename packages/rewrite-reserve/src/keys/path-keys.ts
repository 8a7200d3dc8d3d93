import type { NodeKey, Path, PathKey, ResourceKey, Segment } from './resource-keys.js';

/** Longest path, in segments. */
export const MAX_SEGMENTS = 64;

/** Whether a key of a node, edge or attachment contains a path. */
export function isPathKey(key: ResourceKey): key is PathKey {
  const { id, path } = key as NodeKey;
  return path !== undefined || Array.isArray(id);
}

/** The path of a point, or the path below which a subtree or range lies. */
export function pathOf(key: PathKey): Path {
  return key.path ?? key.id;
}

/** Numbers before texts, numbers by value, texts by their UTF-16 units as `<` does. */
export function compareSegments(a: Segment, b: Segment): number {
  if (typeof a === 'number') return typeof b === 'number' ? a - b : -1;
  if (typeof b === 'number') return 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** By segments, a path before what it begins; at the same path the point, then ranges by their bounds, then the subtree. */
export function comparePathKeys(a: PathKey, b: PathKey): number {
  return comparePaths(pathOf(a), pathOf(b)) || rankOf(a) - rankOf(b) || compareBounds(a, b);
}

/** Whether some resource belongs to both keys, which are of one category and one warp. */
export function pathsIntersect(a: PathKey, b: PathKey): boolean {
  const [outer, inner] = pathOf(a).length <= pathOf(b).length ? [a, b] : [b, a];
  const outerPath = pathOf(outer);
  const innerPath = pathOf(inner);
  if (!begins(outerPath, innerPath)) return false;
  if (outerPath.length < innerPath.length) return reachesBelow(outer, innerPath[outerPath.length]!);
  if (isRange(a)) return isRange(b) ? endsAfter(a.to, b.from) && endsAfter(b.to, a.from) : b.subtree === true;
  return !isRange(b) || a.subtree === true;
}

/** Whether every resource of `inner` belongs to `outer`; both are of one category and one warp. */
export function pathCovers(outer: PathKey, inner: PathKey): boolean {
  const outerPath = pathOf(outer);
  const innerPath = pathOf(inner);
  if (!begins(outerPath, innerPath)) return false;
  if (outerPath.length < innerPath.length) return reachesBelow(outer, innerPath[outerPath.length]!);
  if (outer.subtree === true) return true;
  if (!isRange(outer)) return isPoint(inner);
  return isRange(inner) && !startsBefore(inner, outer) && !endsLater(inner, outer);
}

/** Whether a segment is in the half-open interval; a missing bound is open. */
export function inBounds(segment: Segment, from: Segment | undefined, to: Segment | undefined): boolean {
  return (from === undefined || compareSegments(segment, from) >= 0) && endsAfter(to, segment);
}

/** Whether an interval that ends before `to` reaches beyond the start `from` of another. */
export function endsAfter(to: Segment | undefined, from: Segment | undefined): boolean {
  return to === undefined || from === undefined || compareSegments(to, from) > 0;
}

/** Whether everything below the child `segment` of the key's path belongs to the key. */
function reachesBelow(key: PathKey, segment: Segment): boolean {
  return key.subtree === true || (isRange(key) && inBounds(segment, key.from, key.to));
}

function begins(path: Path, longer: Path): boolean {
  for (let at = 0; at < path.length; at++) if (path[at] !== longer[at]) return false;
  return true;
}

function comparePaths(a: Path, b: Path): number {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at++) {
    const order = compareSegments(a[at]!, b[at]!);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** An open start stands first, an open end last. */
function compareBounds(a: PathKey, b: PathKey): number {
  if (a.from !== b.from) {
    if (a.from === undefined) return -1;
    return b.from === undefined ? 1 : compareSegments(a.from, b.from);
  }
  if (a.to === b.to) return 0;
  if (a.to === undefined) return 1;
  return b.to === undefined ? -1 : compareSegments(a.to, b.to);
}

function startsBefore(inner: PathKey, outer: PathKey): boolean {
  if (outer.from === undefined) return false;
  return inner.from === undefined || compareSegments(inner.from, outer.from) < 0;
}

function endsLater(inner: PathKey, outer: PathKey): boolean {
  if (outer.to === undefined) return false;
  return inner.to === undefined || compareSegments(inner.to, outer.to) > 0;
}

const isPoint = (key: PathKey): boolean => key.path === undefined;
const isRange = (key: PathKey): boolean => key.path !== undefined && key.subtree !== true;
const rankOf = (key: PathKey): number => (isPoint(key) ? 0 : isRange(key) ? 1 : 2);
