import { createInterner, openInterner } from '../intern/interner.js';
import { checkRewrite, type PendingRewrite } from '../reserve/pending-rewrite.js';
import { RadixLedger } from '../reserve/radix-ledger.js';
import type { ReserveResult } from '../reserve/transaction.js';
import { digestsOf } from './receipt-digests.js';
import type { Receipt, ReceiptEntry } from './receipt-shape.js';

/** The version this package writes and reads. */
export const RECEIPT_VERSION = 1;

/**
 * The receipt of a batch. It always names all blockers, whatever the scheduler's option for explanations. Meant for a batch in a
 * transaction that held nothing before: refusals by earlier holdings, and the refusal of an all-or-nothing batch, are recorded as they are,
 * but `verifyReceipt` cannot derive them from the candidates and reports them.
 */
export function receipt(result: ReserveResult): Receipt {
  return receiptOf(
    result.entries.map(({ rewrite }) => rewrite),
    result.entries.map(({ accepted }) => accepted),
  );
}

/** The receipt that an empty transaction would produce for these candidates, which are not changed. */
export function derivedReceipt(candidates: readonly PendingRewrite[]): Receipt {
  return receiptOf(candidates, undefined);
}

/** `decided` are the decisions to record; without them they are made here. */
function receiptOf(candidates: readonly PendingRewrite[], decided: readonly boolean[] | undefined): Receipt {
  const ledger = new RadixLedger(openInterner(createInterner()), { allHolders: true });
  /** Per accepted rewrite of the ledger, the index of its entry. */
  const entryOf: number[] = [];
  const entries = candidates.map((candidate, index): ReceiptEntry => {
    const footprint = checkRewrite(candidate);
    const blockers = new Set<number>();
    if (decided?.[index] !== true) ledger.forEachBlocker(footprint, false, (order) => blockers.add(entryOf[order]!));
    const accepted = decided?.[index] ?? blockers.size === 0;
    if (accepted && ledger.hold(candidate, footprint)) entryOf.push(index);
    const blockedBy = Object.freeze([...blockers].sort((a, b) => a - b));
    return Object.freeze({ ...identityOf(candidate), accepted, blockedBy });
  });
  return Object.freeze({
    version: RECEIPT_VERSION,
    entries: Object.freeze(entries),
    digests: Object.freeze(digestsOf(candidates, entries)),
  });
}

/** The bytes are copied: a receipt does not change with the buffers of its rewrites. */
function identityOf({ scopeHash, compactRule, ruleId }: PendingRewrite) {
  const identity = { scopeHash: new Uint8Array(scopeHash), compactRule };
  return ruleId === undefined ? identity : { ...identity, ruleId: new Uint8Array(ruleId) };
}
