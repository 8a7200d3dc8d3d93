import { describe, expect, test } from 'vitest';
import {
  footprint,
  keys,
  type NodeKey,
  type Path,
  type ResourceKey,
  runOptimistic,
  type UndeclaredRewrite,
  type World,
} from '../../src/index.js';
import { cellWorld } from '../support/cell-world.js';
import { bytes32, key } from '../support/rewrites.js';

const undeclared = (first: number, payload?: unknown): UndeclaredRewrite => ({
  scopeHash: bytes32(first),
  compactRule: 1,
  scope: key(0),
  phase: 'matched',
  ...(payload === undefined ? {} : { payload }),
});
const list = (count: number) => Array.from({ length: count }, (_, at) => undeclared(at));
const increment = (world: World, id = 'counter') => {
  const next = Number(world.read('node', key(id))) + 1;
  world.write('node', key(id), next);
  return next;
};

describe('runOptimistic', () => {
  test('counts correctly where everybody changes one counter, and tells how much was repeated', async () => {
    const { world, log } = cellWorld();
    const run = await runOptimistic(list(40), async (_, view) => increment(view), { world });
    expect(run.results).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
    expect(run.repeats).toBeGreaterThan(0);
    expect(run.runs).toBe(40 + run.repeats);
    expect(log).toHaveLength(40);
  });

  test('repeats a function that returns at once as well', async () => {
    const { world } = cellWorld();
    const run = await runOptimistic(list(40), (_, view) => increment(view), { world });
    expect(run.results.at(-1)).toBe(40);
    expect(run.repeats).toBeGreaterThan(0);
    expect(run.repeats).toBeLessThanOrEqual(40);
  });

  test('repeats nothing where nothing conflicts, nor where adders meet, nor one at a time', async () => {
    const { world, cells } = cellWorld();
    const apart = await runOptimistic(list(40), async ({ index }, view) => increment(view, `${index}`), { world });
    expect(apart.repeats).toBe(0);
    const adders = await runOptimistic(list(40), async (_, view) => view.add!('node', key('sum'), 1), { world });
    expect(adders.repeats).toBe(0);
    expect([...cells].find(([place]) => place.includes('sum'))![1]).toBe(40);
    expect(adders.footprints[0]).toEqual(footprint({ nAdd: [key('sum')] }));
    expect((await runOptimistic(list(40), (_, view) => increment(view), { world, concurrency: 1 })).repeats).toBe(0);
  });

  test('lets as many run at once as it is told', async () => {
    const { world } = cellWorld();
    let [running, most] = [0, 0];
    const work = async ({ index }: { index: number }, view: World) => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      increment(view, `${index}`);
      running -= 1;
    };
    await runOptimistic(list(40), work, { world });
    expect(most).toBe(16);
    most = 0;
    await runOptimistic(list(40), work, { world, concurrency: 3 });
    expect(most).toBe(3);
  });

  test('what a run throws counts only if its reads were valid', async () => {
    const { world } = cellWorld();
    const run = await runOptimistic(
      list(10),
      async ({ index }, view) => {
        const value = increment(view);
        // With a stale read the counter is behind.
        if (value !== index + 1) throw new Error(`saw ${value} at ${index}`);
        return value;
      },
      { world },
    );
    expect(run.results).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test('a valid failure leaves the world as one thread would, and what runs ends first', async () => {
    const { world, log } = cellWorld();
    let running = 0;
    const run = runOptimistic(
      list(10),
      async ({ index }, view) => {
        running += 1;
        view.write('node', key(index), index);
        for (let turn = 0; turn < 20 - index; turn++) await Promise.resolve();
        running -= 1;
        if (index === 3) throw new Error('third');
      },
      { world },
    );
    await expect(run).rejects.toThrow('third');
    expect(running).toBe(0);
    expect(log).toHaveLength(4);
  });

  test('sees its own writes, adds and wide writes', async () => {
    const { node } = keys(1);
    const wide = node({ path: ['doc'], subtree: true });
    const values = { point: 0 as unknown, wide: 0 as unknown };
    const shapeOf = (each: ResourceKey) => ('path' in each ? 'wide' : 'point');
    const world: World = {
      read: (_, each) => values[shapeOf(each)],
      write: (_, each, value) => {
        values[shapeOf(each)] = value;
      },
      add: (_, __, delta) => {
        values.point = Number(values.point) + Number(delta);
      },
    };
    const run = await runOptimistic(
      list(3),
      (_, view) => {
        view.write('node', node(['doc', 1]), 5);
        const written = view.read('node', node(['doc', 1]));
        view.add!('node', node(['doc', 1]), 2);
        const added = view.read('node', node(['doc', 1]));
        view.write('node', wide, 'all');
        return [written, added, view.read('node', wide)];
      },
      { world },
    );
    expect(run.results).toEqual([1, 2, 3].map(() => [5, 7, 'all']));
    expect(run.repeats).toBe(3);
  });

  test('a subtree that was read is stale when a point in it changes', async () => {
    const { node } = keys(1);
    const sections = new Map<number, string>();
    const world: World = {
      read: () => [...sections.values()].join(''),
      write: (_, each, value) => void sections.set(Number((each as NodeKey & { id: Path }).id[1]), String(value)),
    };
    const run = await runOptimistic(
      list(5),
      ({ index }, view) => {
        const before = view.read('node', node({ path: ['doc'], subtree: true }));
        view.write('node', node(['doc', index]), `${String(before).length}`);
        return before;
      },
      { world },
    );
    expect(run.results).toEqual(['', '0', '01', '012', '0123']);
  });

  test('checks its input', async () => {
    const { world } = cellWorld();
    const refused = (options: object, rewrites = list(1)) =>
      expect(runOptimistic(rewrites, () => 1, { world, ...options })).rejects;
    await refused({ concurrency: 0 }).toMatchObject({ code: 'bad-argument' });
    await refused({ concurrency: 1.5 }).toMatchObject({ code: 'bad-argument' });
    await refused({ world: {} }).toMatchObject({ code: 'bad-argument' });
    await refused({}, [{ ...undeclared(1), scopeHash: new Uint8Array(3) }]).toMatchObject({ code: 'bad-scope-hash' });
    expect(await runOptimistic([], () => 1, { world })).toEqual({
      rewrites: [],
      results: [],
      footprints: [],
      runs: 0,
      repeats: 0,
    });
  });
});
