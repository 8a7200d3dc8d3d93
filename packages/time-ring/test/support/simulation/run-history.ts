import { seededRandom } from '@horae/clock-store';
import { createManualClock } from '@horae/clock-store/testing';
import { memoryJobStore } from '../../../src/index.js';
import { ringEventNames } from '../../../src/model/events.js';
import type { Job } from '../../../src/model/job.js';
import { parseJob } from '../../../src/schedule/parse-job.js';
import { timetableOf } from '../../../src/schedule/timetable.js';
import type { JobStore } from '../../../src/store/job-store.js';
import { createHandlers } from './history-handlers.js';
import { type HistoryPlan, planHistory, STEADY_JOBS } from './history-plan.js';
import type { History, HistoryEvent, UserCall } from './history-record.js';
import { misfortune } from './misfortune.js';
import { type Change, observeStore } from './observed-store.js';
import { type Engine, type SimulatedNode, soundEngine, startSimulatedNode, type World } from './simulated-node.js';
import { userCall } from './user-calls.js';

const START = Date.parse('2026-01-01T00:00:00Z');
/** After the worst is over: a lease and a second, queues that empty, retries of retries. */
const RECOVERY_MS = 16_000;
const MAX_NODES = 4;

/** What the parts of a running history share. */
export interface Running extends World {
  readonly nodes: SimulatedNode[];
  readonly calls: UserCall[];
  /** Ids of the jobs that users play with. */
  readonly playthings: number[];
  /** Runs that users have tried to kill. */
  readonly killed: Set<number>;
  /** By how much the clock was set back: a node that died before looks alive for so much longer. */
  setBackMs: number;
  order(): number;
  note(event: DistributiveOmit<HistoryEvent, 'order' | 'at'>): void;
  join(): Promise<void>;
  living(): SimulatedNode[];
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** Runs one history from a seed: the same seed, the same history. `plant` may break the store, `engine` be a broken one. */
export async function runHistory(
  seed: string,
  {
    claim,
    hasAsking = false,
    plant = (store) => store,
    engine = soundEngine,
  }: { claim?: HistoryPlan['claim']; hasAsking?: boolean; plant?(store: JobStore): JobStore; engine?: Engine } = {},
): Promise<History> {
  const random = seededRandom(seed);
  const drawn = planHistory(random);
  const plan = { ...drawn, hasAsking, claim: claim ?? drawn.claim };
  const base = createManualClock({ now: START + random.below(1_000) });
  const memory = memoryJobStore();
  const events: HistoryEvent[] = [];
  const note: Running['note'] = (event) =>
    void events.push({ ...event, order: events.length, at: base.now() } as HistoryEvent);
  const handlers = createHandlers(random, base, note);
  const store = observeStore(plant(memory), (change: Change) => {
    handlers.saw(change);
    note({ kind: 'change', change });
  });
  const nodes: SimulatedNode[] = [];
  let joined = 0;
  const running: Running = {
    engine,
    base,
    store,
    plan,
    random,
    isHealed: false,
    handlerOn: handlers.handlerOn,
    nodes,
    calls: [],
    playthings: [],
    killed: new Set(),
    setBackMs: 0,
    order: () => events.length,
    note,
    living: () => nodes.filter(({ machine }) => !machine.isDead),
    async join() {
      if (running.living().length >= MAX_NODES) return;
      joined += 1;
      const owner = `node ${joined}`;
      note({ kind: 'join', owner });
      const node = await startSimulatedNode(running, owner);
      for (const name of ringEventNames) {
        node.engine.events.on(name, (event) => {
          if (!node.machine.isDead) note({ kind: 'told', told: { name, event, owner } as never });
        });
      }
      // Every fourth node only schedules, as a web process does, until somebody gives it an executor.
      if (running.isHealed || random.below(4) > 0) node.addExecutor();
      if (random.below(2) === 0) node.addExecutor();
      nodes.push(node);
    },
  };
  const added = await addJobs(store, running);
  for (let i = 0; i < plan.nodes; i++) void running.join().catch(() => {});
  for (let step = 0; step < plan.steps; step++) {
    await base.advanceBy(100 + random.below(1_500));
    misfortune(running);
    for (let i = random.below(3); i > 0; i--) userCall(running);
  }
  running.isHealed = true;
  for (const node of running.living()) if (node.executors.length === 0) node.addExecutor();
  handlers.heal();
  void running.join().catch(() => {});
  await base.advanceBy(RECOVERY_MS + running.setBackMs);
  const history = await collect(memory);
  for (const { machine } of nodes) machine.crash();
  return {
    seed,
    plan,
    events,
    calls: running.calls,
    killed: running.killed,
    final: handlers.final,
    later: handlers.later,
    added,
    endedAt: base.now(),
    ...history,
  };
}

/** The jobs are there, and those with a schedule run, before any node is. The first is the parent of the second. */
async function addJobs(store: JobStore, { plan, base, playthings }: Running): Promise<Map<number, Job>> {
  const at = base.now();
  const jobs = await store.transaction((trx) =>
    Promise.all(
      plan.jobs.map(async (input, i) => {
        const job = await trx.insertJob(parseJob(i === 0 ? { ...input, children: [2] } : input), at);
        if (job.schedule.kind === 'none') return job;
        const running: Job = { ...job, state: 'RUNNING', nextAt: timetableOf(job.schedule, 'UTC', at).next(at) };
        await trx.putJob(running);
        return running;
      }),
    ),
  );
  playthings.push(...jobs.slice(STEADY_JOBS).map(({ id }) => id));
  return new Map(jobs.map((job) => [job.id, job]));
}

async function collect(store: JobStore): Promise<Pick<History, 'rows' | 'jobs'>> {
  const runs = await store.runs({ limit: Number.MAX_SAFE_INTEGER, beforeId: null });
  const rows = await store.transaction((trx) => trx.lockRuns(runs.map(({ id }) => id)));
  const jobs = await store.jobs({ limit: Number.MAX_SAFE_INTEGER, afterId: 0 });
  return { rows, jobs };
}
