import { createSimulation, restoreSimulation, type Simulation } from '@horae/epoch-sim';
import { defineBench } from '@horae-tooling/bench';
import { crowd, MINUTES } from './crowd.js';

const MILLION = 1_000_000;
const BRANCHES = 1_000;

/** Bytes of heap and array buffers that `make` leaves behind. */
function bytesOf(make: () => unknown): number {
  const used = () => {
    globalThis.gc?.();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const before = used();
  const kept = make();
  const after = used();
  return kept === undefined ? 0 : after - before;
}

export default [
  defineBench({
    name: 'sim/snapshot/1M',
    about: 'A binary snapshot of 1,000,000 actions at 06:00; names and actions are packed once and kept.',
    ours: 'binary',
    contenders: {
      binary: {
        setup() {
          const simulation = createSimulation(crowd(MILLION)).runUntil(MINUTES / 4);
          simulation.snapshot({ format: 'binary' });
          return simulation;
        },
        run: (simulation: Simulation) => simulation.snapshot({ format: 'binary' }),
      },
    },
    wanted: [{ atMost: 30e6 }],
  }),
  // Not beside the snapshot: what it frees decides whether the snapshot's memory is fresh.
  defineBench({
    name: 'sim/branch/1M',
    about: 'A branch of the same 1,000,000 actions.',
    ours: 'branch',
    contenders: {
      branch: {
        setup: () => createSimulation(crowd(MILLION)).runUntil(MINUTES / 4),
        run: (simulation: Simulation) => simulation.branch(),
      },
    },
  }),
  defineBench({
    name: 'sim/branches',
    about:
      '1,000 what-if branches of a 1,000-action epoch: branch at noon, interrupt one action, run to the end; all of them.',
    ours: 'branch',
    contenders: {
      branch: {
        setup: () => createSimulation(crowd(1_000, 20)).runUntil(MINUTES / 2),
        run(trunk: Simulation) {
          let events = 0;
          for (let i = 0; i < BRANCHES; i++) {
            const branch = trunk.branch();
            branch.interrupt({ at: '2025-07-01T12:10:00', target: `lock:lock${i % 8}`, resume_after_min: 30 });
            branch.runUntil(MINUTES);
            events += branch.t;
          }
          return events;
        },
      },
      'restore from binary': {
        setup: () =>
          createSimulation(crowd(1_000, 20))
            .runUntil(MINUTES / 2)
            .snapshot({ format: 'binary' }),
        run(snapshot: Uint8Array) {
          let events = 0;
          for (let i = 0; i < BRANCHES; i++) events += restoreSimulation(snapshot).runUntil(MINUTES).t;
          return events;
        },
      },
    },
    wanted: [{ atMost: 1e9 }],
  }),
  defineBench({
    name: 'sim/memory',
    about:
      'Bytes per action of a simulation of 100,000 actions after its day, without the input objects (needs --expose-gc to be exact).',
    ours: 'simulation',
    unit: 'bytes',
    contenders: {
      simulation: {
        setup: () => crowd(100_000),
        sample: (input: ReturnType<typeof crowd>) => bytesOf(() => createSimulation(input).runUntil(MINUTES)) / 100_000,
      },
      'binary snapshot': {
        setup: () => createSimulation(crowd(100_000)).runUntil(MINUTES),
        sample: (simulation: Simulation) => simulation.snapshot({ format: 'binary' }).length / 100_000,
      },
    },
  }),
];
