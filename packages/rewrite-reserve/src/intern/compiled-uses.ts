import type { Segment } from '../keys/resource-keys.js';

/** The mode of a use, as a number. */
export const MODE = { read: 0, write: 1, add: 2 } as const;

/** Instead of a mode to mark: another use of the same key marks for this one too. */
export const NO_MARK = 3;

/** The reach of a use. `flat` has the number of a resource, the others the number of a place in the path table. */
export const REACH = { flat: 0, point: 1, subtree: 2, range: 3 } as const;

/** The bounds of a range; a missing one is open. */
export interface Bounds {
  readonly from: Segment | undefined;
  readonly to: Segment | undefined;
}

/** One use of a point, subtree or range; `bounds` is the number of a range's bounds. */
export interface PathUse {
  readonly reach: number;
  readonly mode: number;
  readonly place: number;
  readonly bounds: number;
}

/** Words of a compiled use. */
export const USE_WORDS = 3;

/**
 * The uses of a rich footprint in the numbers of one interner, in check order. A use is three words: `reach * 16 + mark * 4 + mode`, the
 * number of its resource if it is one (a flat key or a point) or of its bounds if it is a range, and the number of its place if it has a
 * path. `mode` is what it is checked as, `mark` what it leaves behind: a key that is added to and read tolerates no other use, so its add
 * marks a write and its read marks nothing.
 */
export interface CompiledUses {
  readonly words: Uint32Array;
  readonly count: number;
  /**
   * Where the looks upwards begin, each `place * 4 + mode` once: the place above a point or subtree, the place of a range. The keys of a
   * footprint mostly stand beside each other, so that one look upwards is enough for all of them.
   */
  readonly above: Uint32Array;
}

/** The use of a path at `position`, as a use of this mode. */
export function pathUseAt({ words }: CompiledUses, position: number, mode: number): PathUse {
  const at = position * USE_WORDS;
  return { reach: words[at]! >>> 4, mode, place: words[at + 2]!, bounds: words[at + 1]! };
}

/** Whether two uses of one resource tolerate each other: both read or both add. */
export function tolerates(a: number, b: number): boolean {
  return a === b && a !== MODE.write;
}
