import {
  type ChunkValue,
  END,
  FIRST_CODE,
  type FootprintChunk,
  OWNER,
  RICH,
  USES,
  WRITE_WARP,
} from './footprint-chunk.js';
import type { Footprint } from './footprint-sets.js';
import type { RichUses } from './rich-uses.js';

// Marks of what `footprint()` has made. Not enumerable, so copies and clones of a footprint do not carry them.
const CHUNK: unique symbol = Symbol('horae.footprint-chunk');
const PLACE: unique symbol = Symbol('horae.footprint-place');

/** Inherited while empty. */
const ADD_SETS = ['nAdd', 'eAdd', 'aAdd'] as const;

/** A footprint that is known to be frozen, ordered and free of duplicates. */
export interface CanonicalFootprint extends Footprint {
  readonly [CHUNK]: FootprintChunk;
  readonly [PLACE]: number;
}

/** Whether `value` was made by `footprint()`. Anything else has to be read again before it is trusted. */
export function isCanonical(value: object): value is CanonicalFootprint {
  return (value as Partial<CanonicalFootprint>)[CHUNK] !== undefined;
}

/** Where the numbers of a footprint are. */
export function chunkOf(footprint: CanonicalFootprint): FootprintChunk {
  return footprint[CHUNK];
}

/** Where its piece begins in the `codes` of its chunk. */
export function placeOf(footprint: CanonicalFootprint): number {
  return footprint[PLACE];
}

/** The array that its codes are in, once an interner has compiled it: from `codesStart` to before `codesEnd`. */
export function codesOf(footprint: CanonicalFootprint): Uint32Array {
  return footprint[CHUNK].codes;
}

export function codesStart(footprint: CanonicalFootprint): number {
  return footprint[PLACE] + FIRST_CODE;
}

export function codesEnd(footprint: CanonicalFootprint): number {
  return footprint[CHUNK].codes[footprint[PLACE] + END]!;
}

/** The warp of all writes and ports; undefined when there are none: such a footprint fits every scope. */
export function writeWarpOf(footprint: CanonicalFootprint): ChunkValue {
  const { codes, values } = footprint[CHUNK];
  return values[codes[footprint[PLACE] + WRITE_WARP]!];
}

/** Whether a footprint has adds or paths: its uses are objects, and it has no codes. */
export function isRich(footprint: CanonicalFootprint): boolean {
  return footprint[CHUNK].codes[footprint[PLACE] + OWNER]! >= RICH;
}

/** The uses of a rich footprint. */
export function richUsesOf(footprint: CanonicalFootprint): RichUses {
  const { codes, values } = footprint[CHUNK];
  return values[codes[footprint[PLACE] + USES]!] as RichUses;
}

/** A frozen footprint of these sets whose numbers are at `place` of `chunk`. */
export function sealFootprint(sets: Footprint, chunk: FootprintChunk, place: number): CanonicalFootprint {
  return Object.freeze(new SealedFootprint(sets, chunk, place));
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/**
 * A plain object that was made by a constructor and whose first properties are the marks. The engine keeps the properties of such
 * an object inside of it; those that are added to a finished literal stand in an array outside, one more cache line away.
 */
const SealedFootprint = function (this: Writable<Footprint>, sets: Footprint, chunk: FootprintChunk, place: number) {
  Object.defineProperty(this, CHUNK, { value: chunk });
  Object.defineProperty(this, PLACE, { value: place });
  this.nRead = sets.nRead;
  this.nWrite = sets.nWrite;
  this.eRead = sets.eRead;
  this.eWrite = sets.eWrite;
  this.aRead = sets.aRead;
  this.aWrite = sets.aWrite;
  this.bIn = sets.bIn;
  this.bOut = sets.bOut;
  this.factorMask = sets.factorMask;
  for (const set of ADD_SETS) {
    if (sets[set].length > 0) Object.defineProperty(this, set, { value: sets[set], enumerable: true });
  }
} as unknown as new (
  sets: Footprint,
  chunk: FootprintChunk,
  place: number,
) => CanonicalFootprint;
const EMPTY_SET = { value: Object.freeze([]) };
SealedFootprint.prototype = Object.freeze(
  Object.create(Object.prototype, { nAdd: EMPTY_SET, eAdd: EMPTY_SET, aAdd: EMPTY_SET }),
);
