import type { Footprint } from './footprint-sets.js';
import type { Id, ResourceKey } from './resource-keys.js';

/** A footprint as numbers: `codes[start..end)`, one code per use in check order, made for the interner `owner`. */
export interface CompiledFootprint {
  readonly owner: object | undefined;
  readonly codes: Uint32Array;
  readonly start: number;
  readonly end: number;
}

/** A write or port and the set it is in. */
export interface PlacedWrite {
  readonly set: string;
  readonly key: ResourceKey;
}

const NO_CODES = new Uint32Array(0);

/**
 * What is known about a footprint besides its sets. The numbers are those for the interner that saw the footprint last; they
 * stand here, and not in a map of the interner, because every reserve reads them and each step of the way there is a cache
 * line.
 */
export class FootprintFacts implements CompiledFootprint {
  /** The warp of `firstWrite`; the one thing about writes that every reserve looks at. */
  readonly writeWarp: Id | undefined;
  owner: object | undefined = undefined;
  codes: Uint32Array = NO_CODES;
  start = 0;
  end = 0;

  constructor(
    /** The first write or port in check order. Undefined for a footprint that only reads. */
    readonly firstWrite: PlacedWrite | undefined,
    /** The first write or port that is in another warp than `firstWrite`: such a footprint fits no scope. */
    readonly strayWrite: PlacedWrite | undefined,
  ) {
    this.writeWarp = firstWrite?.key.warp;
  }

  /** Takes over the numbers of another interner. */
  adopt({ owner, codes, start, end }: CompiledFootprint): void {
    this.owner = owner;
    this.codes = codes;
    this.start = start;
    this.end = end;
  }
}

/** Marks what `footprint()` has made. Not enumerable, so copies and clones of a footprint do not carry it. */
const FACTS: unique symbol = Symbol('horae.footprint-facts');

/** A footprint that is known to be frozen, ordered and free of duplicates. */
export interface CanonicalFootprint extends Footprint {
  readonly [FACTS]: FootprintFacts;
}

/** Whether `value` was made by `footprint()`. Anything else has to be read again before it is trusted. */
export function isCanonical(value: object): value is CanonicalFootprint {
  return (value as Partial<CanonicalFootprint>)[FACTS] !== undefined;
}

/** What is known about a footprint besides its sets. */
export function factsOf(canonical: CanonicalFootprint): FootprintFacts {
  return canonical[FACTS];
}

/** Freezes `sets` and puts the facts on it. */
export function sealFootprint(sets: Footprint, facts: FootprintFacts): CanonicalFootprint {
  Object.defineProperty(sets, FACTS, { value: facts });
  return Object.freeze(sets) as CanonicalFootprint;
}
