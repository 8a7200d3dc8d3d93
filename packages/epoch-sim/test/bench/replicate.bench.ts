import { type EpochInput, replicate } from '@horae/epoch-sim';
import { defineBench } from '@horae-tooling/bench';
import { crowd, crowdColumns } from './crowd.js';
import { findSimPy, simPyContender } from './simpy.js';

const COUNT = 10_000;
const RUNS = 1_000;

/** A day of 10,000 actions whose durations are drawn. */
function day(): EpochInput {
  const input = crowd(COUNT);
  const action_defs = Object.fromEntries(
    Object.entries(input.action_defs).map(([verb, def]) => {
      return [
        verb,
        { ...def, base_duration_min: { kind: 'exponential' as const, mean: Number(def.base_duration_min) } },
      ];
    }),
  );
  return { ...input, action_defs };
}

/** Nanoseconds per action of all replications, the start of the threads included. */
const on = (workers: number) => ({
  setup: day,
  async sample(input: EpochInput) {
    const began = process.hrtime.bigint();
    await replicate(input, { runs: RUNS, workers, onProgress: () => undefined });
    return Number(process.hrtime.bigint() - began) / (RUNS * COUNT);
  },
});

const simPy = findSimPy();

export default [
  defineBench({
    name: 'sim/replicate',
    about:
      '1,000 replications of a day of 10,000 actions with drawn durations, figures and intervals included, per action; SimPy runs one day with fixed durations and no figures.',
    ours: 'two workers',
    contenders: {
      'two workers': on(2),
      'one worker': on(1),
      'this thread': on(0),
      ...(simPy === null ? {} : { [simPy.name]: simPyContender(simPy.interpreter, () => crowdColumns(crowd(COUNT))) }),
    },
    wanted: [{ against: 'one worker', ratioAtLeast: 1.7 }],
  }),
];
