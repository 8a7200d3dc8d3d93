import { NAME_WORDS, writeNameWords } from '../keys/name-words.js';
import type { AttachmentKey, Category, Id, NodeKey, PortKey, ResourceKey } from '../keys/resource-keys.js';
import {
  END,
  FIRST_CODE,
  FootprintChunk,
  MAX_RICH_WORDS,
  NO_WARP_AT,
  OWNER,
  RICH,
  RICH_FIRST_CODE,
  SEVERAL_WARPS_AT,
  USES,
  WRITE_WARP,
} from './footprint-chunk.js';
import type { Footprint } from './footprint-sets.js';
import { firstWriteWarp, forEachUse, writeOutside } from './footprint-uses.js';
import { RichUses } from './rich-uses.js';

/** Categories as numbers; 2 to 5 are the four kinds of attachment. A warp is numbered like a key, outside of any warp. */
export const TAG = { node: 0, edge: 1, attachment: 2, port: 6, warp: 7 } as const;
/** The form of a record's payload: a word, eight words, the position of a text, or the two words of a port. */
export const FORM = { number: 0, bytes: 1, text: 2, port: 3 } as const;

// A head is position of the warp among the values * 64 + exclusive * 32 + tag * 4 + form.
export const KIND_MASK = 31;
export const EXCLUSIVE_SHIFT = 5;
export const WARP_SHIFT = 6;
const MAX_WORDS = 1 + NAME_WORDS;

const CHUNK_CODES = 2048;
const CHUNK_USES = 4096;

/**
 * Writes the uses of a footprint in check order as one piece of words, a record for each, while the keys are at hand. An interner
 * that has never seen them reads the piece from one end to the other, where the keys themselves are three objects each, all over
 * the heap.
 */
class UsePacker {
  /** Where the last footprint went. */
  chunk = new FootprintChunk(0, 0);
  private codesUsed = 0;
  private usesUsed = 0;
  private warpAt = NO_WARP_AT;

  /** Where the piece of this footprint begins in the codes of `chunk`. */
  pack(footprint: Footprint): number {
    this.makeRoom(mostUses(footprint));
    const { codes, uses } = this.chunk;
    const place = this.codesUsed;
    codes[place + WRITE_WARP] = this.writeWarpAt(footprint);
    codes[place + USES] = this.usesUsed;
    let code = place + FIRST_CODE;
    let use = this.usesUsed;
    forEachUse(footprint, (category, exclusive, key) => {
      use = this.write(uses, use, category, exclusive, key);
      code += 1;
    });
    codes[place + END] = code;
    this.codesUsed = code;
    this.usesUsed = use;
    return place;
  }

  /** The same for a footprint with adds or paths, whose uses stay objects. */
  packRich(footprint: Footprint): number {
    // Room for the lists, which are written when an interner numbers the keys.
    const { nAdd, eAdd, aAdd } = footprint;
    const uses = mostUses(footprint) + nAdd.length + eAdd.length + aAdd.length;
    const words = RICH_FIRST_CODE + MAX_RICH_WORDS * uses;
    this.makeRoom(words);
    const { codes, values } = this.chunk;
    const place = this.codesUsed;
    codes[place + OWNER] = RICH;
    codes[place + WRITE_WARP] = this.writeWarpAt(footprint);
    codes[place + USES] = values.push(new RichUses()) - 1;
    this.codesUsed = place + words;
    codes[place + END] = this.codesUsed;
    return place;
  }

  private makeRoom(uses: number): void {
    const moreCodes = FIRST_CODE + uses;
    const moreUses = uses * MAX_WORDS;
    const { chunk } = this;
    if (this.codesUsed + moreCodes <= chunk.codes.length && this.usesUsed + moreUses <= chunk.uses.length) return;
    this.chunk = new FootprintChunk(Math.max(CHUNK_CODES, moreCodes), Math.max(CHUNK_USES, moreUses));
    this.codesUsed = 0;
    this.usesUsed = 0;
    this.warpAt = NO_WARP_AT;
  }

  private writeWarpAt(footprint: Footprint): number {
    const warp = firstWriteWarp(footprint);
    if (warp === undefined) return NO_WARP_AT;
    return writeOutside(footprint, warp) === undefined ? this.positionOf(warp) : SEVERAL_WARPS_AT;
  }

  /** Most keys are in the warp of the one before. */
  private positionOf(warp: Id): number {
    const { values } = this.chunk;
    if (values[this.warpAt] !== warp) this.warpAt = values.push(warp) - 1;
    return this.warpAt;
  }

  /** Writes one record and returns where the next one begins. */
  private write(uses: Uint32Array, at: number, category: Category, exclusive: boolean, key: ResourceKey): number {
    const kind = (Number(exclusive) << EXCLUSIVE_SHIFT) | (tagOf(category, key) << 2);
    const head = (this.positionOf(key.warp) << WARP_SHIFT) | kind;
    if (category === 'port') {
      const port = BigInt((key as PortKey).port);
      uses[at] = head | FORM.port;
      uses[at + 1] = Number(port & 0xffff_ffffn);
      uses[at + 2] = Number(port >> 32n);
      return at + 3;
    }
    const id = (key as NodeKey).id as Id;
    if (typeof id === 'object') {
      uses[at] = head | FORM.bytes;
      writeNameWords(id, uses, at + 1);
      return at + 1 + NAME_WORDS;
    }
    uses[at] = head | (typeof id === 'number' ? FORM.number : FORM.text);
    uses[at + 1] = typeof id === 'number' ? id : this.chunk.values.push(id) - 1;
    return at + 2;
  }
}

/** One packer for all footprints: those that are made one after the other lie one after the other. */
export const usePacker = new UsePacker();

/** The tag of a key: its category, and for an attachment its owner and plane. */
export function tagOf(category: Category, key: ResourceKey): number {
  if (category !== 'attachment') return TAG[category];
  const { owner, plane } = key as AttachmentKey;
  return TAG.attachment + (owner === 'node' ? 0 : 2) + (plane === 'alpha' ? 0 : 1);
}

function mostUses({ nRead, nWrite, eRead, eWrite, aRead, aWrite, bIn, bOut }: Footprint): number {
  const nodesAndEdges = nRead.length + nWrite.length + eRead.length + eWrite.length;
  return nodesAndEdges + aRead.length + aWrite.length + bIn.length + bOut.length;
}
