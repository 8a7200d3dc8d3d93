import type { Segment } from '../keys/resource-keys.js';

/** What a use does, as a number. */
export const MODE = { read: 0, write: 1, add: 2 } as const;

/** Instead of a mode to mark: another use of the same key marks for this one too. */
export const NO_MARK = 3;

/** What a use reaches. `flat` has the number of a resource, the others the number of a place in the path table. */
export const REACH = { flat: 0, point: 1, subtree: 2, range: 3 } as const;

/** The bounds of a range; a missing one is open. */
export interface Bounds {
  readonly from: Segment | undefined;
  readonly to: Segment | undefined;
}

/** One use of a point, subtree or range; `bounds` are there for a range. */
export interface PathUse {
  readonly reach: number;
  readonly mode: number;
  readonly place: number;
  readonly bounds: Bounds | undefined;
}

/** Words of a compiled use. */
export const USE_WORDS = 3;

/**
 * The uses of a rich footprint in the numbers of one interner, in check order. A use is three words: `reach * 16 + mark * 4 + mode`, the
 * number of its resource if it is one (a flat key or a point), and the number of its place if it has a path. `mode` is what it is
 * checked as, `mark` what it leaves behind: a key that is added to and read tolerates nobody, so its add marks a write and its
 * read marks nothing.
 */
export interface CompiledUses {
  readonly words: Uint32Array;
  readonly count: number;
  /** By the position of a use: the bounds of those that are ranges. Empty without ranges. */
  readonly bounds: readonly (Bounds | undefined)[];
  /**
   * Where the looks upwards begin, each `place * 4 + mode` once: the place above a point or subtree, the place of a range. The keys of a
   * footprint mostly stand beside each other, so that one look upwards is enough for all of them.
   */
  readonly checkedAbove: Uint32Array;
  /** The same for what is marked upwards. */
  readonly markedAbove: Uint32Array;
  /** The same uses by their reach, one word each, for loops that look at nothing else; null when a key is both added to and read. */
  readonly sorted: SortedUses | null;
}

/** Uses by their reach. */
export interface SortedUses {
  /** `resource * 4 + mode` of flat keys and points. */
  readonly singles: Uint32Array;
  /** The places of the points among them. */
  readonly pointPlaces: Uint32Array;
  /** `place * 4 + mode`. */
  readonly subtrees: Uint32Array;
  /** The positions of ranges among the compiled uses. */
  readonly ranges: Uint32Array;
}

/** Sorts compiled words by their reach. */
export function sortUses(words: Uint32Array): SortedUses | null {
  const [singles, pointPlaces, subtrees, ranges] = [[], [], [], []] as [number[], number[], number[], number[]];
  for (let at = 0; at < words.length; at += USE_WORDS) {
    const [reach, mode] = [words[at]! >>> 4, words[at]! & 3];
    if (((words[at]! >>> 2) & 3) !== mode) return null;
    if (reach <= REACH.point) singles.push(words[at + 1]! * 4 + mode);
    if (reach === REACH.point) pointPlaces.push(words[at + 2]!);
    if (reach === REACH.subtree) subtrees.push(words[at + 2]! * 4 + mode);
    if (reach === REACH.range) ranges.push(at / USE_WORDS);
  }
  return {
    singles: Uint32Array.from(singles),
    pointPlaces: Uint32Array.from(pointPlaces),
    subtrees: Uint32Array.from(subtrees),
    ranges: Uint32Array.from(ranges),
  };
}

/** Whether two uses of one resource tolerate each other: both read or both add. */
export function tolerates(a: number, b: number): boolean {
  return a === b && a !== MODE.write;
}
