import { createSimulation, type EpochInput, runEpoch, simulateColumns } from '@horae/epoch-sim';
import { defineBench } from '@horae-tooling/bench';
import { INTERPRETERS } from '../support/python.js';
import { crowd, crowdColumns, MINUTES } from './crowd.js';
import { queues, simulateObjects } from './object-simulation.js';
import { findSimPy, simPyContender } from './simpy.js';

const COUNT = 100_000;

/** Runs before the first timed one, for every contender alike, so that compiled code is compared with compiled code. */
const WARM_UP = 4;

const crowds = new Map<number, EpochInput>();

/** One crowd for all contenders: several copies would make every garbage collection longer. */
function sharedCrowd(count: number): EpochInput {
  const input = crowds.get(count) ?? crowd(count);
  crowds.set(count, input);
  return input;
}

function warmed<Input>(input: Input, run: (input: Input) => unknown): Input {
  for (let i = 0; i < WARM_UP; i++) run(input);
  return input;
}

const objects = (queue: keyof typeof queues) => ({
  setup: () => warmed(sharedCrowd(COUNT), (input) => simulateObjects(input, queues[queue])),
  run: (input: EpochInput) => simulateObjects(input, queues[queue]),
  operations: COUNT,
});

/** Nanoseconds per action of carrying on a fresh simulation; reading the input is not part of it. */
function engineSample(count: number, interrupts: number) {
  return {
    setup() {
      const input = warmed(crowd(count, interrupts), (given) => createSimulation(given).runUntil(MINUTES));
      // One simulation stays alive between the samples, as in a program that uses one.
      return { input, alive: createSimulation(input) };
    },
    sample({ input }: { input: EpochInput }) {
      const simulation = createSimulation(input);
      const began = process.hrtime.bigint();
      simulation.runUntil(MINUTES);
      return Number(process.hrtime.bigint() - began) / count;
    },
  };
}

const columnsOf = (count: number) => ({
  setup: () => warmed(crowdColumns(sharedCrowd(count)), simulateColumns),
  run: simulateColumns,
  operations: count,
});

const simPy = findSimPy();
const NO_SIMPY = `SimPy is left out: none of ${INTERPRETERS.join(' and ')} has it (Debian: apt-get install python3-simpy3 or python3-simpy).`;
if (simPy === null) console.error(NO_SIMPY);

/** Left out of `contenders` where there is no SimPy. */
const simPyOf = (count: number) =>
  simPy === null ? {} : { [simPy.name]: simPyContender(simPy.interpreter, () => crowdColumns(sharedCrowd(count))) };

export default [
  defineBench({
    name: 'sim/columns',
    about: 'A day of 100,000 lock-contending actions, per action: columns in and out; the peers take and give objects.',
    ours: 'simulateColumns',
    contenders: { simulateColumns: columnsOf(COUNT), tinyqueue: objects('tinyqueue'), flatqueue: objects('flatqueue') },
    // A frame at 60 Hz is 16.7 ms.
    wanted: [{ atMost: 167 }],
  }),
  defineBench({
    name: 'sim/engine',
    about:
      'The same day with 2,000 interrupts on the full engine, per action, without reading input or writing objects.',
    ours: 'engine',
    contenders: { engine: engineSample(COUNT, 2_000), 'engine without interrupts': engineSample(COUNT, 0) },
    wanted: [{ atMost: 1_000 }],
  }),
  defineBench({
    name: 'sim/objects',
    about: 'The same day from objects to event objects, per action; runEpoch also checks the input.',
    ours: 'runEpoch',
    contenders: {
      runEpoch: {
        setup: () => warmed(sharedCrowd(COUNT), (input) => runEpoch(input)),
        run: (input: EpochInput) => runEpoch(input),
        operations: COUNT,
      },
      tinyqueue: objects('tinyqueue'),
      flatqueue: objects('flatqueue'),
    },
    wanted: [{ against: 'tinyqueue', ratioAtLeast: 3 }],
  }),
  ...[1_000, 10_000, 100_000].map((count) =>
    defineBench({
      name: `sim/simpy/${count}`,
      about: `A day of ${count} actions with FIFO locks and no interrupts, per action; each reads its input beforehand.${simPy === null ? ` ${NO_SIMPY}` : ''}`,
      ours: 'engine',
      contenders: { engine: engineSample(count, 0), simulateColumns: columnsOf(count), ...simPyOf(count) },
    }),
  ),
  ...[1_000, 10_000, 100_000, 1_000_000].map((count) =>
    defineBench({
      name: `sim/growth/${count}`,
      about: `A day of ${count} actions, per action: the figure should hardly change with the number.`,
      ours: 'simulateColumns',
      contenders: { simulateColumns: columnsOf(count), engine: engineSample(count, count / 50) },
    }),
  ),
];
