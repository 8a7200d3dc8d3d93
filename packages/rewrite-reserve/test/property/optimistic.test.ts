import type { Random } from '@horae/clock-store';
import { expect, test } from 'vitest';
import { type GraphTask, inferFootprint, runOptimistic, type World } from '../../src/index.js';
import { cellWorld } from '../support/cell-world.js';
import { canonical } from '../support/modelled-state.js';
import { forSeeds, pick, randomBytes } from '../support/random-rewrites.js';
import { rewrite } from '../support/rewrites.js';

type Step = { act: 'read' | 'write' | 'add'; category: 'node' | 'edge'; id: number; jump: number };

/** A program whose accesses depend on what it reads, so that nobody could declare them. */
function randomProgram(random: Random, cells: number): Step[] {
  return Array.from({ length: 1 + random.below(5) }, () => ({
    act: pick(random, ['read', 'read', 'write', 'add'] as const),
    category: pick(random, ['node', 'node', 'edge'] as const),
    id: random.below(cells),
    jump: random.below(3),
  }));
}

function* steps({ payload, index }: GraphTask, world: World, cells: number): Generator<void, number> {
  let seen = index + 1;
  for (const { act, category, id, jump } of payload as Step[]) {
    const key = { warp: 1, id: (id + jump * Math.abs(seen)) % cells };
    if (act === 'read') seen = (Math.imul(seen, 31) + Number(world.read(category, key))) | 0;
    if (act === 'write') world.write(category, key, seen);
    if (act === 'add') world.add!(category, key, seen % 1000);
    yield;
  }
  return seen;
}

test('an optimistic run leaves the world, the log and the results of a serial one', async () => {
  await forSeeds('optimistic', 120, async (random) => {
    const cells = 2 + random.below(60);
    const concurrency = pick(random, [1, 2, 5, 16, 40]);
    const rewrites = Array.from({ length: random.below(50) }, () =>
      rewrite({}, { scopeHash: randomBytes(random), payload: randomProgram(random, cells) }),
    );
    const serial = cellWorld();
    const wanted = canonical(rewrites).map((each, index) => {
      let result = 0;
      const touched = inferFootprint(serial.world, (world) => {
        const run = steps({ ...each, index } as unknown as GraphTask, world, cells);
        let next = run.next();
        while (next.done !== true) next = run.next();
        result = next.value;
      });
      return { result, touched };
    });
    const optimistic = cellWorld();
    const isAsync = random.below(3) > 0;
    const patience = Array.from({ length: 500 }, () => random.below(5));
    let turn = 0;
    const run = await runOptimistic(
      rewrites,
      (task, world) => {
        const program = steps(task, world, cells);
        if (!isAsync) {
          let next = program.next();
          while (next.done !== true) next = program.next();
          return next.value;
        }
        return (async () => {
          for (let next = program.next(); ; next = program.next()) {
            if (next.done === true) return next.value;
            for (let wait = patience[turn++ % 500]!; wait > 0; wait--) await Promise.resolve();
          }
        })();
      },
      { world: optimistic.world, concurrency },
    );
    expect(optimistic.log).toEqual(serial.log);
    expect(optimistic.cells).toEqual(serial.cells);
    expect(run.rewrites).toEqual(canonical(rewrites));
    expect(run.results).toEqual(wanted.map(({ result }) => result));
    expect(run.footprints).toEqual(wanted.map(({ touched }) => touched));
    expect(run.runs).toBe(rewrites.length + run.repeats);
    expect(run.repeats).toBeLessThanOrEqual(2 * rewrites.length);
  });
});
