import { createEmitter } from '@horae/clock-store';
import { createRing } from '../decide/ring.js';
import type { LocalExecutorParts } from '../executor/local-executor.js';
import type { RemoteCalls } from '../http/remote-calls.js';
import type { RingEvents, RingHealth, RingMetrics } from '../ring-events.js';
import type { JobStore } from '../store/job-store.js';
import type { Executors, Jobs, Runs } from '../time-ring-interface.js';
import type { ActiveRun, RingRun } from './active-run.js';
import { createBucketLeases } from './bucket-leases.js';
import { checkClaimMode } from './claim-mode.js';
import { createDispatcher } from './dispatcher.js';
import { createEngineSteps } from './engine-steps.js';
import { createExecutorRegistry } from './executor-registry.js';
import { createJobService } from './job-service.js';
import { createKillWatch } from './kill-watch.js';
import { KnownRuns } from './known-runs.js';
import { createPlaceRun } from './place-run.js';
import { createRecorder } from './recorder.js';
import { createRemoteResults, type RemoteResults } from './remote-results.js';
import { createRemoteSender } from './remote-sender.js';
import { createRemoteWatch } from './remote-watch.js';
import { createRetention } from './retention.js';
import { createRingDrain } from './ring-drain.js';
import { noCounts, type RingNode } from './ring-node.js';
import type { ResolvedOptions } from './ring-options.js';
import type { RingTime } from './ring-time.js';
import { createRunKeeper } from './run-keeper.js';
import { createRunLogs } from './run-logs.js';
import { createRunRouter } from './run-router.js';
import { createRunService } from './run-service.js';
import { createRunStarter } from './run-starter.js';
import { createSchedulePass } from './schedule-pass.js';
import { type SecondLoop, startSecondLoop } from './second-loop.js';
import { createSilence } from './silence.js';
import { stopNode } from './stop-node.js';
import { createTriggerQueue } from './trigger-queue.js';

/** A node on an open store: the engine without its database and its HTTP side. */
export interface EngineNode {
  readonly jobs: Jobs;
  readonly runs: Runs;
  readonly executors: Executors;
  readonly events: RingNode['emitter'];
  readonly results: RemoteResults;
  readonly executorParts: LocalExecutorParts;
  metrics(): RingMetrics;
  health(): RingHealth;
  stop(deadlineMs: number): Promise<void>;
}

export interface EngineParts {
  readonly owner: string;
  readonly options: ResolvedOptions;
  readonly store: JobStore;
  readonly time: RingTime;
  readonly calls: RemoteCalls;
  readonly maxExecutors: number;
  readonly resultGraceMs: number;
}

/** Puts the parts of a node together and starts its loops. */
export async function startNode(parts: EngineParts): Promise<EngineNode> {
  const { options, store, time, calls } = parts;
  const steps = createEngineSteps(options.onStep);
  const node: RingNode = {
    owner: parts.owner,
    options,
    store,
    clock: options.clock,
    time,
    random: options.random,
    silence: createSilence(options.clock, options.leaseMs),
    log: options.log,
    emitter: createEmitter<RingEvents>({
      onListenerError: (error) => options.log.error({ error }, 'A listener of an event threw'),
    }),
    counters: noCounts(),
    step: steps.call,
    startedAt: time.now(),
    isStopping: false,
  };
  await checkClaimMode(node);

  const known = new KnownRuns();
  const ring = createRing<RingRun>({ slots: options.slots, drainSlots: options.drainSlots });
  const logs = createRunLogs(node);
  const registry = createExecutorRegistry(node, calls, parts);
  const recorder = createRecorder(node, logs, {
    followUps: (runs) => keeper.accept(runs, time.now()),
    over: (row) => known.delete(row),
    turn: () => dispatcher.afterBatch(),
    doubt: () => keeper.doubt(),
  });
  const sender = createRemoteSender(node, { known, recorder, calls, resultGraceMs: parts.resultGraceMs });
  const dispatcher = createDispatcher({
    node,
    known,
    recorder,
    route: createRunRouter(node, registry, calls),
    place: createPlaceRun(node, { registry, recorder, sender }),
    sender,
    enqueue: (runs: readonly ActiveRun[]) => keeper.accept(runs, time.now()),
    written: () => queue.relieve(),
    doubt: () => keeper.doubt(),
  });
  const queue = createTriggerQueue(node, dispatcher);
  const keeper = createRunKeeper(node, { ring, known, queue, recorder });
  const leases = createBucketLeases(node);
  const starter = createRunStarter(node, known, () => keeper.doubt());
  const results = createRemoteResults(node, recorder);
  const pass = createSchedulePass(node, {
    leases,
    keeper,
    queue,
    again: () => loop.poke(),
    chores: [
      () => logs.flush(),
      createKillWatch(node, known, registry),
      createRemoteWatch(node, recorder, registry),
      createRetention(node),
    ],
  });
  const loop: SecondLoop = startSecondLoop(node, {
    pass: pass.run,
    drain: createRingDrain(node, { ring, known, keeper }),
    // A node that is held up by its database is alive; one that does nothing at all must look dead.
    beat: () => void (steps.isPassInHook || giveSignOfLife(node)),
    passHeld: steps.passHeld,
  });

  async function handOut(runIds: readonly number[]): Promise<void> {
    const runs = runIds.flatMap((id) => known.get(id) ?? []);
    for (const { row } of runs) known.delete(row);
    const claims = runs.map(({ row: { id, owner, fence } }) => ({ id, owner: owner!, fence }));
    if (claims.length > 0) await store.transaction((trx) => trx.handBack(claims));
  }

  return {
    jobs: createJobService(node, keeper, registry),
    runs: createRunService(node, { known, logs, recorder, registry, sender, calls, results }),
    executors: {
      list: (group) => registry.list(group),
      register: (executor) => registry.register(executor),
      beat: (executor) => registry.register(executor),
      remove: (executor) => registry.remove(executor),
    },
    events: node.emitter,
    results,
    executorParts: { node, known, registry, recorder, starter, logs, handOut },
    metrics: () => ({ ...node.counters, ringSize: ring.size, pools: queue.pools }),
    health: () => healthOf(node, pass, leases.owned),
    stop: (deadlineMs) =>
      stopNode({
        node,
        loop,
        ring,
        known,
        queue,
        recorder,
        starter,
        registry,
        leases,
        logs,
        handOut,
        deadlineMs,
      }),
  };
}

/** No pass for this long is a problem, however well the last one went. */
const SILENCE_MS = 5_000;

function healthOf(
  node: RingNode,
  pass: { lastPassAt: number | null; problem: string | null },
  buckets: readonly number[],
): RingHealth {
  const { nodeId, claim } = node.options;
  const silentMs = node.time.now() - (pass.lastPassAt ?? node.startedAt);
  const problem = pass.problem ?? (silentMs > SILENCE_MS ? `No pass for ${Math.round(silentMs / 1_000)} s` : null);
  const status = node.isStopping ? 'stopped' : problem === null ? 'ok' : 'degraded';
  return { status, nodeId, claim, lastPassAt: pass.lastPassAt, buckets, problem };
}

async function giveSignOfLife(node: RingNode): Promise<void> {
  try {
    await node.store.transaction(async (trx) => {
      await trx.beat({ owner: node.owner, nodeId: node.options.nodeId, beatAt: await node.time.read(trx) });
    });
  } catch (error) {
    node.log.warn({ error }, 'The sign of life could not be written');
  }
}
