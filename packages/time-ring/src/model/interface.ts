import type { Clock, EpochMs, Random } from '@horae/clock-store';
import type { HoraeDatabase } from '@horae/clock-store/storage';
import type { AlertChannel, AlertRule } from './alert.js';
import type { Calendars } from './calendar.js';
import type { ExecutorInfo, RingEvents, RingHealth, RingMetrics, SharedEvent } from './events.js';
import type { Flows } from './flow.js';
import type { ForeignTransaction } from './foreign-transaction.js';
import type { Groups } from './group.js';
import type { Job, JobInput, JobRef } from './job.js';
import type { Logger } from './logger.js';
import type { Run, RunState, TriggerType } from './run.js';
import type { TriggerItem } from './trigger.js';

/** The point the engine has reached when it calls `onStep`. */
export type EngineStep = 'claim' | 'claimed' | 'drain' | 'dispatch' | 'record';

/** Sizes and limits of the two pools. */
export interface PoolOptions {
  /** Concurrent triggers of ordinary jobs, and how many more may queue: 200 and 2,000. */
  fast?: { size: number; queue: number };
  /** The same for slow jobs: 100 and 5,000. */
  slow?: { size: number; queue: number };
  /** A trigger that takes longer than this counts as slow: 500. */
  slowAfterMs?: number;
  /** A job with more slow triggers than this in one window moves to the slow pool: 10. */
  slowAfterCount?: number;
  /** The length of a window; the counts restart when it ends: 60,000. */
  windowMs?: number;
}

/** Options of `startTimeRing`. */
export interface RingOptions {
  /** The ring opens and closes a database given as a URL; an open database remains the caller's to close. */
  database: string | HoraeDatabase;
  /** By default the database's clock on PostgreSQL and MySQL, and the machine's clock on SQLite. */
  clock?: Clock;
  /** Draws routes and the jitter of retries; the system's randomness by default. */
  random?: Random;
  /** A label for people; leases and runs are owned under an id that is new with every start. */
  nodeId?: string;
  /** The time zone of cron expressions that name none; UTC by default. */
  zone?: string;
  /** Receives log lines; by default they are discarded. */
  log?: Logger;
  /** How nodes share scheduling: one node at a time, or each node its share of the jobs. All nodes on a database use the same mode. */
  claim?: 'lock-row' | 'buckets';
  /** How far ahead occurrences are claimed: 5,000. */
  preReadMs?: number;
  /** An occurrence found later than this is a misfire: 5,000. */
  misfireMs?: number;
  /** The number of one-second slots of the wheel that holds claimed occurrences: 60. */
  slots?: number;
  /** How many slots a drain visits, the current second and those before it: 3. */
  drainSlots?: number;
  /** The maximum number of jobs that one transaction claims: 6,000. */
  batchLimit?: number;
  /** How long a node may miss heartbeats before other nodes take over its work: 3,000. */
  leaseMs?: number;
  /** A node refuses to work while its clock and the database's differ by more than this: 5,000. It warns about a difference over 1,000. */
  maxClockSkewMs?: number;
  /** How many triggers run concurrently, and which jobs count as slow. */
  pools?: PoolOptions;
  /** How long ended runs stay in the history: 30 days. */
  keepRunsMs?: number;
  /** The maximum size of the parameters of a job or a run, in bytes of UTF-8 JSON: 65,536. */
  maxParamsBytes?: number;
  /** Serves the registry and the admin API of this node; without it no port is opened. */
  http?: RingHttpOptions;
  /** Alert rules for all jobs and for the ring itself. */
  alerts?: readonly AlertRule[];
  /** The channels this node can send alerts to, by name. */
  channels?: Readonly<Record<string, AlertChannel>>;
  /** Repeats within this time after an alert about a job are combined into one message, sent when the time is over: 600,000. */
  quietMs?: number;
  /** How many jobs have metrics of their own, the first by name; all others are reported together as `_other`: 500. */
  metricJobs?: number;
  /** For fault tests: awaited, and never called inside a transaction; a throw fails that step as a lost database would. */
  onStep?(step: EngineStep): void | Promise<void>;
}

/** The part of a request that a `front` can rely on, declared here so that this package's declarations do not need Node's types. */
export interface FrontRequest {
  readonly url?: string | undefined;
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** The HTTP server of a node: executors register and report to it, and administrators use its admin API. */
export interface RingHttpOptions {
  /** 0 picks a free port. */
  port: number;
  /** 127.0.0.1 by default; any address other than loopback requires an `accessToken`. */
  host?: string;
  /** The token required of executors below `/api`, and of administrators below `/admin` unless `adminToken` is set. */
  accessToken?: string;
  /** The token required below `/admin` in place of `accessToken`, so that an executor cannot administer. */
  adminToken?: string;
  /** The header that carries the token, in both directions; XXL-JOB-ACCESS-TOKEN by default. */
  tokenHeader?: string;
  /** The field in which this node's replies carry their payload; it always reads both. */
  payloadField?: 'content' | 'data';
  /**
   * Called first for every request that is not an executor's; returns true when it has answered the request or will. Use it to serve pages
   * beside the API; it does its own access control. It receives Node's `IncomingMessage` and `ServerResponse`.
   */
  front?(request: FrontRequest, response: object): boolean | Promise<boolean>;
  /** The largest request body the server reads: 33,554,432. */
  maxBodyBytes?: number;
  /** The time limit of one call to an executor: 3,000. */
  callTimeoutMs?: number;
  maxExecutors?: number;
  /** The maximum number of open connections; any further one is closed at once. 1,024 more than `maxExecutors` by default. */
  maxConnections?: number;
  breaker?: { failures?: number; openMs?: number };
  /** How long the ring waits for a remote run's result after the run's time limit: 10,000. */
  resultGraceMs?: number;
}

/** What a declaration did to a job. */
export type PutOutcome = 'added' | 'updated' | 'unchanged';

/** The keys of the jobs that a list of declarations added, updated, left unchanged and removed. */
export interface SyncReport {
  added: string[];
  updated: string[];
  unchanged: string[];
  removed: string[];
}

/** Jobs: what to run, and when. A call names a job by its id or its key; every call except `get` rejects an unknown job: 'unknown-job'. */
export interface Jobs {
  /** Adds a job; it is stopped unless `start` is true. */
  add(job: JobInput & { start?: boolean }): Promise<Job>;
  /**
   * Declares a job: adds it, updates it to match, or leaves it unchanged. Any number of processes that declare it at once result in one
   * job. Omitted fields take their defaults; a changed schedule counts from now; a job that was stopped by hand stays stopped.
   */
  put(job: JobInput & { key: string; start?: boolean }): Promise<{ job: Job; outcome: PutOutcome }>;
  /**
   * Declares a list of jobs in one transaction. `removeOthers` also removes the jobs of this namespace ('default') that are not in the
   * list; jobs of other namespaces and jobs that were never synced stay.
   */
  sync(
    jobs: readonly (JobInput & { key: string; start?: boolean })[],
    options?: { namespace?: string; removeOthers?: boolean },
  ): Promise<SyncReport>;
  get(job: JobRef): Promise<Job | null>;
  list(options?: {
    state?: Job['state'];
    executorGroup?: string;
    /** Only jobs that have alert rules of their own. */
    hasAlerts?: boolean;
    limit?: number;
    cursor?: string;
  }): Promise<{ jobs: readonly Job[]; cursor: string | null }>;
  /** A new schedule of a running job counts from now and withdraws runs claimed under the old one; other changes keep the next time. */
  update(job: JobRef, change: Partial<JobInput>): Promise<Job>;
  start(job: JobRef): Promise<Job>;
  /** Withdraws claimed runs that have not fired; running ones continue. */
  stop(job: JobRef): Promise<Job>;
  /** Stops the job as `stop` does and deletes it; its history stays. */
  remove(job: JobRef): Promise<void>;
  /**
   * Runs the job once, whether it is running or stopped, now or at the given time. The run is durable when the call resolves. If a run of
   * the job already has the `uniqueKey`, returns that run, marked `deduplicated`. An `address` must belong to a registered executor:
   * 'unknown-executor'.
   */
  trigger(job: JobRef, options?: TriggerItem & { transaction?: ForeignTransaction }): Promise<Run>;
  /** Triggers up to 10,000 items at once: all or nothing, in the order of the items; a key that occurs twice makes one run. */
  triggerMany(
    job: JobRef,
    items: readonly TriggerItem[],
    options?: { transaction?: ForeignTransaction },
  ): Promise<readonly Run[]>;
  /** Runs every occurrence in `[from, to)` again, oldest first, up to `limit`. */
  triggerRange(
    job: JobRef,
    options: { from: EpochMs; to: EpochMs; limit?: number },
  ): Promise<{ runs: readonly Run[]; truncated: boolean }>;
}

/** The history, and the runs under way. */
export interface Runs {
  /**
   * Highest id first unless `order` says otherwise. `params` and `result` are undefined unless they are included. A search by text, labels
   * or executor alone reads at most 50,000 runs per page, so a page may be short or empty and still have a cursor.
   */
  list(options?: RunFilter & { cursor?: string }): Promise<{ runs: readonly Run[]; cursor: string | null }>;
  get(id: number): Promise<Run | null>;
  log(
    id: number,
    options?: { fromLine?: number },
  ): Promise<{ lines: readonly string[]; nextLine: number; end: boolean }>;
  /** Kills a run; false when it was already over. */
  kill(id: number): Promise<boolean>;
  /**
   * Resolves with the last attempt of the run's fire when that is over, on any node. Waits without limit unless `timeoutMs` is given, then
   * rejects with 'wait-timeout'.
   */
  wait(id: number, options?: { timeoutMs?: number }): Promise<Run>;
  /** Makes the next attempt at a failed, killed or skipped run at once; rejects any other run with 'not-retryable'. */
  retry(id: number): Promise<Run>;
  /** Retries the retryable runs that match the filter, at most 1,000 unless `limit` says more, and returns their number. */
  retryMany(filter?: RunFilter): Promise<number>;
  /** A pending run never starts and is 'killed'; a running one is killed. False when it was already over. */
  cancel(id: number): Promise<boolean>;
}

/** Selects the runs of a list. */
export interface RunFilter {
  jobId?: JobRef;
  fireId?: number;
  state?: RunState;
  triggerType?: TriggerType;
  from?: EpochMs;
  to?: EpochMs;
  /** A part of the job's name or key, or of the run's message; case is ignored. */
  text?: string;
  /** Labels that the run must all have. */
  labels?: Readonly<Record<string, string>>;
  /** The executor group of the job. */
  group?: string;
  /** The address of the executor. */
  executor?: string;
  /** True: failed for good; false: all others. */
  dead?: boolean;
  order?: 'newest' | 'oldest';
  include?: readonly ('params' | 'result')[];
  limit?: number;
}

/** The executors, which run jobs. Local executors belong to this node; remote executors serve all nodes. */
export interface Executors {
  /** The live executors, by group, then address. */
  list(group?: string): Promise<readonly ExecutorInfo[]>;
  /** `handlers` names its handlers, all when omitted; `instanceId` changes when the executor restarts. */
  register(executor: {
    group: string;
    address: string;
    handlers?: readonly string[] | null;
    instanceId?: string | null;
  }): Promise<void>;
  /** Same as `register`. */
  beat(executor: Parameters<Executors['register']>[0]): Promise<void>;
  remove(executor: { group: string; address: string }): Promise<void>;
}

/** A running node. After `stop` every call but `metrics`, `health` and `stop` rejects with 'stopped'. */
export interface TimeRing extends AsyncDisposable {
  readonly jobs: Jobs;
  readonly runs: Runs;
  readonly executors: Executors;
  readonly calendars: Calendars;
  readonly groups: Groups;
  readonly flows: Flows;
  readonly events: {
    /** Listens to the events of this node; returns the function that removes the listener. */
    on<Name extends keyof RingEvents>(name: Name, listener: (event: RingEvents[Name]) => void): () => void;
    /**
     * Listens to the events about runs, jobs, executors and alerts of all nodes from now on: each at least once, in each node's order,
     * within a second. Errors from other nodes are plain objects. Call the returned function to remove the listener.
     */
    onAll(listener: (event: SharedEvent) => void): () => void;
  };
  /** The address of the HTTP server; null without one. */
  readonly http: { readonly url: string; readonly host: string; readonly port: number } | null;
  metrics(): RingMetrics;
  health(): RingHealth;
  /**
   * Waits for this node's runs until the deadline (30 s). Runs that have not ended by then are aborted and handed back, so that another
   * node or the next start attempts them again; with `abandon: 'fail'` they fail instead. May be called twice.
   */
  stop(options?: { deadlineMs?: number; abandon?: 'hand-back' | 'fail' }): Promise<void>;
}

/** Options of `connectTimeRing`: the options of a node that do not concern its loops alone. */
export type ConnectOptions = Pick<
  RingOptions,
  'database' | 'clock' | 'random' | 'zone' | 'log' | 'leaseMs' | 'misfireMs' | 'maxParamsBytes'
> & {
  /** How remote executors are called, to kill runs and to read their logs. */
  http?: Pick<RingHttpOptions, 'accessToken' | 'tokenHeader' | 'callTimeoutMs'>;
};

/** A client of a ring, in a process that is not one of its nodes. After `close` every call rejects with 'stopped'. */
export interface RingClient extends AsyncDisposable {
  readonly jobs: Jobs;
  readonly runs: Runs;
  readonly calendars: Calendars;
  readonly groups: Groups;
  readonly flows: Flows;
  readonly executors: Pick<Executors, 'list'>;
  close(): Promise<void>;
  /** Same as `close`, for programs that hold either a node or a client. */
  stop(): Promise<void>;
}

/** Runs jobs, in a ring's own process or on another machine. */
export interface Executor {
  readonly group: string;
  /** The address it is registered under. */
  readonly address: string;
  /** Accepts no more runs, aborts those under way, and delivers their results. */
  stop(): Promise<void>;
}
