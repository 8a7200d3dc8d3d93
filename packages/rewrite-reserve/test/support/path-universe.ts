import type { Path, PathKey, ResourceKey, Segment } from '../../src/index.js';

// The package compares paths by their segments. This compares by what they contain: every path of up to four segments out of four
// is listed, and two keys meet exactly when some listed path belongs to both. Keys of tests are at most three segments deep.

/** In the order of segments: numbers before texts. */
export const SEGMENTS: readonly Segment[] = [0, 7, 'a', 'b'];

const nextDepth = (paths: readonly Path[]) => paths.flatMap((path) => SEGMENTS.map((segment) => [...path, segment]));
const depths = [1, 2, 3, 4].reduce<Path[][]>((all) => [...all, nextDepth(all.at(-1)!)], [[[]]]);

/** Every path of one to four segments. */
export const UNIVERSE: readonly Path[] = depths.slice(1).flat();

export function hasPath(key: ResourceKey): key is PathKey {
  return 'path' in key || ('id' in key && Array.isArray(key.id));
}

const rank = (segment: Segment) => SEGMENTS.indexOf(segment);

function belongs(path: Path, key: PathKey): boolean {
  const root = key.path ?? (key.id as Path);
  if (!root.every((segment, at) => path[at] === segment)) return false;
  if (key.path === undefined) return path.length === root.length;
  if (key.subtree === true) return true;
  if (path.length === root.length) return false;
  const next = rank(path[root.length]!);
  return next >= (key.from === undefined ? 0 : rank(key.from)) && next < (key.to === undefined ? 99 : rank(key.to));
}

const members = new Map<string, ReadonlySet<number>>();

/** The positions in the universe of what belongs to a key. */
export function membersOf(key: PathKey): ReadonlySet<number> {
  const text = JSON.stringify([key.id, key.path, key.subtree, key.from, key.to]);
  let found = members.get(text);
  if (found === undefined) {
    found = new Set(UNIVERSE.flatMap((path, at) => (belongs(path, key) ? [at] : [])));
    members.set(text, found);
  }
  return found;
}
