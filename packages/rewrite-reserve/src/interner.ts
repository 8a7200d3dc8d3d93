import { invariant } from '@horae/clock-store';
import { END, FIRST_CODE, type FootprintChunk, OWNER, USES } from './footprint-chunk.js';
import { NAME_WORDS, writeNameWords } from './name-words.js';
import { EXCLUSIVE_SHIFT, FORM, KIND_MASK, TAG, WARP_SHIFT } from './packed-uses.js';
import type { Id } from './resource-keys.js';
import { ResourceTable } from './resource-table.js';
import { RewriteArgumentError } from './rewrite-errors.js';
import { type CanonicalFootprint, chunkOf, placeOf } from './sealed-footprint.js';

/**
 * Gives every key a small number, once. Opaque: make one with `createInterner` and hand it to any number of schedulers that
 * see the same keys. It keeps a copy of every key it has seen for as long as it lives.
 */
export interface Interner {
  /** How many keys (and warps) it has seen. For watching memory; it decides nothing. */
  readonly size: number;
}

/** A new, empty interner. */
export function createInterner(): Interner {
  return new KeyInterner();
}

/** The interner behind the opaque face; throws for anything that `createInterner` has not made. */
export function openInterner(interner: Interner): KeyInterner {
  if (interner instanceof KeyInterner) return interner;
  throw new RewriteArgumentError('interner must come from createInterner()', { field: 'interner', value: interner });
}

// A header is number of the warp * 32 + tag * 4 + form of the name.
const HEADERS_PER_WARP = KIND_MASK + 1;
const MAX_WARPS = 2 ** 32 / HEADERS_PER_WARP;

/** Interners made so far: each has a number of its own, which footprints are marked with. */
let interners = 0;

export class KeyInterner implements Interner {
  private readonly serial = ++interners;
  private readonly table = new ResourceTable((header) => (header & 3) === FORM.bytes);
  private readonly texts = new Map<string, number>();
  private readonly warpName = new Uint32Array(NAME_WORDS);
  private lastWarp: Id | undefined;
  private lastWarpNumber = 0;

  get size(): number {
    return this.table.size;
  }

  /**
   * Makes the codes of a footprint those of this interner. They stay with it until another interner asks for the same
   * footprint: taking turns costs looking the keys up again. (A weak map per interner would keep both, and costs the
   * garbage collector far more than that.)
   */
  compile(footprint: CanonicalFootprint): void {
    const chunk = chunkOf(footprint);
    const place = placeOf(footprint);
    if (chunk.codes[place + OWNER] === this.serial) return;
    this.number(chunk, place);
    chunk.codes[place + OWNER] = this.serial;
  }

  /** Writes the codes of a piece: `resource * 2 + 1` for an exclusive use, `resource * 2` for a read. */
  private number({ codes, uses, values }: FootprintChunk, place: number): void {
    const { table } = this;
    const end = codes[place + END]!;
    let at = codes[place + USES]!;
    let warp = -1;
    let firstHeader = 0;
    for (let to = place + FIRST_CODE; to < end; to++) {
      const head = uses[at]!;
      if (head >>> WARP_SHIFT !== warp) {
        warp = head >>> WARP_SHIFT;
        firstHeader = this.warp(values[warp] as Id) * HEADERS_PER_WARP;
      }
      const header = firstHeader + (head & KIND_MASK);
      const form = head & 3;
      let resource: number;
      if (form === FORM.bytes) {
        resource = table.ofName(header, uses, at + 1);
        at += 1 + NAME_WORDS;
      } else if (form === FORM.port) {
        resource = table.ofWords(header, uses[at + 1]!, uses[at + 2]!);
        at += 3;
      } else {
        const payload = uses[at + 1]!;
        resource = table.ofWords(header, form === FORM.text ? this.text(values[payload] as string) : payload, 0);
        at += 2;
      }
      codes[to] = resource * 2 + ((head >>> EXCLUSIVE_SHIFT) & 1);
    }
  }

  private warp(warp: Id): number {
    // Canonical keys own their bytes, so the same object is the same warp.
    if (warp === this.lastWarp) return this.lastWarpNumber;
    const number = this.numberOfWarp(warp);
    invariant(number < MAX_WARPS, 'a warp is first seen among the first 2^27 resources of an interner');
    this.lastWarp = warp;
    this.lastWarpNumber = number;
    return number;
  }

  private numberOfWarp(warp: Id): number {
    const kind = TAG.warp * 4;
    if (typeof warp === 'number') return this.table.ofWords(kind + FORM.number, warp, 0);
    if (typeof warp === 'string') return this.table.ofWords(kind + FORM.text, this.text(warp), 0);
    writeNameWords(warp, this.warpName, 0);
    return this.table.ofName(kind + FORM.bytes, this.warpName, 0);
  }

  private text(id: string): number {
    let number = this.texts.get(id);
    if (number === undefined) {
      number = this.texts.size;
      this.texts.set(id, number);
    }
    return number;
  }
}
