import { systemRandom } from '@horae/clock-store';
import { type HoraeDatabase, openDatabase } from '@horae/clock-store/storage';
import { rememberInternals } from './engine/ring-internals.js';
import { badOption, type ResolvedOptions, resolveOptions } from './engine/ring-options.js';
import { createRingTime } from './engine/ring-time.js';
import { type EngineNode, startNode } from './engine/start-node.js';
import { guardStopped } from './engine/stopped-guard.js';
import { createUuid } from './engine/uuid.js';
import { createRemoteCalls } from './http/create-remote-calls.js';
import { resolveHttpOptions } from './http/http-options.js';
import { createRingServer } from './http/ring-server.js';
import { sqlJobStore } from './store/sql-job-store.js';
import type { RingHttpOptions, RingOptions, TimeRing } from './time-ring-interface.js';

const STOP_DEADLINE_MS = 30_000;

/** What a ring has open besides its node, to be closed in reverse order. */
type Closers = (() => Promise<void>)[];

/**
 * Starts a node of a time ring: it schedules the jobs of its database together with the other nodes there, and runs them on its own
 * executors and on remote ones. Refuses options that do not fit, a database in the other claim mode, and one without its lock row.
 */
export async function startTimeRing(options: RingOptions): Promise<TimeRing> {
  const resolved = resolveOptions(options);
  // Refused before anything is opened.
  resolveHttpOptions(options.http ?? {});
  const closers: Closers = [];
  try {
    const database = await open(options, closers);
    const node = await startOn(database, options, resolved, closers);
    let http: TimeRing['http'] = null;
    const ring = createTimeRing(node, closers, () => http);
    rememberInternals(ring, node.executorParts);
    if (options.http !== undefined) http = await listen(ring, node, options.http, resolved, closers);
    return ring;
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
}

async function open({ database, clock }: RingOptions, closers: Closers): Promise<HoraeDatabase> {
  if (typeof database === 'string') {
    const opened = await openDatabase(database, clock === undefined ? {} : { clock });
    closers.push(() => opened.close());
    return opened;
  }
  if (typeof database?.transaction === 'function') return database;
  throw badOption('database', database, 'a URL such as sqlite:./ring.db, or what openDatabase gave');
}

async function startOn(
  database: HoraeDatabase,
  options: RingOptions,
  resolved: ResolvedOptions,
  closers: Closers,
): Promise<EngineNode> {
  const store = await sqlJobStore(database);
  const time = createRingTime(resolved.clock, resolved.isClockGiven || database.dialect === 'sqlite');
  await time.read(store);
  const calls = createRemoteCalls(options.http ?? {}, resolved.clock);
  closers.push(() => calls.close());
  const { maxExecutors, resultGraceMs } = resolveHttpOptions(options.http ?? {});
  return startNode({
    owner: createUuid(systemRandom()),
    options: resolved,
    store,
    time,
    calls,
    maxExecutors,
    resultGraceMs,
  });
}

async function listen(
  ring: TimeRing,
  node: EngineNode,
  options: RingHttpOptions,
  { clock, log }: ResolvedOptions,
  closers: Closers,
): Promise<TimeRing['http']> {
  try {
    const { url, host, port, close } = await createRingServer(options, {
      ring,
      results: node.results.accept,
      clock,
      log,
    });
    closers.push(close);
    return { url, host, port };
  } catch (error) {
    await node.stop(0);
    throw error;
  }
}

function createTimeRing(node: EngineNode, closers: Closers, http: () => TimeRing['http']): TimeRing {
  let stopping: Promise<void> | null = null;
  const isStopped = () => stopping !== null;
  const stop: TimeRing['stop'] = async ({ deadlineMs = STOP_DEADLINE_MS } = {}) => {
    stopping ??= node.stop(deadlineMs).then(() => closeAll(closers));
    await stopping;
  };
  return {
    jobs: guardStopped(node.jobs, isStopped),
    runs: guardStopped(node.runs, isStopped),
    executors: guardStopped(node.executors, isStopped),
    events: { on: node.events.on },
    get http() {
      return http();
    },
    metrics: node.metrics,
    health: node.health,
    stop,
    [Symbol.asyncDispose]: () => stop(),
  };
}

async function closeAll(closers: Closers): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}
