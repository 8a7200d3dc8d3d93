import { type Clock, type EpochMs, systemClock, systemRandom } from '@horae/clock-store';
import { createTokenCheck } from '../http/access-token.js';
import { createHttpClient } from '../http/http-client.js';
import { resolveListenOptions, whole } from '../http/http-options.js';
import { createLimitedWarning } from '../http/limited-warning.js';
import { startListening } from '../http/listening.js';
import { createRefusedTokens } from '../http/refused-tokens.js';
import { answerWireCall } from '../http/wire-answer.js';
import { badOption } from '../model/errors.js';
import type { Handler } from '../model/handler.js';
import { type Logger, silentLogger } from '../model/logger.js';
import type { RunProgress } from '../model/run.js';
import { createUuid } from '../model/uuid.js';
import { callbackItem } from '../wire/callback-message.js';
import { isHttpUrl } from '../wire/registry-message.js';
import { failure } from '../workbench/assignment.js';
import { createRunSlots } from '../workbench/run-slots.js';
import { processTracing, rememberTracing, type TracingSlot } from '../workbench/run-tracing.js';
import { executorCalls } from './executor-calls.js';
import { startRegistration } from './registration.js';
import { createResultQueue } from './result-queue.js';
import { openRunLogFiles } from './run-log-files.js';
import { createSchedulerCalls } from './scheduler-calls.js';
import { createSchedulerTriggers } from './scheduler-triggers.js';

/** Options of an executor that reaches its scheduler over HTTP. */
export interface RemoteExecutorOptions {
  /** The URL of the scheduler; several for several nodes. */
  ring: string | readonly string[];
  /** The functions that execute runs, by the name that jobs give as `handler`. */
  handlers: Readonly<Record<string, Handler>>;
  /** The executor group; 'default' when omitted. */
  group?: string;
  /** The maximum number of waiting runs per job: 1,000. */
  queueLimit?: number;
  /** The maximum number of concurrent runs of all jobs in this process: 100. */
  concurrency?: number;
  /** 0, the default, picks a free port. */
  port?: number;
  /** 127.0.0.1 by default; any address other than loopback requires an `accessToken`. */
  host?: string;
  /** The token that the scheduler's calls must carry, and that this executor's calls carry; none by default. */
  accessToken?: string;
  /** The header that carries it: `XXL-JOB-ACCESS-TOKEN`. */
  tokenHeader?: string;
  /** The field in which answers to the scheduler carry their payload: `content`. */
  payloadField?: 'content' | 'data';
  /** The URL that the scheduler calls, if it is not http://host:port: behind a proxy, in a container. May carry a path. */
  address?: string;
  /** How often the executor sends a heartbeat: 30,000. */
  beatMs?: number;
  /** The wait after a failed delivery of results, doubled each time up to 30,000: 1,000. */
  callbackRetryMs?: number;
  /** The folder for the logs of runs; by default a temporary folder that is deleted when the executor stops. */
  logDir?: string;
  /** The largest request body the executor reads: 1,048,576. */
  maxBodyBytes?: number;
  /** The maximum number of open connections; any further one is closed at once: 1,024. */
  maxConnections?: number;
  /** The clock for times and waits; the system's by default. */
  clock?: Clock;
  /** Receives log lines; by default they are discarded. */
  log?: Logger;
}

/** An executor that is registered, or tries to be. */
export interface RemoteExecutor {
  /** The registered address. */
  readonly address: string;
  readonly group: string;
  /** Leaves the registry, aborts running handlers, delivers the results (5 s), and closes the port. May be called twice. */
  stop(): Promise<void>;
}

const STOP_MS = 5_000;
/** The part of that time that an unresponsive scheduler may take before the results are sent. */
const GOODBYE_MS = 2_000;

/** Starts an executor on a port of its own. Resolves once it listens; it retries a scheduler that is not available yet. */
export async function startRemoteExecutor(options: RemoteExecutorOptions): Promise<RemoteExecutor> {
  const { clock = systemClock(), log = silentLogger } = options;
  const { listen, group, urls, address: givenAddress, beatMs, retryMs, queueLimit, concurrency } = resolve(options);
  const client = createHttpClient({ clock, accessToken: listen.accessToken, tokenHeader: listen.tokenHeader });
  const calls = createSchedulerCalls(urls, client);
  const results = createResultQueue({ calls, clock, log, retryMs });
  const logs = await openRunLogFiles(options.logDir, { log, clock });
  const firedAt = new Map<number, EpochMs>();
  /** The last progress reports of runs, which are sent with their results. */
  const progress = new Map<number, RunProgress>();
  const bearer = listen.accessToken === undefined ? undefined : `Bearer ${listen.accessToken}`;
  const adminClient = createHttpClient({ clock, accessToken: bearer, tokenHeader: 'authorization' });
  const tracing: TracingSlot = { current: null };
  let isStopping = false;

  const loggedRun = (runId: number) => ({ runId, logDateTime: firedAt.get(runId) ?? clock.now() });
  const workbench = createRunSlots({
    handlers: options.handlers,
    clock,
    ring: createSchedulerTriggers(urls, adminClient),
    queueLimit,
    tracing: () => tracing.current ?? processTracing.current,
    concurrency,
    events: {
      starting: () => Promise.resolve(true),
      logged: ({ runId }, line) => logs.write(loggedRun(runId), line),
      progressed: ({ runId }, report) => void progress.set(runId, report),
      ended({ runId }, outcome) {
        const run = loggedRun(runId);
        logs.end(run);
        firedAt.delete(runId);
        results.add(callbackItem(runId, run.logDateTime, { ...outcome, progress: progress.get(runId) ?? null }));
        progress.delete(runId);
      },
    },
  });
  const wireCalls = executorCalls({ workbench, results, logs, clock, firedAt, isStopping: () => isStopping });
  const around = {
    options: listen,
    isToken: createTokenCheck(listen.accessToken),
    onRefusedToken: createRefusedTokens(clock, log),
    publicHost: givenAddress === undefined ? undefined : new URL(givenAddress).hostname,
    log,
  };
  const warnOfDrop = createLimitedWarning(clock, log);
  const prefix = givenAddress === undefined ? '' : new URL(givenAddress).pathname.replace(/\/+$/, '');
  const server = await startListening({
    host: listen.host,
    port: listen.port,
    clock,
    maxConnections: listen.maxConnections,
    onDrop: () => warnOfDrop({ setting: 'maxConnections' }, 'A connection was one too many and was closed'),
    answer(request, response) {
      const path = (request.url ?? '').split('?')[0]!;
      // A proxy in front may keep the path of the registered address or strip it.
      const name = prefix !== '' && path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
      return answerWireCall(request, response, Object.hasOwn(wireCalls, name) ? wireCalls[name] : undefined, around);
    },
  }).catch(async (error) => {
    await logs.close();
    throw error;
  });
  const address = givenAddress ?? server.url;
  const entry = {
    group,
    address,
    instanceId: createUuid(systemRandom()),
    get handlers() {
      return Object.keys(options.handlers);
    },
  };
  const registration = startRegistration({ executor: entry, calls, clock, log, beatMs });

  async function stop(): Promise<void> {
    isStopping = true;
    await within(clock, GOODBYE_MS, (signal) => registration.end(signal));
    for (const { runId } of workbench.abortAll('The executor stopped')) {
      const { logDateTime } = loggedRun(runId);
      results.add(callbackItem(runId, logDateTime, failure('The executor stopped before the run began')));
    }
    await within(clock, STOP_MS - GOODBYE_MS, (signal) => results.drained(signal));
    results.close();
    await server.close();
    client.close();
    adminClient.close();
    await logs.close();
  }

  let stopping: Promise<void> | undefined;
  const executor: RemoteExecutor = { address, group, stop: () => (stopping ??= stop()) };
  rememberTracing(executor, tracing);
  return executor;
}

/** Waits for `work`, whose signal is aborted when the time is over. */
async function within(clock: Clock, limitMs: number, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const late = new AbortController();
  const over = new AbortController();
  clock.sleepFor(limitMs, { signal: over.signal }).then(
    () => late.abort(),
    () => {},
  );
  await work(late.signal);
  over.abort();
}

function resolve(options: RemoteExecutorOptions) {
  const group = options.group ?? 'default';
  if (typeof group !== 'string' || group.trim() === '' || group.length > 255) {
    throw badOption('group', group, 'a text of 1 to 255 characters');
  }
  const urls = typeof options.ring === 'string' ? [options.ring] : [...options.ring];
  if (urls.length === 0) throw badOption('ring', '[]', 'the URL of a scheduler, or several');
  for (const url of urls) {
    if (!isHttpUrl(url)) throw badOption('ring', url, 'an http or https URL such as http://127.0.0.1:8080');
  }
  if (options.address !== undefined && !isHttpUrl(options.address)) {
    throw badOption('address', options.address, 'the http or https URL by which the scheduler reaches this executor');
  }
  return {
    listen: resolveListenOptions(options, ''),
    group,
    urls,
    address: options.address,
    beatMs: whole('beatMs', options.beatMs ?? 30_000, 1),
    retryMs: whole('callbackRetryMs', options.callbackRetryMs ?? 1_000, 1),
    queueLimit: whole('queueLimit', options.queueLimit ?? 1_000, 0),
    concurrency: options.concurrency === undefined ? null : whole('concurrency', options.concurrency, 1),
  };
}
