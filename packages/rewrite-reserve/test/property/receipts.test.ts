import { expect, test } from 'vitest';
import {
  createRewriteScheduler,
  decodeReceipt,
  encodeReceipt,
  type PendingRewrite,
  receipt,
  verifyReceipt,
} from '../../src/index.js';
import { blockersByScan } from '../support/pairwise-oracle.js';
import { forSeeds, pick, randomRewrite } from '../support/random-rewrites.js';

test('a receipt names all blockers, survives its bytes and is found true, whatever was explained', async () => {
  await forSeeds('receipts', 80, (random) => {
    const candidates = Array.from({ length: random.below(40) }, () => randomRewrite(random, 3 + random.below(20)));
    const explain = pick(random, ['off', 'first', 'all'] as const);
    const result = createRewriteScheduler({ explain }).reserveMany(1, candidates);
    const made = receipt(result);
    const held: PendingRewrite[] = [];
    for (const [index, entry] of made.entries.entries()) {
      const blockers = new Set(
        blockersByScan(held, candidates[index]!).map(({ blockedBy }) => candidates.indexOf(blockedBy)),
      );
      expect(entry.blockedBy).toEqual([...blockers].sort((a, b) => a - b));
      expect(entry.accepted).toBe(blockers.size === 0);
      if (entry.accepted) held.push(candidates[index]!);
    }
    const phases = candidates.map(({ phase }) => phase);
    expect(verifyReceipt(made, candidates)).toEqual({ valid: true });
    expect(candidates.map(({ phase }) => phase)).toEqual(phases);
    const bytes = encodeReceipt(made);
    expect(decodeReceipt(bytes)).toEqual(made);
    expect(encodeReceipt(decodeReceipt(bytes))).toEqual(bytes);
  });
});

test('any altered byte is found: the bytes are refused or the receipt is not true', async () => {
  await forSeeds('tampering', 6, (random) => {
    const candidates = Array.from({ length: 6 }, () => randomRewrite(random, 4));
    const bytes = encodeReceipt(receipt(createRewriteScheduler().reserveMany(1, candidates)));
    for (let at = 0; at < bytes.length; at++) {
      const altered = new Uint8Array(bytes);
      altered[at] = altered[at]! ^ (1 << random.below(8));
      let verdict: { valid: boolean } | undefined;
      try {
        verdict = verifyReceipt(decodeReceipt(altered), candidates);
      } catch (error) {
        expect(error).toMatchObject({ code: 'bad-receipt' });
      }
      expect(verdict?.valid ?? false).toBe(false);
    }
    for (let length = 0; length < bytes.length; length++) {
      expect(() => decodeReceipt(bytes.subarray(0, length))).toThrow(expect.objectContaining({ code: 'bad-receipt' }));
    }
    expect(() => decodeReceipt(Uint8Array.of(...bytes, 0))).toThrow(expect.objectContaining({ code: 'bad-receipt' }));
  });
});
