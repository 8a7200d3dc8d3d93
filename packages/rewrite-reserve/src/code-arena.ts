import type { CanonicalFootprint, CompiledFootprint } from './footprint-facts.js';
import { forEachUse } from './footprint-uses.js';
import type { Category, ResourceKey } from './resource-keys.js';

/** Whoever numbers keys. */
export interface KeyNumbers {
  resource(category: Category, key: ResourceKey): number;
}

const CHUNK_WORDS = 4096;

/**
 * Compiles footprints into shared chunks of words: footprints that are compiled one after the other lie one after the other,
 * and a batch is read like one array. A chunk lives as long as a footprint in it does.
 *
 * A code is `resource * 2 + 1` for an exclusive use and `resource * 2` for a read.
 */
export class CodeArena {
  private chunk = new Uint32Array(0);
  private used = 0;

  compile(owner: KeyNumbers, footprint: CanonicalFootprint): CompiledFootprint {
    this.makeRoom(mostUses(footprint));
    const codes = this.chunk;
    const start = this.used;
    let end = start;
    forEachUse(footprint, (category, exclusive, key) => {
      codes[end++] = owner.resource(category, key) * 2 + (exclusive ? 1 : 0);
    });
    this.used = end;
    return { owner, codes, start, end };
  }

  private makeRoom(words: number): void {
    if (this.used + words <= this.chunk.length) return;
    this.chunk = new Uint32Array(Math.max(CHUNK_WORDS, words));
    this.used = 0;
  }
}

function mostUses({ nRead, nWrite, eRead, eWrite, aRead, aWrite, bIn, bOut }: CanonicalFootprint): number {
  return (
    nRead.length +
    nWrite.length +
    eRead.length +
    eWrite.length +
    aRead.length +
    aWrite.length +
    bIn.length +
    bOut.length
  );
}
