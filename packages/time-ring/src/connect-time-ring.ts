import { createEmitter } from '@horae/clock-store';
import { type HoraeDatabase, openDatabase } from '@horae/clock-store/storage';
import { createClientExecutors } from './client/client-executors.js';
import { createClientRecorder } from './client/client-recorder.js';
import { createCalendarService } from './engine/api/calendar-service.js';
import { createFlowService } from './engine/api/flow-service.js';
import { createGroupService } from './engine/api/group-service.js';
import { createJobService } from './engine/api/job-service.js';
import { createRunService } from './engine/api/run-service.js';
import { guardStopped } from './engine/api/stopped-guard.js';
import { type FlowEnds, noCounts } from './engine/node/ring-node.js';
import { resolveOptions } from './engine/node/ring-options.js';
import { createRingTime } from './engine/node/ring-time.js';
import { createRemoteCalls } from './http/create-remote-calls.js';
import { badOption } from './model/errors.js';
import type { RingEvents } from './model/events.js';
import type { ConnectOptions, RingClient } from './model/interface.js';
import { UNOWNED } from './model/run.js';
import { sqlJobStore } from './store/sql/sql-job-store.js';
import { rememberTracing, type TracingSlot } from './workbench/run-tracing.js';

/**
 * Connects to the database of a ring without becoming a node: for web processes, scripts and commands. Jobs and runs can be read and
 * changed, runs triggered and killed; nothing is scheduled, claimed or executed here, and no loop runs. A node takes the runs that a client
 * triggers: at once on PostgreSQL, within a second elsewhere.
 */
export async function connectTimeRing(options: ConnectOptions): Promise<RingClient> {
  const resolved = resolveOptions({ ...options, http: undefined });
  const { clock, random, isClockGiven } = resolved;
  const { database, close } = await opened(options);
  try {
    const store = await sqlJobStore(database);
    const time = createRingTime(clock, isClockGiven || database.dialect === 'sqlite');
    await time.read(store);
    const calls = createRemoteCalls(options.http ?? {}, clock);
    const node = {
      ...{ owner: UNOWNED, options: resolved, store, time, clock, random, isStopping: false },
      counters: noCounts(),
      tracing: { current: null } as TracingSlot,
      emitter: createEmitter<RingEvents>(),
      flowEnds: createEmitter<FlowEnds>(),
    };
    const registry = createClientExecutors(store, time, resolved);
    const jobs = createJobService(node, { markUncertain() {} }, { accept() {}, withdraw() {} }, registry);
    const runs = createRunService(node, {
      ...{ registry, calls, recorder: createClientRecorder(node) },
      owned: { get: () => undefined, markUncertain() {} },
      intake: { accept() {} },
      logs: { flush: async () => {} },
      sender: { sending: async () => {} },
      // Results arrive at nodes, so a kill has nothing to wait for here.
      results: { duringKill: async (_runId, ask, conclude) => conclude(await ask()) },
    });
    const calendars = createCalendarService(node);
    const groups = createGroupService(node, { registry: { forget() {} }, waiting: { relieve() {} } });
    const flows = createFlowService(node, { owned: { markUncertain() {} }, intake: { accept() {} }, runs });
    const executors = { list: registry.list };
    const client = clientOf({ jobs, runs, calendars, groups, flows, executors }, async () => {
      await calls.close();
      await close();
    });
    rememberTracing(client, node.tracing);
    return client;
  } catch (error) {
    await close();
    throw error;
  }
}

async function opened({
  database,
  clock,
}: ConnectOptions): Promise<{ database: HoraeDatabase; close(): Promise<void> }> {
  if (typeof database === 'string') {
    const own = await openDatabase(database, clock === undefined ? {} : { clock });
    return { database: own, close: () => own.close() };
  }
  if (typeof database?.transaction === 'function') return { database, close: async () => {} };
  throw badOption('database', database, 'a URL such as sqlite:./ring.db, or what openDatabase gave');
}

function clientOf(
  {
    jobs,
    runs,
    calendars,
    groups,
    flows,
    executors,
  }: Pick<RingClient, 'jobs' | 'runs' | 'calendars' | 'groups' | 'flows' | 'executors'>,
  closeAll: () => Promise<void>,
): RingClient {
  let closing: Promise<void> | null = null;
  const isClosed = () => closing !== null;
  const close = async () => {
    closing ??= closeAll();
    await closing;
  };
  return {
    jobs: guardStopped(jobs, isClosed),
    runs: guardStopped(runs, isClosed),
    calendars: guardStopped(calendars, isClosed),
    groups: guardStopped(groups, isClosed),
    flows: guardStopped(flows, isClosed),
    executors: guardStopped(executors, isClosed),
    close,
    stop: close,
    [Symbol.asyncDispose]: close,
  };
}
