import type { Id } from '../keys/resource-keys.js';
import type { RichUses } from './rich-uses.js';

/** Instead of a warp: writes and ports are in more than one, so that the footprint fits no scope. */
export const SEVERAL_WARPS: unique symbol = Symbol('horae.several-warps');

/** The values of a chunk: warps and texts, the two answers that are not a warp, and the uses of footprints with adds or paths. */
export type ChunkValue = Id | typeof SEVERAL_WARPS | RichUses | undefined;

/** Positions in `values` of the answers that are not a warp: nothing is written, or in several warps. */
export const NO_WARP_AT = 0;
export const SEVERAL_WARPS_AT = 1;

/**
 * The numbers of a few dozen footprints that were made one after the other, dense, because a reserve over many rewrites
 * spends its time on waiting for memory. A chunk lives as long as one of its footprints.
 */
export class FootprintChunk {
  readonly values: ChunkValue[] = [undefined, SEVERAL_WARPS];
  /** Every footprint's piece: the entries named below, then a code per use, for the interner that saw the footprint last. */
  readonly codes: Uint32Array;
  /** Every footprint's uses, for interners that have not seen them yet; `packed-uses` defines their form. */
  readonly uses: Uint32Array;

  constructor(codeWords: number, useWords: number) {
    this.codes = new Uint32Array(codeWords);
    this.uses = new Uint32Array(useWords);
  }
}

// The first entries of a piece of `codes`.
/** The serial number of the interner that the codes are for; 0 for none, `RICH` for a footprint without codes. */
export const OWNER = 0;
/** Above every serial number, so that the check of the owner sends footprints with adds or paths to the slower path. */
export const RICH = 2 ** 31;
/** Where the codes end. */
export const END = 1;
/** Position of the warp of all writes and ports in `values`. */
export const WRITE_WARP = 2;
/** Where the footprint begins in `uses`; of a rich one, the position of its `RichUses` in `values`. */
export const USES = 3;
export const FIRST_CODE = 4;

// The piece of a rich footprint has more entries, and lists one after the other, written when an interner numbers the keys:
// codes of single resources that are read or written, single resources that are added to, subtrees (`place * 4 + mode`), ranges (the
// same and the number of the bounds), the places directly above points and subtrees and those of ranges (`place * 4 + mode`, each
// once), and the places of the points. The last list ends at `END`.
/** The serial number of the interner that the lists are for; 0 for none. */
export const RICH_OWNER = 4;
/** Where the codes end and the adds begin; 0 without lists: a key that is both added to and read does not fit into them. */
export const RICH_ADDS = 5;
export const RICH_SUBTREES = 6;
export const RICH_RANGES = 7;
export const RICH_ABOVE = 8;
export const RICH_POINTS = 9;
export const RICH_FIRST_CODE = 10;
/** Words that a use takes at most in these lists: a range and its place. */
export const MAX_RICH_WORDS = 3;
