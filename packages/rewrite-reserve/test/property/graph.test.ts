import { expect, test } from 'vitest';
import { createRewritePool, type PendingRewrite, runGraph } from '../../src/index.js';
import { canonical, runAll } from '../support/modelled-state.js';
import { conflicts } from '../support/pairwise-oracle.js';
import { forSeeds, pick, randomRewrite } from '../support/random-rewrites.js';
import { bytes32, rewrite } from '../support/rewrites.js';

/** Random constraints without a cycle: from a smaller rule to a larger one, by either option. */
function randomOrder(random: Parameters<typeof randomRewrite>[0], rules: number) {
  const before: Record<number, number[]> = {};
  const after: Record<number, number[]> = {};
  for (let count = random.below(4); count > 0; count--) {
    const first = random.below(rules - 1);
    const second = first + 1 + random.below(rules - 1 - first);
    if (random.below(2) === 0) before[first] = [...(before[first] ?? []), second];
    else after[second] = [...(after[second] ?? []), first];
  }
  return { before, after };
}

/** The serial order by its definition: again and again the canonically first one whose earlier rules have all gone. */
function serialByDefinition(
  rewrites: readonly PendingRewrite[],
  order: ReturnType<typeof randomOrder>,
): PendingRewrite[] {
  const pairs = [
    ...Object.entries(order.before).flatMap(([first, later]) =>
      later.map((second) => [Number(first), second] as const),
    ),
    ...Object.entries(order.after).flatMap(([second, earlier]) =>
      earlier.map((first) => [first, Number(second)] as const),
    ),
  ];
  const isEarlier = (first: number, second: number): boolean =>
    pairs.some(([from, to]) => from === first && (to === second || isEarlier(to, second)));
  const left = canonical(rewrites);
  const serial: PendingRewrite[] = [];
  while (left.length > 0) {
    const at = left.findIndex((each) => !left.some((other) => isEarlier(other.compactRule, each.compactRule)));
    serial.push(...left.splice(at, 1));
  }
  return serial;
}

test('a graph run starts whatever may start and gives what the serial order gives', async () => {
  await forSeeds('graph on this thread', 60, async (random) => {
    const rewrites = Array.from({ length: random.below(50) }, () => ({
      ...randomRewrite(random, 3 + random.below(30)),
      compactRule: random.below(6),
    }));
    const order = randomOrder(random, 6);
    const serial = serialByDefinition(rewrites, order);
    const ended: PendingRewrite[] = [];
    const run = await runGraph(
      rewrites,
      async ({ index }) => {
        const each = canonical(rewrites)[index]!;
        const before = serial.slice(0, serial.indexOf(each));
        expect(before.filter((other) => conflicts(other, each) && !ended.includes(other))).toEqual([]);
        for (let turns = random.below(6); turns > 0; turns--) await Promise.resolve();
        ended.push(each);
        return index;
      },
      order,
    );
    expect(run.rewrites.every((each, at) => each === canonical(rewrites)[at])).toBe(true);
    expect(run.results).toEqual(rewrites.map((_, at) => at));
    expect(runAll(ended)).toBe(runAll(serial));
  });
});

test('a function that returns at once is called in exactly the serial order', async () => {
  await forSeeds('serial order', 60, async (random) => {
    const rewrites = Array.from({ length: random.below(40) }, () => ({
      ...randomRewrite(random, 10),
      compactRule: random.below(6),
    }));
    const order = randomOrder(random, 6);
    const called: PendingRewrite[] = [];
    const inOrder = canonical(rewrites);
    await runGraph(rewrites, ({ index }) => void called.push(inOrder[index]!), order);
    const serial = serialByDefinition(rewrites, order);
    expect(called.every((each, at) => each === serial[at])).toBe(true);
  });
});

const MODULE = new URL('../support/graph-module.mjs', import.meta.url);
const CELLS = 24;

test('threads leave the same memory and results as one thread, for every number of them', async () => {
  const pools = await Promise.all(
    [1, 2, 4].map(async (workers) => {
      const shared = new SharedArrayBuffer(CELLS * 4);
      return { shared, pool: await createRewritePool({ workers, execute: MODULE, shared }) };
    }),
  );
  await forSeeds('graph on threads', 12, async (random) => {
    const rewrites = Array.from({ length: 1 + random.below(200) }, (_, at) => {
      const cells = [...new Set([random.below(CELLS - 4), random.below(CELLS - 4)])];
      const add = random.below(2) === 0 ? [CELLS - 1 - random.below(4)] : [];
      const keys = (list: number[]) => list.map((id) => ({ warp: 1, id }));
      const sets = { nWrite: keys(cells), nAdd: keys(add) };
      const payload = { cells, add, wait: random.below(8) === 0 };
      return rewrite(sets, { scopeHash: bytes32(random.below(256)), compactRule: at % 7, payload });
    });
    const order = pick(random, [{}, { before: { 5: [2] } }, { after: { 0: [6], 6: [1] } }]);
    const alone = new SharedArrayBuffer(CELLS * 4);
    const serial = await runGraph(rewrites, MODULE, { shared: alone, ...order });
    const hashes = (results: readonly unknown[]) => results.map((each) => (each as { hash: number }).hash);
    for (const { pool, shared } of pools) {
      new Int32Array(shared).fill(0);
      const run = await pool.run(rewrites, order);
      expect(run.rewrites.every((each, at) => each === serial.rewrites[at])).toBe(true);
      expect(hashes(run.results)).toEqual(hashes(serial.results));
      expect(new Int32Array(shared)).toEqual(new Int32Array(alone));
    }
  });
  await Promise.all(pools.map(({ pool }) => pool.stop()));
});
