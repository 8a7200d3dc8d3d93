import { createEmitter } from '@horae/clock-store';
import type { AlertRule } from '../model/alert.js';
import type { Calendars } from '../model/calendar.js';
import type { RingEvents, RingHealth, RingMetrics } from '../model/events.js';
import type { Flows } from '../model/flow.js';
import type { Group, Groups } from '../model/group.js';
import type { Executors, Jobs, Runs } from '../model/interface.js';
import type { JobStore } from '../store/job-store.js';
import type { WakeUps } from '../store/wake-ups.js';
import { createRing } from '../wheel/ring.js';
import type { RemoteCalls } from '../workbench/remote-calls.js';
import { createAlertRecords } from './alerts/alert-records.js';
import { createAlertOutbox } from './alerts/outbox.js';
import { createPassAlerts } from './alerts/pass-alerts.js';
import type { SendAlert } from './alerts/send-alert.js';
import { createCalendarService } from './api/calendar-service.js';
import { createFlowService } from './api/flow-service.js';
import { createGroupService } from './api/group-service.js';
import { createJobService } from './api/job-service.js';
import { createRunService } from './api/run-service.js';
import { createBucketLeases } from './claim/bucket-leases.js';
import { checkClaimMode } from './claim/claim-mode.js';
import { createIdleWatch } from './claim/idle-watch.js';
import { createInstantDrain } from './claim/instant-drain.js';
import { createQuietWatch } from './claim/quiet-watch.js';
import { createRingDrain } from './claim/ring-drain.js';
import { createSchedulePass } from './claim/schedule-pass.js';
import { startSecondLoop } from './claim/second-loop.js';
import { createTakeUnowned } from './claim/take-unowned.js';
import { createDispatcher } from './dispatch/dispatcher.js';
import { createRunIntake } from './dispatch/intake.js';
import { createJoinRuns } from './dispatch/join-runs.js';
import { createPlaceRun } from './dispatch/place-run.js';
import { createTriggerQueue } from './dispatch/queue.js';
import { createExecutorRegistry } from './dispatch/registry.js';
import { createRunRouter } from './dispatch/router.js';
import { createRemoteSender } from './dispatch/sender.js';
import { createWaitingRuns } from './dispatch/waiting-runs.js';
import { createSharedEvents, type SharedEvents } from './events/shared-events.js';
import type { LocalExecutorParts } from './local-executor.js';
import type { DueRun, RingRun } from './node/active-run.js';
import { createHeartbeatWatch } from './node/clock-watch.js';
import { createEngineSteps } from './node/engine-steps.js';
import { createLiveness } from './node/liveness.js';
import { OwnedRuns } from './node/owned-runs.js';
import { createPassWatch } from './node/pass-watch.js';
import { type FlowEnds, heartbeatOf, noCounts, type RingNode } from './node/ring-node.js';
import type { ResolvedOptions } from './node/ring-options.js';
import type { RingTime } from './node/ring-time.js';
import { nodeLogger } from './node/run-log.js';
import { createRunStatistics } from './node/run-statistics.js';
import { createRecorder } from './record/recorder.js';
import { createRunLogs } from './record/run-logs.js';
import { createProgressReports } from './record/run-progress.js';
import { createRunStarter } from './record/run-starter.js';
import { type StopOptions, stopNode } from './stop-node.js';
import { createDelayWatch } from './upkeep/delay-watch.js';
import { createHandoverWatch } from './upkeep/handover-watch.js';
import { createHistoryLimits } from './upkeep/history-limits.js';
import { createKillWatch } from './upkeep/kill-watch.js';
import { createRemoteResults, type RemoteResults } from './upkeep/remote-results.js';
import { createRemoteWatch } from './upkeep/remote-watch.js';
import { createRestartCheck } from './upkeep/restarted-executors.js';
import { createRetention } from './upkeep/retention.js';
import { createWaitingGroups } from './upkeep/waiting-groups.js';
import { createWaitingWatch } from './upkeep/waiting-watch.js';

/** A node on an open store: the engine without its database and its HTTP server. */
export interface EngineNode {
  readonly jobs: Jobs;
  readonly runs: Runs;
  readonly executors: Executors;
  readonly calendars: Calendars;
  readonly groups: Groups;
  readonly flows: Flows;
  readonly events: Pick<RingNode['emitter'], 'on'> & Pick<SharedEvents, 'onAll'>;
  readonly results: RemoteResults;
  readonly executorParts: LocalExecutorParts;
  metrics(): RingMetrics;
  health(): RingHealth;
  stop(how: StopOptions): Promise<void>;
}

export interface EngineParts {
  readonly owner: string;
  readonly options: ResolvedOptions;
  readonly store: JobStore;
  /** Null or omitted: no other node wakes this one, and it polls. */
  readonly wakeUps?: WakeUps | null;
  readonly time: RingTime;
  readonly calls: RemoteCalls;
  readonly maxExecutors: number;
  readonly resultGraceMs: number;
  /** The channels that this node can send alerts to. */
  readonly alertSenders?: ReadonlyMap<string, SendAlert>;
}

/** Puts the parts of a node together and starts its loops. */
export async function startNode(parts: EngineParts): Promise<EngineNode> {
  const { options, store, time, calls } = parts;
  const steps = createEngineSteps(options.onStep);
  const log = nodeLogger(options.log, options.nodeId);
  const node: RingNode = {
    owner: parts.owner,
    options,
    store,
    clock: options.clock,
    time,
    random: options.random,
    liveness: createLiveness(options.clock, options.leaseMs),
    passWatch: createPassWatch(options.clock, options.leaseMs, log),
    watchHeartbeats: createHeartbeatWatch(log, options.clock),
    log,
    emitter: createEmitter<RingEvents>({
      onListenerError: (error) => log.error({ err: error }, 'A listener of an event threw'),
    }),
    flowEnds: createEmitter<FlowEnds>(),
    alerts: createAlertRecords(options, (group) => node.groupAlerts.get(group) ?? NO_RULES),
    groupAlerts: new Map(),
    tracing: { current: null },
    statistics: createRunStatistics(options.metricJobs),
    counters: noCounts(),
    step: steps.call,
    startedAt: time.now(),
    peers: 0,
    others: [],
    listeners: new Set(),
    isListening: false,
    isStopping: false,
  };
  await checkClaimMode(node);

  const owned = new OwnedRuns(node);
  const ring = createRing<RingRun>({ slots: options.slots, drainSlots: options.drainSlots });
  const dueRing = createRing<DueRun>({ slots: options.slots, drainSlots: options.drainSlots });
  const intake = createRunIntake(node, { ring, dueRing, owned });
  const logs = createRunLogs(node);
  const progress = createProgressReports(node);
  const recorder = createRecorder(node, { logs, progress, owned, intake });
  const registry = createExecutorRegistry(node, calls, parts);
  const waiting = createWaitingRuns(node, { registry, calls, intake, owned, recorder });
  const sender = createRemoteSender(node, { owned, recorder, waiting, calls, resultGraceMs: parts.resultGraceMs });
  const route = createRunRouter(node, registry, calls);
  const place = createPlaceRun(node, { registry, recorder, sender });
  const dispatching = { node, owned, registry, waiting, route, place, sender, intake };
  const dispatcher = createDispatcher(dispatching);
  const queue = createTriggerQueue(node, dispatcher);
  intake.connect(queue);
  waiting.connect(queue, dispatcher);
  recorder.yieldTo(dispatcher, createJoinRuns(dispatching));
  recorder.onRecorded(() => waiting.relieveLimited());
  registry.onRestarted(createRestartCheck(node, { recorder, calls, resultGraceMs: parts.resultGraceMs }));
  const leases = createBucketLeases(node);
  const starter = createRunStarter(node, owned);
  const results = createRemoteResults(node, recorder);
  const takeUnowned = createTakeUnowned(node, { owned, intake, recorder, queue });
  registry.onJoined((isOwn) => {
    waiting.relieve();
    if (isOwn) takeUnowned();
  });
  const takeKills = createKillWatch(node, owned, registry);
  const sharedEvents = createSharedEvents(node);
  const handovers = createHandoverWatch(node, {
    ...{ owned, intake, recorder, registry, takeKills, sharedEvents },
    wakeUps: parts.wakeUps ?? null,
    onUnowned: takeUnowned,
  });
  sharedEvents.connect(handovers);
  const retention = createRetention(node);
  const outbox = createAlertOutbox({ ...node, leaseMs: options.leaseMs, senders: parts.alertSenders ?? new Map() });
  node.alerts.connect(outbox);
  const passAlerts = createPassAlerts(node);
  const idle = createIdleWatch(node, { owned, rings: [ring, dueRing], retention });
  const pass = createSchedulePass(node, {
    ...{ leases, owned, recorder, intake, queue, passAlerts, takeUnowned },
    quiet: createQuietWatch(node, leases, owned),
    chores: [
      () => logs.flush(),
      () => progress.flush(),
      () => registry.publish(),
      handovers.look,
      () => sharedEvents.look(),
      createWaitingWatch(node, recorder, waiting),
      takeKills,
      createRemoteWatch(node, recorder, registry),
      createDelayWatch(node),
      createHistoryLimits(node),
      () => retention.wake(),
      createWaitingGroups(node, waiting),
      () => passAlerts.flush(),
      outbox.look,
      idle.look,
    ],
  });
  const heartbeat = createHeartbeat(node);
  const drain = createRingDrain(node, { ring, dueRing, owned, intake });
  const instants = createInstantDrain(node, { rings: [ring, dueRing], drain });
  intake.onWaiting(instants.look);
  const seconds = startSecondLoop(node, {
    pass,
    drain: instants.drain,
    // A node that its database delays for a while is alive; a node without any progress must appear dead.
    heartbeat: () => void (steps.isPassInHook || node.passWatch.look() || heartbeat()),
    passHeld: steps.passHeld,
    idleUntil: idle.take,
  });
  const loop = { stop: async () => void (await Promise.all([instants.stop(), seconds.stop()])) };

  log.info({ claim: options.claim, zone: options.zone, channels: Object.keys(options.channels) }, 'Node started');
  const jobs = createJobService(node, owned, intake, registry);
  const runs = createRunService(node, { owned, intake, logs, recorder, registry, sender, calls, results });
  const flows = createFlowService(node, { owned, intake, runs });
  // Other nodes read new rules with their next pass.
  const noteAlerts = ({ name, alerts }: Group) => {
    node.groupAlerts = new Map([...node.groupAlerts, [name, alerts]]);
  };
  return {
    jobs,
    runs,
    flows,
    executors: {
      list: (group) => registry.list(group),
      register: (executor) => registry.register(executor),
      beat: (executor) => registry.register(executor),
      remove: (executor) => registry.remove(executor),
    },
    calendars: createCalendarService(node),
    groups: createGroupService(node, { registry, waiting, onChanged: noteAlerts }),
    events: { on: node.emitter.on, onAll: sharedEvents.onAll },
    results,
    executorParts: {
      ...{ node, owned, registry, recorder, starter, logs, progress, waiting },
      handlerRing: { jobs: { trigger: jobs.trigger, triggerMany: jobs.triggerMany }, flows: { start: flows.start } },
    },
    metrics: () => ({ ...node.counters, ringSize: ring.size + dueRing.size, pools: queue.pools }),
    health: () => healthOf(node, pass, leases.owned, waiting.counts),
    stop: (how) =>
      stopNode(
        {
          ...{ node, loop, pass, ring, dueRing, owned, queue, recorder, starter, registry, leases, logs },
          ...{ retention, handovers, outbox, sharedEvents },
        },
        how,
      ),
  };
}

const NO_RULES: readonly AlertRule[] = [];

/** No pass for this long is a problem, however well the last one went. */
const NO_PASS_MS = 5_000;

function healthOf(
  node: RingNode,
  pass: { lastPassAt: number | null; problem: string | null },
  buckets: readonly number[],
  waiting: RingHealth['waiting'],
): RingHealth {
  const { nodeId, claim } = node.options;
  const silentMs = node.time.now() - (pass.lastPassAt ?? node.startedAt);
  const problem = pass.problem ?? (silentMs > NO_PASS_MS ? `No pass for ${Math.round(silentMs / 1_000)} s` : null);
  const status = node.isStopping ? 'stopped' : problem === null ? 'ok' : 'degraded';
  return { status, nodeId, claim, lastPassAt: pass.lastPassAt, buckets, waiting, problem };
}

/** Writes the heartbeat of a node while a pass takes long, one at a time. */
function createHeartbeat(node: RingNode): () => Promise<void> {
  let isWriting = false;
  return async () => {
    if (isWriting) return;
    isWriting = true;
    try {
      await node.store.transaction(async (trx) => {
        await trx.heartbeat(heartbeatOf(node, await node.time.read(trx)));
      });
    } catch (error) {
      node.log.warn({ err: error }, 'The heartbeat could not be written');
    }
    isWriting = false;
  };
}
