import { expect, test } from 'vitest';
import { type PendingRewrite, planWaves, type ResourceKey } from '../../src/index.js';
import { conflicts, keyText } from '../support/pairwise-oracle.js';
import { forSeeds, randomRewrite, shuffled } from '../support/random-rewrites.js';

type State = Map<string, string>;

/** A rewrite whose every write depends on all that it reads: two that conflict do not commute. */
function perform(state: State, { footprint, scopeHash }: PendingRewrite): void {
  const sets: [string, readonly ResourceKey[], boolean][] = [
    ['node', footprint.nRead, false],
    ['node', footprint.nWrite, true],
    ['edge', footprint.eRead, false],
    ['edge', footprint.eWrite, true],
    ['attachment', footprint.aRead, false],
    ['attachment', footprint.aWrite, true],
    ['port', footprint.bIn, true],
    ['port', footprint.bOut, true],
  ];
  const uses = sets.flatMap(([category, keys, writes]) =>
    keys.map((key) => ({ slot: `${category} ${keyText(key)}`, writes })),
  );
  const seen = uses.map(({ slot }) => state.get(slot) ?? '').join();
  let hash = 7;
  for (const char of `${scopeHash.join()}|${seen}`) hash = (Math.imul(hash, 31) + char.codePointAt(0)!) | 0;
  for (const { slot, writes } of uses) if (writes) state.set(slot, String(hash));
}

function runAll(order: readonly PendingRewrite[]): string {
  const state: State = new Map();
  for (const each of order) perform(state, each);
  return [...state].sort(([a], [b]) => (a < b ? -1 : 1)).join(';');
}

const canonical = (rewrites: readonly PendingRewrite[]) =>
  rewrites
    .map((each, position) => ({ each, position, hex: Buffer.from(each.scopeHash).toString('hex') }))
    .sort((a, b) =>
      a.hex < b.hex ? -1 : a.hex > b.hex ? 1 : a.each.compactRule - b.each.compactRule || a.position - b.position,
    )
    .map(({ each }) => each);

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
    for (let run = 0; run < 20; run++) expect(runAll(waves.flatMap((wave) => shuffled(random, wave)))).toBe(serial);
  });
});
