import { createHash } from 'node:crypto';
import {
  type Blocker,
  createRewriteScheduler,
  decodeReceipt,
  encodeReceipt,
  footprint,
  type PendingRewrite,
  planWaves,
  receipt,
  verifyReceipt,
} from 'horae/rewrite';
import type { BatchOutcome, ReceiptCheck, RewriteDraft } from '../../wire/rewrites.js';

const WARP = 'quay';
const key = (id: string) => ({ warp: WARP, id });

/** The rewrite of a drawn row. The hash of its name decides its order. */
export function rewriteOf({ name, reads, writes }: RewriteDraft, rule = 1): PendingRewrite {
  return {
    scopeHash: new Uint8Array(createHash('sha256').update(name).digest()),
    compactRule: rule,
    scope: key(name),
    footprint: footprint({ nRead: reads.map(key), nWrite: writes.map(key) }),
    phase: 'matched',
  };
}

/** Enqueues, drains, reserves and plans one batch in a fresh transaction. */
export function runBatch(drafts: readonly RewriteDraft[]): BatchOutcome {
  const scheduler = createRewriteScheduler({ explain: 'all' });
  const rewrites = drafts.map((draft) => rewriteOf(draft));
  const names = new Map(rewrites.map((rewrite, i) => [rewrite, drafts[i]!.name]));
  const nameOf = (rewrite: PendingRewrite) => names.get(rewrite) ?? String(rewrite.scope.id);
  for (const rewrite of rewrites) scheduler.enqueue(1, rewrite);
  const drained = scheduler.drainForTx(1);
  const result = scheduler.reserveMany(1, drained);
  const proof = receipt(result);
  const { reserved, conflicts } = scheduler.finalizeTx(1);
  return {
    order: result.entries.map(({ rewrite, accepted, blockers }) => ({
      name: nameOf(rewrite),
      hash: Buffer.from(rewrite.scopeHash.subarray(0, 6)).toString('hex'),
      accepted,
      blockers: blockers.map((blocker) => ({
        by: nameOf(blocker.blockedBy),
        key: keyText(blocker),
        mode: blocker.mode,
      })),
    })),
    reserved,
    conflicts,
    waves: planWaves(rewrites).map((wave) => wave.map(nameOf)),
    receipt: {
      bytes: Buffer.from(encodeReceipt(proof)).toString('base64'),
      decisions: Buffer.from(proof.digests.decisions).toString('hex').slice(0, 16),
    },
  };
}

function keyText({ key }: Blocker): string {
  return 'port' in key ? `port ${key.port}` : String(key.id ?? key.path);
}

/** Derives every decision of a receipt again from the candidates. */
export function checkReceipt(bytes: string, drafts: readonly RewriteDraft[]): ReceiptCheck {
  try {
    const scheduler = createRewriteScheduler();
    for (const draft of drafts) scheduler.enqueue(1, rewriteOf(draft));
    const verdict = verifyReceipt(decodeReceipt(new Uint8Array(Buffer.from(bytes, 'base64'))), scheduler.drainForTx(1));
    if (verdict.valid) return { valid: true, problem: null };
    const { entry, problem } = verdict.problems[0]!;
    return { valid: false, problem: entry === null ? problem : `entry ${entry + 1}: ${problem}` };
  } catch (error) {
    return { valid: false, problem: error instanceof Error ? error.message : String(error) };
  }
}
