import {
  type Footprint,
  type FootprintSets,
  footprint,
  type Id,
  type NodeKey,
  type PendingRewrite,
} from '../../src/index.js';

/** 32 bytes that begin with the given ones. */
export function bytes32(...first: number[]): Uint8Array {
  const bytes = new Uint8Array(32);
  bytes.set(first);
  return bytes;
}

/** A node or edge of warp 1. */
export function key(id: Id, warp: Id = 1): NodeKey {
  return { warp, id };
}

let made = 0;

/** A rewrite with these sets; its scope hash is new unless one is given. */
export function rewrite(sets: FootprintSets | Footprint = {}, given: Partial<PendingRewrite> = {}): PendingRewrite {
  made += 1;
  const scopeHash = bytes32(made >>> 24, made >>> 16, made >>> 8, made);
  const own = footprint(sets);
  return { scopeHash, compactRule: 1, scope: key(0), footprint: own, phase: 'matched', ...given };
}
