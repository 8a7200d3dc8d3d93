import { type Contender, defineBench } from '@horae-tooling/bench';
import type { NodeKey, PendingRewrite, World } from '../../src/index.js';
import { api, words } from './support.js';

const TASKS = 2000;
const STEPS = 10_000;

interface Loaded {
  rewrites: PendingRewrite[];
  world: World;
}

/** Tasks of about ten microseconds that read and write one cell; `percent` of them share their cell with the task before. */
function loaded(percent: number): Loaded {
  const next = words(percent + 1);
  const cells = new Map<unknown, number>();
  let cell = 0;
  const rewrites = Array.from({ length: TASKS }, (_, at): PendingRewrite => {
    if (next() % 100 >= percent) cell = at;
    const key = { warp: 1, id: cell };
    const scopeHash = new Uint8Array(32);
    new DataView(scopeHash.buffer).setUint32(0, at);
    const footprint = api.footprint({ nWrite: [key] });
    return { scopeHash, compactRule: 1, scope: key, footprint, phase: 'matched' };
  });
  const world: World = {
    read: (_, key) => cells.get((key as NodeKey).id) ?? 0,
    write: (_, key, value) => void cells.set((key as NodeKey).id, value as number),
  };
  return { rewrites, world };
}

function work({ scope }: { scope: NodeKey }, world: World): number {
  let value = Number(world.read('node', scope));
  for (let step = 0; step < STEPS; step++) value = (Math.imul(value, 1_103_515_245) + 12_345) | 0;
  world.write('node', scope, value);
  return value;
}

const declared = (percent: number): Contender<Loaded> => ({
  setup: () => loaded(percent),
  run: async ({ rewrites, world }) => (await api.runGraph(rewrites, (task) => work(task, world))).results.length,
  operations: TASKS,
});

const optimistic = (percent: number, concurrency: number): Contender<Loaded> => ({
  setup: () => loaded(percent),
  run: async ({ rewrites, world }) => (await api.runOptimistic(rewrites, work, { world, concurrency })).runs,
  operations: TASKS,
});

const at = (percent: number) =>
  defineBench({
    name: `rewrite-reserve/optimistic/${percent}`,
    about: `One task of about ten microseconds, ${percent} % of them in conflict with the one before; one thread.`,
    ours: 'optimistic',
    contenders: {
      optimistic: optimistic(percent, 16),
      'optimistic, one at a time': optimistic(percent, 1),
      declared: declared(percent),
    },
    wanted: percent === 5 ? [{ against: 'declared', ratioAtLeast: 0.5 }] : [],
  });

export default [at(0), at(5), at(50)];
