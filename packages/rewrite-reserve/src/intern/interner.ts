import { invariant } from '@horae/clock-store';
import {
  END,
  FIRST_CODE,
  type FootprintChunk,
  OWNER,
  RICH,
  RICH_ADDS,
  RICH_OWNER,
  USES,
} from '../footprint/footprint-chunk.js';
import { type Use, usesOf } from '../footprint/footprint-uses.js';
import { EXCLUSIVE_SHIFT, FORM, KIND_MASK, TAG, tagOf, WARP_SHIFT } from '../footprint/packed-uses.js';
import { type CanonicalFootprint, chunkOf, placeOf, richUsesOf } from '../footprint/sealed-footprint.js';
import { NAME_WORDS, writeNameWords } from '../keys/name-words.js';
import { isPathKey, pathOf } from '../keys/path-keys.js';
import type { Category, Id, PointKey, PortKey, RangeKey, ResourceKey } from '../keys/resource-keys.js';
import { RewriteArgumentError } from '../keys/rewrite-errors.js';
import { type CompiledUses, MODE, NO_MARK, REACH, USE_WORDS } from './compiled-uses.js';
import { NO_PLACE, PathTable } from './path-table.js';
import { ResourceTable } from './resource-table.js';
import { writeLists } from './use-lists.js';

/**
 * Assigns every key a small number, once. Opaque: make one with `createInterner` and pass it to any number of schedulers that use the same
 * keys. It keeps a copy of every key it has seen for as long as it lives.
 */
export interface Interner {
  /** How many keys (and warps) it has seen. For monitoring memory; no decision depends on it. */
  readonly size: number;
}

/** A new, empty interner. */
export function createInterner(): Interner {
  return new KeyInterner();
}

/** The interner behind the opaque interface; throws for anything that `createInterner` has not made. */
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
  /** The places of keys with paths. */
  readonly paths = new PathTable();
  private readonly name = new Uint32Array(NAME_WORDS);
  private lastWarp: Id | undefined;
  private lastWarpNumber = 0;

  get size(): number {
    return this.table.size + this.paths.size;
  }

  /** How many resources with flat names there are: their numbers, and the codes made of them, are below it. */
  get resources(): number {
    return this.table.size;
  }

  /**
   * Makes the codes of a footprint those of this interner. They stay with it until another interner compiles the same
   * footprint: taking turns costs looking the keys up again. (A weak map per interner would keep both, and costs the
   * garbage collector far more than that.) Returns false for a rich footprint, which has no codes: see `compileRich`.
   */
  compile(footprint: CanonicalFootprint): boolean {
    const chunk = chunkOf(footprint);
    const place = placeOf(footprint);
    const owner = chunk.codes[place + OWNER]!;
    if (owner === this.serial) return true;
    if (owner >= RICH) return false;
    this.number(chunk, place);
    chunk.codes[place + OWNER] = this.serial;
    return true;
  }

  /** The uses of a rich footprint in the numbers of this interner. */
  compileRich(footprint: CanonicalFootprint): CompiledUses {
    const rich = richUsesOf(footprint);
    if (rich.owner !== this.serial) {
      const compiled = this.compiled(usesOf(footprint));
      const { codes } = chunkOf(footprint);
      const place = placeOf(footprint);
      writeLists(compiled, codes, place);
      codes[place + RICH_OWNER] = this.serial;
      rich.compiled = compiled;
      rich.owner = this.serial;
    }
    return rich.compiled as CompiledUses;
  }

  /** Whether the uses of a rich footprint are in the lists of its piece, in the numbers of this interner. */
  compileLists(footprint: CanonicalFootprint): boolean {
    const { codes } = chunkOf(footprint);
    const place = placeOf(footprint);
    if (codes[place + RICH_OWNER] !== this.serial) this.compileRich(footprint);
    return codes[place + RICH_ADDS] !== 0;
  }

  private compiled(uses: readonly Use[]): CompiledUses {
    const words = new Uint32Array(uses.length * USE_WORDS);
    const above = new Set<number>();
    uses.forEach(({ category, mode, key, addedAndRead }, at) => {
      const reach = reachOf(key);
      const mark = !addedAndRead ? MODE[mode] : mode === 'add' ? MODE.write : NO_MARK;
      const place = isPathKey(key) ? this.paths.place(this.warp(key.warp), tagOf(category, key), pathOf(key)) : 0;
      const number = this.numberOf(reach, category, key, place);
      words.set([reach * 16 + mark * 4 + MODE[mode], number, place], at * USE_WORDS);
      if (reach === REACH.flat) return;
      above.add((reach === REACH.range ? place : this.paths.parents[place]!) * 4 + MODE[mode]);
    });
    return { words, count: uses.length, above: Uint32Array.from(above) };
  }

  /** The number of the resource or of the bounds that a use names; 0 for a subtree. */
  private numberOf(reach: number, category: Category, key: ResourceKey, place: number): number {
    if (reach === REACH.flat) return this.resourceOf(category, key);
    if (reach === REACH.point) return this.pointAt(place);
    const { from, to } = key as RangeKey;
    return reach === REACH.range ? this.paths.bounds.numberOf({ from, to }) : 0;
  }

  /** The number of the resource that the point at a place is. */
  private pointAt(place: number): number {
    const { points } = this.paths;
    if (points[place] === NO_PLACE) points[place] = this.table.ofWords(TAG.warp * 4 + FORM.port, place, 0);
    return points[place]!;
  }

  private resourceOf(category: Category, key: ResourceKey): number {
    const header = this.warp(key.warp) * HEADERS_PER_WARP + tagOf(category, key) * 4;
    if (category !== 'port') return this.named(header, (key as PointKey).id as Id);
    const port = BigInt((key as PortKey).port);
    return this.table.ofWords(header + FORM.port, Number(port & 0xffff_ffffn), Number(port >> 32n));
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
    const number = this.named(TAG.warp * 4, warp);
    invariant(number < MAX_WARPS, 'a warp is first seen among the first 2^27 resources of an interner');
    this.lastWarp = warp;
    this.lastWarpNumber = number;
    return number;
  }

  private named(kind: number, id: Id): number {
    if (typeof id === 'number') return this.table.ofWords(kind + FORM.number, id, 0);
    if (typeof id === 'string') return this.table.ofWords(kind + FORM.text, this.text(id), 0);
    writeNameWords(id, this.name, 0);
    return this.table.ofName(kind + FORM.bytes, this.name, 0);
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

function reachOf(key: ResourceKey): number {
  if (!isPathKey(key)) return REACH.flat;
  if (key.path === undefined) return REACH.point;
  return key.subtree === true ? REACH.subtree : REACH.range;
}
