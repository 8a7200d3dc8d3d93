import { setImmediate as turn } from 'node:timers/promises';
import { type Random, seededRandom } from '@horae/clock-store';
import { createManualClock } from '@horae/clock-store/testing';
import type { Handler } from '../../../src/model/handler.js';
import { isOver } from '../../../src/model/run.js';
import { parseJob } from '../../../src/schedule/parse-job.js';
import type { JobStore } from '../../../src/store/job-store.js';
import type { FlowHistory } from './check-flows.js';
import { allRows, type FlowCommit, watchCommits } from './flow-commits.js';
import { flowJobs, planFlowInput } from './flow-plan.js';
import { type HistoryPlan, oneOf } from './history-plan.js';
import type { SimulatedMachine } from './simulated-machine.js';
import { type Engine, type SimulatedNode, soundEngine, startSimulatedNode, type World } from './simulated-node.js';

const START = Date.parse('2026-01-01T00:00:00Z');
const MAX_NODES = 3;
/** How often the clock goes on in the end, by a second each, before a flow counts as lost. */
const MAX_RECOVERY = 60;
const ACTS = ['succeed', 'succeed', 'succeed', 'fail', 'fail', 'take time'] as const;

export interface FlowHistoryOptions {
  readonly store: JobStore;
  readonly engine?: Engine;
  readonly claim?: HistoryPlan['claim'];
  /** A database on a server answers in its own time: the clock waits until nothing is asked any more. */
  readonly isServer?: boolean;
}

/** Runs flows while machines crash between any two statements, calls to the store are lost, and users retry, kill and cancel. */
export async function runFlowHistory(
  seed: string,
  { store, engine = soundEngine, claim, isServer = false }: FlowHistoryOptions,
): Promise<FlowHistory> {
  const random = seededRandom(seed);
  const base = createManualClock({ now: START });
  const commits: FlowCommit[] = [];
  const plan = { ...stormOf(random), ...(claim === undefined ? {} : { claim }) };
  const nodes: SimulatedNode[] = [];
  let asked = 0;
  let joined = 0;
  const counted = countCalls(store, (by) => {
    asked += by;
  });
  const world: World = {
    ...{ engine, base, store: counted, plan, random, isHealed: false },
    handlerOn: (_owner, machine) => flowHandler(random, machine, () => world.isHealed),
  };
  const living = () => nodes.filter(({ machine }) => !machine.isDead);
  const join = async () => {
    if (living().length >= MAX_NODES) return;
    joined += 1;
    let node: SimulatedNode | null = null;
    const watched = watchCommits(
      counted,
      (commit) => commits.push(commit),
      () => {
        if (world.isHealed || random.below(1_000) >= plan.statementCrashes) return;
        // With its machine the transaction is gone, and the database takes back what it has done.
        if (random.below(3) > 0) node?.machine.crash();
        throw new Error('The connection broke between two statements');
      },
    );
    node = await startSimulatedNode(
      {
        ...world,
        store: watched,
        get isHealed() {
          return world.isHealed;
        },
      },
      `node ${joined}`,
    );
    node.addExecutor();
    nodes.push(node);
  };
  /** Lets the database answer what was asked, then the time pass. */
  const advance = async (ms: number) => {
    if (isServer) for (let quiet = 0; quiet < 3; quiet = asked === 0 ? quiet + 1 : 0) await turn();
    await base.advanceBy(ms);
  };
  const input = planFlowInput(random);
  await store.transaction(async (trx) => {
    for (const job of flowJobs) {
      const settings = parseJob({ ...job, schedule: { kind: 'none' }, block: 'CONCURRENT', concurrency: 50 });
      await trx.insertJob(settings, base.now());
    }
  });
  void join().catch(() => {});
  for (let step = 0; step < 10; step++) {
    if (living().length === 0 || random.below(5) === 0) void join().catch(() => {});
    await advance(50 + random.below(900));
    const node = living()[0];
    if (node !== undefined) act(random, node, { input, isFirst: step < 2, store: counted });
  }
  world.isHealed = true;
  void join().catch(() => {});
  for (let second = 0; second < MAX_RECOVERY; second++) {
    await advance(1_000);
    if (second > 5 && !(await store.flows({ state: 'running', limit: 1, beforeId: null })).length) break;
  }
  const reader = living().at(-1)!;
  const { flows } = await settled(reader.engine.flows.list({ limit: 100 }), advance);
  for (const { machine } of nodes) machine.crash();
  await advance(0);
  return { seed, input, commits, flows };
}

function stormOf(random: Random): HistoryPlan & { statementCrashes: number } {
  return {
    ...{ weather: 'crashes', claim: oneOf(random, ['lock-row', 'buckets'] as const), hasSharedClock: false },
    ...{ hasClockSteps: false, nodes: 1, steps: 10, jobs: [], hasAsking: false },
    faultsPerMille: oneOf(random, [0, 20, 60]),
    statementCrashes: oneOf(random, [0, 5, 20]),
  };
}

function flowHandler(random: Random, machine: SimulatedMachine, isHealed: () => boolean): Handler {
  let count = 0;
  return async ({ runId, signal }) => {
    const what = isHealed() ? 'succeed' : oneOf(random, ACTS);
    count += 1;
    if (what === 'fail') throw new Error('no');
    if (what === 'take time') await machine.clock.sleepFor(1 + random.below(1_500), { signal });
    return { runId, count };
  };
}

/** Somebody starts a flow, tries a run again, kills one or cancels a flow; whether it is answered is another matter. */
function act(
  random: Random,
  { engine }: SimulatedNode,
  { input, isFirst, store }: { input: FlowHistory['input']; isFirst: boolean; store: JobStore },
): void {
  const ignore = (call: Promise<unknown>) => void call.catch(() => {});
  const what = random.below(12);
  if (isFirst) ignore(engine.flows.start(input));
  else if (what <= 4)
    ignore(onRun(random, store, (state) => state === 'failed' || state === 'killed', engine.runs.retry));
  else if (what === 5) ignore(onRun(random, store, (state) => !isOver(state), engine.runs.kill));
  else if (what === 6 && random.below(3) === 0) ignore(engine.flows.cancel(1 + random.below(2)));
}

async function onRun(
  random: Random,
  store: JobStore,
  isMeant: (state: Parameters<typeof isOver>[0]) => boolean,
  act: (id: number) => Promise<unknown>,
): Promise<void> {
  const rows = (await allRows(store)).filter(({ state }) => isMeant(state));
  if (rows.length > 0) await act(oneOf(random, rows).id);
}

/** Counts the calls that are not answered yet. */
function countCalls(store: JobStore, count: (by: 1 | -1) => void): JobStore {
  return new Proxy(store, {
    get(target, key) {
      const call = Reflect.get(target, key) as unknown;
      if (typeof call !== 'function') return call;
      return async (...args: unknown[]) => {
        count(1);
        try {
          return await call.apply(target, args);
        } finally {
          count(-1);
        }
      };
    },
  });
}

async function settled<T>(promise: Promise<T>, advance: (ms: number) => Promise<void>): Promise<T> {
  let isDone = false;
  const done = promise.finally(() => {
    isDone = true;
  });
  for (let i = 0; i < 1_000 && !isDone; i++) await advance(1);
  return done;
}
