import { type Random, seededRandom } from '@horae/clock-store';
import type { ManualClock } from '@horae/clock-store/testing';
import { startLocalExecutor } from '../../../src/engine/local-executor.js';
import { resolveOptions } from '../../../src/engine/node/ring-options.js';
import { createRingTime } from '../../../src/engine/node/ring-time.js';
import { type EngineNode, startNode } from '../../../src/engine/start-node.js';
import { createRemoteCalls } from '../../../src/http/create-remote-calls.js';
import type { Handler } from '../../../src/model/handler.js';
import type { Executor } from '../../../src/model/interface.js';
import type { JobStore } from '../../../src/store/job-store.js';
import { throughFaults } from './faulty-store.js';
import { drawFault, type HistoryPlan } from './history-plan.js';
import { createMachine, type SimulatedMachine } from './simulated-machine.js';

/** A node of a simulation on a machine of its own. */
export interface SimulatedNode {
  readonly owner: string;
  readonly machine: SimulatedMachine;
  readonly engine: EngineNode;
  readonly executors: Executor[];
  addExecutor(): void;
}

/** The parts of the engine that a simulation runs. */
export interface Engine {
  readonly startNode: typeof startNode;
  readonly startLocalExecutor: typeof startLocalExecutor;
}

export const soundEngine: Engine = { startNode, startLocalExecutor };

export interface World {
  readonly engine: Engine;
  readonly base: ManualClock;
  readonly store: JobStore;
  readonly plan: HistoryPlan;
  readonly random: Random;
  /** The worst is over: no more faults. */
  isHealed: boolean;
  handlerOn(owner: string, machine: SimulatedMachine): Handler;
}

const MAX_SKEW_MS = 900;

export async function startSimulatedNode(world: World, owner: string): Promise<SimulatedNode> {
  const { base, plan, random } = world;
  const isSkewed = plan.weather === 'storm';
  const skewMs = isSkewed ? random.below(2 * MAX_SKEW_MS) - MAX_SKEW_MS : 0;
  const machine = createMachine(base, plan.hasSharedClock ? skewMs * 1_000 : skewMs);
  const store = throughFaults(world.store, {
    machine,
    base,
    now: () => (plan.hasSharedClock ? base.now() : null),
    draw: () => (world.isHealed ? null : drawFault(random, plan.faultsPerMille)),
  });
  const time = createRingTime(machine.clock, !plan.hasSharedClock);
  await time.read(store);
  const engine = await world.engine.startNode({
    owner,
    options: resolveOptions({
      database: '',
      clock: machine.clock,
      random: seededRandom(owner),
      nodeId: owner,
      claim: plan.claim,
    }),
    store,
    time,
    calls: createRemoteCalls({}, machine.clock),
    maxExecutors: 10,
    resultGraceMs: 1_000,
  });
  const executors: Executor[] = [];
  const handlers = { work: world.handlerOn(owner, machine) };
  let count = 0;
  return {
    owner,
    machine,
    engine,
    executors,
    addExecutor() {
      count += 1;
      const options = { group: 'default', address: `${owner}:${count}`, handlers, queueLimit: 100, concurrency: null };
      void world.engine.startLocalExecutor(engine.executorParts, options).then((executor) => executors.push(executor));
    },
  };
}
