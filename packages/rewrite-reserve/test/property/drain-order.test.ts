import type { Random } from '@horae/clock-store';
import { expect, test } from 'vitest';
import { createRewriteScheduler, footprint, type PendingRewrite } from '../../src/index.js';
import { forSeeds, pick, randomBytes, shuffled } from '../support/random-rewrites.js';

const SHARED = footprint();
const SIZES = [1, 2, 3, 7, 23, 24, 25, 26, 64, 255, 256, 300, 1000, 1024, 1025, 4095, 4096, 5000];

/** Where the hashes differ: everywhere, only early, only late, in the rule alone, or hardly. */
const ENTROPY: Record<string, (random: Random) => Uint8Array> = {
  everywhere: (random) => randomBytes(random),
  'first byte': (random) => Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? random.below(256) : 7)),
  'last byte': (random) => Uint8Array.from({ length: 32 }, (_, at) => (at === 31 ? random.below(256) : 200)),
  'last four bytes': (random) => Uint8Array.from({ length: 32 }, (_, at) => (at >= 28 ? random.below(256) : 200)),
  'middle bytes': (random) =>
    Uint8Array.from({ length: 32 }, (_, at) => (at === 13 || at === 18 ? random.below(256) : 0)),
  'rule alone': () => new Uint8Array(32).fill(255),
  'two values in every byte': (random) => Uint8Array.from({ length: 32 }, () => (random.below(2) === 0 ? 0x7f : 0x80)),
};

/** The order an ordered map gives: entries by a hexadecimal text of the key, later ones replace earlier ones. */
function byOrderedMap(rewrites: readonly PendingRewrite[]): PendingRewrite[] {
  const map = new Map<string, PendingRewrite>();
  for (const each of rewrites) {
    map.set(Buffer.from(each.scopeHash).toString('hex') + each.compactRule.toString(16).padStart(8, '0'), each);
  }
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
}

function batch(random: Random, size: number, entropy: string): PendingRewrite[] {
  return Array.from({ length: size }, () => ({
    scopeHash: ENTROPY[entropy]!(random),
    compactRule: pick(random, [() => random.uint32(), () => random.below(3), () => 0xffffffff - random.below(3)])(),
    scope: { warp: 1, id: 1 },
    footprint: SHARED,
    phase: 'matched',
  }));
}

test.each(Object.keys(ENTROPY))('drain is the order of an ordered map, entropy: %s', async (entropy) => {
  await forSeeds(`drain order ${entropy}`, 2, (random) => {
    const scheduler = createRewriteScheduler();
    for (const size of SIZES) {
      const rewrites = batch(random, size, entropy);
      const wanted = byOrderedMap(rewrites);
      for (const each of rewrites) scheduler.enqueue(size, each);
      const drained = scheduler.drainForTx(size);
      expect(drained.length).toBe(wanted.length);
      expect(drained.every((each, at) => each === wanted[at])).toBe(true);
    }
  });
});

test('the order does not depend on the order of insertion', async () => {
  await forSeeds('insertion order', 20, (random) => {
    const scheduler = createRewriteScheduler();
    const rewrites = byOrderedMap(batch(random, 1 + random.below(400), pick(random, Object.keys(ENTROPY))));
    for (const tx of [1, 2, 3]) {
      for (const each of shuffled(random, rewrites)) scheduler.enqueue(tx, each);
      expect(scheduler.drainForTx(tx).every((each, at) => each === rewrites[at])).toBe(true);
    }
  });
});
