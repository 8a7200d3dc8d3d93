import { canonicalFootprint } from './footprint.js';
import { SEVERAL_WARPS } from './footprint-chunk.js';
import type { Footprint } from './footprint-sets.js';
import { writeOutside } from './footprint-uses.js';
import { assertId, badKey, is32Bytes, isU32 } from './key-forms.js';
import { compareIds } from './key-order.js';
import type { NodeKey } from './resource-keys.js';
import { RewriteArgumentError, RewriteInputError } from './rewrite-errors.js';
import { type CanonicalFootprint, writeWarpOf } from './sealed-footprint.js';

/** What has become of a rewrite: found by a rule, admitted, or refused. */
export type Phase = 'matched' | 'reserved' | 'aborted';

/** A rewrite that waits for admission. A plain object of the caller's; the schedulers write nothing on it but `phase`. */
export interface PendingRewrite {
  /** 32 bytes; the first sort key of the canonical order. */
  scopeHash: Uint8Array;
  /** Unsigned 32-bit number of the rule; the second sort key. */
  compactRule: number;
  /** 32 bytes; the full name of the rule, for receipts and workers. */
  ruleId?: Uint8Array;
  /** The node the rule matched at. Writes and ports of the footprint are in its warp; reads may be elsewhere. */
  scope: NodeKey;
  footprint: Footprint;
  phase: Phase;
}

/**
 * Checks a rewrite and gives its footprint in canonical form. Throws a `RewriteInputError` that names the first field that
 * is wrong; changes nothing.
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
  assertId(scope.id, 'scope.id');
  const footprint = canonicalFootprint(rewrite.footprint);
  const writeWarp = writeWarpOf(footprint);
  if (writeWarp === scope.warp || writeWarp === undefined) return footprint;
  if (writeWarp !== SEVERAL_WARPS && compareIds(writeWarp, scope.warp) === 0) return footprint;
  throw warpMismatch(footprint, scope);
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
