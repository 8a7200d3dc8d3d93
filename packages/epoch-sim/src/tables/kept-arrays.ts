import type { Column } from './columns.js';

/** Longer arrays are not kept. */
const MAX_KEPT = 1 << 20;

/**
 * Arrays for passing use that are kept from one call to the next: fresh memory of this size costs more than the work that is done in it.
 * What `take` returns may hold anything, and is returned again to the next caller with the same name.
 */
export class KeptArrays<Kinds extends Record<string, Column | Uint32Array>> {
  readonly #arrays: Kinds;

  /** Gives each name its type by an array, which may be empty. */
  constructor(arrays: Kinds) {
    this.#arrays = arrays;
  }

  take<Name extends keyof Kinds>(name: Name, length: number): Kinds[Name] {
    let array = this.#arrays[name] as Kinds[Name];
    if (array.length < length) {
      array = new (array.constructor as new (length: number) => Kinds[Name])(length);
      if (length <= MAX_KEPT) this.#arrays[name] = array;
    }
    return array.subarray(0, length) as Kinds[Name];
  }
}
