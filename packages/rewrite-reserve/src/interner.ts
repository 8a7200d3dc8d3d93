import { invariant } from '@horae/clock-store';
import { CodeArena } from './code-arena.js';
import { type CanonicalFootprint, type CompiledFootprint, factsOf } from './footprint-facts.js';
import type { AttachmentKey, Category, Id, NodeKey, PortKey, ResourceKey } from './resource-keys.js';
import { ResourceTable } from './resource-table.js';
import { RewriteArgumentError } from './rewrite-errors.js';

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

// A header is warp * 32 + tag * 4 + form of the name.
const TAG = { node: 0, edge: 1, port: 6, warp: 7 } as const;
const FORM = { number: 0, bytes: 1, text: 2, port: 3 } as const;
const MAX_WARPS = 2 ** 27;
const TWO_32 = 2 ** 32;

export class KeyInterner implements Interner {
  private readonly table = new ResourceTable((header) => (header & 3) === FORM.bytes);
  private readonly texts = new Map<string, number>();
  private readonly arena = new CodeArena();
  private lastWarp: Id | undefined;
  private lastWarpNumber = 0;

  get size(): number {
    return this.table.size;
  }

  /** The number of a canonical key. */
  resource(category: Category, key: ResourceKey): number {
    const warp = this.warp(key.warp);
    if (category === 'port') return this.port(warp, key as PortKey);
    return this.named(warp, tagOf(category, key), (key as NodeKey).id);
  }

  /**
   * The numbers of a footprint, kept with it until another interner asks for the same footprint: taking turns costs looking the
   * keys up again. (A weak map per interner would keep both, and costs the garbage collector far more than that.)
   */
  compiled(footprint: CanonicalFootprint): CompiledFootprint {
    const facts = factsOf(footprint);
    if (facts.owner !== this) facts.adopt(this.arena.compile(this, footprint));
    return facts;
  }

  private warp(warp: Id): number {
    // Canonical keys own their bytes, so the same object is the same warp.
    if (warp === this.lastWarp) return this.lastWarpNumber;
    const number = this.named(0, TAG.warp, warp);
    invariant(number < MAX_WARPS, 'a warp is first seen among the first 2^27 resources of an interner');
    this.lastWarp = warp;
    this.lastWarpNumber = number;
    return number;
  }

  private named(warp: number, tag: number, id: Id): number {
    const header = warp * 32 + tag * 4;
    if (typeof id === 'number') return this.table.ofWords(header + FORM.number, id, 0);
    if (typeof id === 'string') return this.table.ofWords(header + FORM.text, this.text(id), 0);
    return this.table.ofBytes(header + FORM.bytes, id);
  }

  private port(warp: number, key: PortKey): number {
    const header = warp * 32 + TAG.port * 4 + FORM.port;
    const { port } = key;
    if (port <= Number.MAX_SAFE_INTEGER) {
      const small = Number(port);
      return this.table.ofWords(header, small >>> 0, Math.floor(small / TWO_32));
    }
    const wide = BigInt(port);
    return this.table.ofWords(header, Number(wide & 0xffff_ffffn), Number(wide >> 32n));
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

/** Tags 2 to 5 are the four kinds of attachment. */
function tagOf(category: 'node' | 'edge' | 'attachment', key: ResourceKey): number {
  if (category !== 'attachment') return TAG[category];
  const { owner, plane } = key as AttachmentKey;
  return 2 + (owner === 'node' ? 0 : 2) + (plane === 'alpha' ? 0 : 1);
}
