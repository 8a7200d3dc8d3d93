import { expect, test } from 'vitest';
import { type PendingRewrite, planWaves } from '../../src/index.js';
import { canonical, runAll } from '../support/modelled-state.js';
import { conflicts } from '../support/pairwise-oracle.js';
import { forSeeds, randomRewrite, shuffled } from '../support/random-rewrites.js';

test('waves are the levels of the pairwise conflict graph in canonical order', async () => {
  await forSeeds('wave levels', 100, (random) => {
    const rewrites = Array.from({ length: random.below(60) }, () => randomRewrite(random, 3 + random.below(30)));
    if (rewrites.length > 2) rewrites.push(rewrites[0]!, { ...rewrites[1]! });
    const order = canonical(rewrites);
    const levels: number[] = [];
    const wanted: PendingRewrite[][] = [];
    for (const [at, each] of order.entries()) {
      const before = order.slice(0, at).map((other, index) => (conflicts(other, each) ? levels[index]! : 0));
      levels.push(1 + Math.max(0, ...before));
      wanted[levels[at]! - 1] ??= [];
      wanted[levels[at]! - 1]!.push(each);
    }
    const waves = planWaves(rewrites);
    expect(waves.map((wave) => wave.length)).toEqual(wanted.map((wave) => wave.length));
    expect(waves.flat().every((each, at) => each === wanted.flat()[at])).toBe(true);
    expect(rewrites.every(({ phase }) => phase === 'matched')).toBe(true);
  });
});

test('any order inside the waves gives what the canonical order gives one by one', async () => {
  await forSeeds('serial equivalence', 60, (random) => {
    const rewrites = Array.from({ length: 50 }, () => randomRewrite(random, 4 + random.below(30)));
    const serial = runAll(canonical(rewrites));
    const waves = planWaves(rewrites);
    for (let run = 0; run < 8; run++) expect(runAll(waves.flatMap((wave) => shuffled(random, wave)))).toBe(serial);
  });
});
