import { systemRandom } from '@horae/clock-store';
import { type HoraeDatabase, openDatabase } from '@horae/clock-store/storage';
import { guardStopped } from './engine/api/stopped-guard.js';
import { watchedTime } from './engine/node/clock-watch.js';
import { type ResolvedOptions, resolveOptions } from './engine/node/ring-options.js';
import { createRingTime } from './engine/node/ring-time.js';
import { rememberGrounds } from './engine/ring-grounds.js';
import { rememberInternals } from './engine/ring-internals.js';
import { type EngineNode, startNode } from './engine/start-node.js';
import { createAlertSenders } from './http/alert-senders.js';
import { createRemoteCalls } from './http/create-remote-calls.js';
import { resolveHttpOptions } from './http/http-options.js';
import { badOption } from './model/errors.js';
import type { RingHttpOptions, RingOptions, TimeRing } from './model/interface.js';
import { createUuid } from './model/uuid.js';
import { createRingServer } from './server/ring-server.js';
import { sqlJobStore } from './store/sql/sql-job-store.js';
import { sqlWakeUps } from './store/sql/sql-wake-ups.js';
import { rememberTracing } from './workbench/run-tracing.js';

const STOP_DEADLINE_MS = 30_000;
/** When a node closes its database, none of its own work is under way any more, unless the database is stuck. */
const CLOSE_LIMIT_MS = 1_000;

/** The resources that a ring has open besides its node, to be closed in reverse order. */
type Closers = (() => Promise<void>)[];

/**
 * Starts a node of a time ring: it schedules the jobs of its database together with the other nodes there, and runs them on its own
 * executors and on remote ones. Refuses invalid options, a database in the other claim mode, and a database without its lock row.
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
    rememberGrounds(ring, { database, clock: resolved.clock, zone: resolved.zone, log: options.log });
    rememberTracing(ring, node.executorParts.node.tracing);
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
    closers.push(() => opened.close({ limitMs: CLOSE_LIMIT_MS }));
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
  const store = await sqlJobStore(database, { limits: limitsOf(resolved.leaseMs) });
  const isOwnClock = resolved.isClockGiven || database.dialect === 'sqlite';
  const read = createRingTime(resolved.clock, isOwnClock);
  const time = isOwnClock ? read : watchedTime(read, resolved);
  await time.read(store);
  const calls = createRemoteCalls(options.http ?? {}, resolved.clock);
  closers.push(() => calls.close());
  const { maxExecutors, resultGraceMs } = resolveHttpOptions(options.http ?? {});
  return startNode({
    owner: createUuid(systemRandom()),
    options: resolved,
    store,
    wakeUps: sqlWakeUps(database),
    time,
    calls,
    maxExecutors,
    resultGraceMs,
    alertSenders: createAlertSenders(resolved.channels, resolved.clock),
  });
}

/**
 * A node that is frozen or cut off inside a transaction holds locks that all others need. The server ends the transaction before the node's
 * lease is over, so that the others continue as soon as they consider the node lost.
 */
function limitsOf(leaseMs: number): { idleMs: number; lockMs: number } {
  return { idleMs: Math.max(1_000, Math.floor((leaseMs * 2) / 3)), lockMs: Math.max(1_000, leaseMs) };
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
    await node.stop({ deadlineMs: 0, abandon: 'hand-back' });
    throw error;
  }
}

function createTimeRing(node: EngineNode, closers: Closers, http: () => TimeRing['http']): TimeRing {
  let stopping: Promise<void> | null = null;
  const isStopped = () => stopping !== null;
  const stop: TimeRing['stop'] = async ({ deadlineMs = STOP_DEADLINE_MS, abandon = 'hand-back' } = {}) => {
    if (abandon !== 'hand-back' && abandon !== 'fail') throw badOption('abandon', abandon, "'hand-back' or 'fail'");
    stopping ??= node.stop({ deadlineMs, abandon }).then(() => closeAll(closers));
    await stopping;
  };
  return {
    jobs: guardStopped(node.jobs, isStopped),
    runs: guardStopped(node.runs, isStopped),
    executors: guardStopped(node.executors, isStopped),
    calendars: guardStopped(node.calendars, isStopped),
    groups: guardStopped(node.groups, isStopped),
    events: node.events,
    flows: guardStopped(node.flows, isStopped),
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
