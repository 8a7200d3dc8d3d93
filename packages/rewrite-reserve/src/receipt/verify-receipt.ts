import { compareBytes } from '../keys/key-order.js';
import type { PendingRewrite } from '../reserve/pending-rewrite.js';
import { derivedReceipt } from './receipt.js';
import { shapeProblem } from './receipt-codec.js';
import type { Receipt, ReceiptEntry } from './receipt-shape.js';

/** One fault of a receipt, with its entry; null when it is not about one entry. */
export interface ReceiptProblem {
  readonly entry: number | null;
  readonly problem: string;
}

/** Whether a receipt is true, and if not, all faults found. */
export type ReceiptVerdict =
  | { readonly valid: true }
  | { readonly valid: false; readonly problems: readonly ReceiptProblem[] };

/**
 * Checks a receipt against the candidates, in their original order: decisions, blockers and digests are derived again and
 * compared field by field. Candidates are not changed. A candidate that could not have been reserved (a bad key, say) throws
 * the error that `reserve` would throw.
 */
export function verifyReceipt(receipt: Receipt, candidates: readonly PendingRewrite[]): ReceiptVerdict {
  const misshapen = shapeProblem(receipt);
  if (misshapen !== undefined) return { valid: false, problems: [{ entry: null, problem: misshapen }] };
  const derived = derivedReceipt(candidates);
  const problems = [...entryProblems(receipt, derived), ...digestProblems(receipt, derived)];
  return problems.length === 0 ? { valid: true } : { valid: false, problems };
}

function entryProblems(receipt: Receipt, derived: Receipt): ReceiptProblem[] {
  const problems: ReceiptProblem[] = [];
  const [has, wants] = [receipt.entries.length, derived.entries.length];
  if (has !== wants) problems.push({ entry: null, problem: `it has ${has} entries for ${wants} candidates` });
  for (let index = 0; index < Math.min(has, wants); index++) {
    for (const problem of differences(receipt.entries[index]!, derived.entries[index]!)) {
      problems.push({ entry: index, problem });
    }
  }
  return problems;
}

function differences(entry: ReceiptEntry, derived: ReceiptEntry): string[] {
  const found: string[] = [];
  if (compareBytes(entry.scopeHash, derived.scopeHash) !== 0) found.push('scopeHash is not the candidate’s');
  if (entry.compactRule !== derived.compactRule) found.push('compactRule is not the candidate’s');
  if (!sameRuleId(entry.ruleId, derived.ruleId)) found.push('ruleId is not the candidate’s');
  if (entry.accepted !== derived.accepted) {
    found.push(`accepted is ${entry.accepted}, but the footprints say ${derived.accepted}`);
  }
  if (String(entry.blockedBy) !== String(derived.blockedBy)) {
    found.push(`blockedBy is [${entry.blockedBy}], but the footprints say [${derived.blockedBy}]`);
  }
  return found;
}

function sameRuleId(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return compareBytes(a, b) === 0;
}

function digestProblems({ digests }: Receipt, derived: Receipt): ReceiptProblem[] {
  return (['plan', 'decisions', 'accepted'] as const)
    .filter((name) => compareBytes(digests[name], derived.digests[name]) !== 0)
    .map((name) => ({ entry: null, problem: `digests.${name} does not match the candidates` }));
}
