import { canonicalFootprint } from '../footprint/footprint.js';
import { SEVERAL_WARPS } from '../footprint/footprint-chunk.js';
import type { Footprint } from '../footprint/footprint-sets.js';
import { writeOutside } from '../footprint/footprint-uses.js';
import { type CanonicalFootprint, writeWarpOf } from '../footprint/sealed-footprint.js';
import { assertId, assertPoint, badKey, is32Bytes, isU32 } from '../keys/key-forms.js';
import { compareIds } from '../keys/key-order.js';
import type { Id, NodeKey } from '../keys/resource-keys.js';
import { RewriteArgumentError, RewriteInputError } from '../keys/rewrite-errors.js';

/** The phase of a rewrite: found by a rule, admitted, or refused. */
export type Phase = 'matched' | 'reserved' | 'aborted';

/** A rewrite that waits for admission. A plain object of the caller's; the schedulers write nothing on it but `phase`. */
export interface PendingRewrite {
  /** 32 bytes; the first sort key of the canonical order. */
  scopeHash: Uint8Array;
  /** Unsigned 32-bit number of the rule; the second sort key. */
  compactRule: number;
  /** 32 bytes; the full name of the rule, for receipts and workers. */
  ruleId?: Uint8Array;
  /** The node the rule matched at: a point. Writes, adds and ports of the footprint are in its warp; reads may be elsewhere. */
  scope: NodeKey;
  footprint: Footprint;
  phase: Phase;
  /** Goes with the task of the rewrite; cloned for worker threads. */
  payload?: unknown;
}

/**
 * Checks a rewrite and returns its footprint in canonical form. Throws a `RewriteInputError` that names the first field that is wrong;
 * changes nothing.
 */
export function checkRewrite(rewrite: PendingRewrite): CanonicalFootprint {
  if (typeof rewrite !== 'object' || rewrite === null) {
    throw new RewriteArgumentError(`A rewrite is an object, got ${String(rewrite)}`, {
      field: 'rewrite',
      value: rewrite,
    });
  }
  const { scopeHash, compactRule, ruleId, scope } = rewrite;
  if (!is32Bytes(scopeHash)) throw refusal('bad-scope-hash', 'scopeHash', scopeHash, 'a Uint8Array of 32 bytes');
  if (!isU32(compactRule)) throw refusal('bad-rule', 'compactRule', compactRule, 'an integer from 0 to 2^32 - 1');
  if (ruleId !== undefined && !is32Bytes(ruleId)) {
    throw refusal('bad-rule-id', 'ruleId', ruleId, 'a Uint8Array of 32 bytes, or absent');
  }
  if (typeof scope !== 'object' || scope === null) throw badKey('scope', scope, 'use { warp, id }');
  assertId(scope.warp, 'scope.warp');
  assertPoint(scope.id, 'scope.id');
  const footprint = canonicalFootprint(rewrite.footprint);
  const writeWarp = writeWarpOf(footprint);
  if (writeWarp === scope.warp || writeWarp === undefined) return footprint;
  if (writeWarp !== SEVERAL_WARPS && compareIds(writeWarp as Id, scope.warp) === 0) return footprint;
  throw warpMismatch(footprint, scope);
}

/** Throws 'bad-key' for an attachment that has no meaning upstream: nodes have the alpha plane, edges the beta plane. */
export function checkAttachments({ aRead, aAdd, aWrite }: Footprint): void {
  for (const [set, keys] of Object.entries({ aRead, aAdd, aWrite })) {
    for (const key of keys) {
      if ((key.owner === 'node') === (key.plane === 'alpha')) continue;
      throw badKey(`footprint.${set}`, `${key.owner} with ${key.plane}`, "use 'alpha' for nodes and 'beta' for edges");
    }
  }
}

/**
 * Writes a rewrite's phase. Throws a `RewriteArgumentError` when the object does not take it, as a frozen one does not; for
 * that reason the schedulers write before they mark.
 */
export function writePhase(rewrite: PendingRewrite, phase: Phase): void {
  try {
    rewrite.phase = phase;
  } catch (cause) {
    throw new RewriteArgumentError(
      'phase cannot be written on this rewrite (is it frozen?): hand over an object whose phase is writable',
      { field: 'phase', value: rewrite },
      { cause },
    );
  }
}

function warpMismatch(footprint: CanonicalFootprint, scope: NodeKey): RewriteInputError {
  const { set, key } = writeOutside(footprint, scope.warp)!;
  const text = `footprint.${set} has a key outside the warp of the scope: only reads may cross warps`;
  return new RewriteInputError('warp-mismatch', text, { field: `footprint.${set}`, value: key });
}

function refusal(code: 'bad-scope-hash' | 'bad-rule' | 'bad-rule-id', field: string, value: unknown, wanted: string) {
  const shown = value instanceof Uint8Array ? `${value.length} bytes` : String(value);
  return new RewriteInputError(code, `${field} must be ${wanted}, got ${shown}`, { field, value });
}
