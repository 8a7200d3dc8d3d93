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

/** Where the engine stands when it calls `onStep`. */
export type EngineStep = 'claim' | 'claimed' | 'drain' | 'dispatch' | 'record';

/** Sizes and limits of the two pools. */
export interface PoolOptions {
  /** Triggers at once, and how many may wait, of ordinary jobs: 200 and 2,000. */
  fast?: { size: number; queue: number };
  /** The same for slow jobs: 100 and 5,000. */
  slow?: { size: number; queue: number };
  /** A trigger that takes longer than this counts as slow: 500. */
  slowAfterMs?: number;
  /** A job with more slow triggers than this in a window goes to the slow pool: 10. */
  slowAfterCount?: number;
  /** The length of a window, at whose end counts begin anew: 60,000. */
  windowMs?: number;
}

/** Options of `startTimeRing`. */
export interface RingOptions {
  /** A URL is opened and closed by the ring; an open database stays the caller's. */
  database: string | HoraeDatabase;
  /** Without one, time is the database's on PostgreSQL and MySQL, the machine's on SQLite. */
  clock?: Clock;
  /** Draws routes and the jitter of retries; the system's randomness by default. */
  random?: Random;
  /** A label for people; what owns leases and runs is new with every start. */
  nodeId?: string;
  /** Where cron expressions without a zone of their own live; UTC by default. */
  zone?: string;
  /** Where log lines go; nowhere by default. */
  log?: Logger;
  /** How nodes share the scheduling: one at a time, or each its part of the jobs. All nodes on a database use the same. */
  claim?: 'lock-row' | 'buckets';
  /** How far ahead occurrences are claimed: 5,000. */
  preReadMs?: number;
  /** Later than this is a misfire: 5,000. */
  misfireMs?: number;
  /** The seconds of the wheel on which claimed occurrences wait: 60. */
  slots?: number;
  /** How many slots a drain looks at, the present second and those before it: 3. */
  drainSlots?: number;
  /** The most jobs claimed by one transaction: 6,000. */
  batchLimit?: number;
  /** How long a node may be silent before its work is taken over: 3,000. */
  leaseMs?: number;
  /** A node refuses to work while its clock and the database's differ by more than this: 5,000. A difference over 1,000 is warned about. */
  maxClockSkewMs?: number;
  /** How many triggers happen at once, and which jobs count as slow. */
  pools?: PoolOptions;
  /** How long runs that are over stay in the history: 30 days. */
  keepRunsMs?: number;
  /** The most that the parameters of a job or a run may be, as UTF-8 of their JSON: 65,536. */
  maxParamsBytes?: number;
  /** Serves the registry and the admin API of this node; without it no port is opened. */
  http?: RingHttpOptions;
  /** Who hears of what happens, for all jobs and for the ring itself. */
  alerts?: readonly AlertRule[];
  /** Where this node can send alerts to, by name. */
  channels?: Readonly<Record<string, AlertChannel>>;
  /** What happens to a job again within so long after an alert is one message at its end: 600,000. */
  quietMs?: number;
  /** How many jobs have metrics of their own, the first by name; the others are `_other` together: 500. */
  metricJobs?: number;
  /** For fault tests: awaited, never inside a transaction; a throw fails that step as a lost database would. */
  onStep?(step: EngineStep): void | Promise<void>;
}

/** What a `front` sees of a request at least: declarations of this package need no types of Node. */
export interface FrontRequest {
  readonly url?: string | undefined;
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** The HTTP side of a node: executors register and report here, people and programs administer. */
export interface RingHttpOptions {
  /** 0 takes a free one. */
  port: number;
  /** 127.0.0.1 by default; anything but loopback needs an `accessToken`. */
  host?: string;
  /** What executors need below `/api`, and administrators below `/admin` unless they have a token of their own. */
  accessToken?: string;
  /** What administrators need below `/admin` instead of the `accessToken`, so that an executor cannot administer. */
  adminToken?: string;
  /** XXL-JOB-ACCESS-TOKEN by default, in both directions. */
  tokenHeader?: string;
  /** Where our own replies carry their payload; both are always read. */
  payloadField?: 'content' | 'data';
  /**
   * Asked first about every request that is not an executor's: true says that it has answered, or will. For pages beside the API; who may
   * see them is its own business. It gets Node's own `IncomingMessage` and `ServerResponse`.
   */
  front?(request: FrontRequest, response: object): boolean | Promise<boolean>;
  /** The largest body that is read: 33,554,432. */
  maxBodyBytes?: number;
  /** The time limit of one call to an executor: 3,000. */
  callTimeoutMs?: number;
  maxExecutors?: number;
  /** Open connections; one more is closed at once. 1,024 more than `maxExecutors` by default. */
  maxConnections?: number;
  breaker?: { failures?: number; openMs?: number };
  /** How long after its time limit a remote run's result is waited for: 10,000. */
  resultGraceMs?: number;
}

/** What a declaration did to a job. */
export type PutOutcome = 'added' | 'updated' | 'unchanged';

/** The keys of the jobs that a list of declarations added, updated, left as they were and removed. */
export interface SyncReport {
  added: string[];
  updated: string[];
  unchanged: string[];
  removed: string[];
}

/** Jobs: what is to run, and when. A job is named by its id or its key; every call on an unknown one but `get` rejects with 'unknown-job'. */
export interface Jobs {
  /** A new job is stopped unless `start` says otherwise. */
  add(job: JobInput & { start?: boolean }): Promise<Job>;
  /**
   * Declares a job: adds it, makes it what is given here, or leaves it alone. Any number of processes at once leave one job. What is
   * left out is its default; a changed schedule counts from now; a job that was stopped by hand stays stopped.
   */
  put(job: JobInput & { key: string; start?: boolean }): Promise<{ job: Job; outcome: PutOutcome }>;
  /**
   * Declares a list of jobs in one transaction. `removeOthers` also removes the jobs of this namespace ('default') that the list does not
   * have; jobs of other namespaces and jobs that were never synced stay.
   */
  sync(
    jobs: readonly (JobInput & { key: string; start?: boolean })[],
    options?: { namespace?: string; removeOthers?: boolean },
  ): Promise<SyncReport>;
  get(job: JobRef): Promise<Job | null>;
  list(options?: {
    state?: Job['state'];
    executorGroup?: string;
    /** Only jobs with rules for alerts of their own. */
    hasAlerts?: boolean;
    limit?: number;
    cursor?: string;
  }): Promise<{ jobs: readonly Job[]; cursor: string | null }>;
  /** A new schedule of a running job counts from now and withdraws what was claimed under the old one; any other change keeps its next time. */
  update(job: JobRef, change: Partial<JobInput>): Promise<Job>;
  start(job: JobRef): Promise<Job>;
  /** Withdraws what is claimed and not fired; what runs goes on. */
  stop(job: JobRef): Promise<Job>;
  /** As `stop`, and the job goes; its history stays. */
  remove(job: JobRef): Promise<void>;
  /**
   * Runs the job once, in whatever state it is, now or at its time. Durable when it resolves. With a `uniqueKey` that a run of the job
   * has, that run, `deduplicated`. An `address` must be a registered executor's: 'unknown-executor'.
   */
  trigger(job: JobRef, options?: TriggerItem & { transaction?: ForeignTransaction }): Promise<Run>;
  /** The same for up to 10,000 at once: all or nothing, in the order of the items; a key twice is one run. */
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

/** The history, and what is under way. */
export interface Runs {
  /**
   * Highest id first unless `order` says otherwise. `params` and `result` are undefined unless they are included. A search by text, labels
   * or executor alone looks at 50,000 runs for a page: it may be short or empty and have a cursor nevertheless.
   */
  list(options?: RunFilter & { cursor?: string }): Promise<{ runs: readonly Run[]; cursor: string | null }>;
  get(id: number): Promise<Run | null>;
  log(
    id: number,
    options?: { fromLine?: number },
  ): Promise<{ lines: readonly string[]; nextLine: number; end: boolean }>;
  /** False when it was already over. */
  kill(id: number): Promise<boolean>;
  /**
   * Resolves with the last attempt of the run's fire when that is over, on whatever node. No limit without `timeoutMs`; at it,
   * 'wait-timeout'.
   */
  wait(id: number, options?: { timeoutMs?: number }): Promise<Run>;
  /** The next attempt of a run that failed, was killed or was skipped, at once; of any other 'not-retryable'. */
  retry(id: number): Promise<Run>;
  /** Retries the runs of the filter that can be, at most 1,000 unless `limit` says more, and gives their number. */
  retryMany(filter?: RunFilter): Promise<number>;
  /** A pending run never starts and is 'killed'; a running one is killed. False when it was already over. */
  cancel(id: number): Promise<boolean>;
}

/** Which runs a list has. */
export interface RunFilter {
  jobId?: JobRef;
  fireId?: number;
  state?: RunState;
  triggerType?: TriggerType;
  from?: EpochMs;
  to?: EpochMs;
  /** A part of the job's name or key, or of the message, whatever the case. */
  text?: string;
  /** The run has all of them. */
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

/** Who runs jobs. Local executors are this node's own; remote ones are everybody's. */
export interface Executors {
  /** Those that are alive, by group, then address. */
  list(group?: string): Promise<readonly ExecutorInfo[]>;
  /** `handlers`: what it has, all when not said; `instanceId`: what tells two lives of it apart. */
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
    /** What happens on this node. */
    on<Name extends keyof RingEvents>(name: Name, listener: (event: RingEvents[Name]) => void): () => void;
    /**
     * What happens to runs, jobs, executors and alerts on all nodes from now on: at least once, in the order of each node, within a second.
     * Errors of other nodes are plain objects. Call what is given to end it.
     */
    onAll(listener: (event: SharedEvent) => void): () => void;
  };
  /** Where the HTTP side listens; null without one. */
  readonly http: { readonly url: string; readonly host: string; readonly port: number } | null;
  metrics(): RingMetrics;
  health(): RingHealth;
  /**
   * Waits for this node's runs until the deadline (30 s); what has not ended then is aborted and handed back, so that another node or the
   * next start attempts it again, or fails with `abandon: 'fail'`. Twice is fine.
   */
  stop(options?: { deadlineMs?: number; abandon?: 'hand-back' | 'fail' }): Promise<void>;
}

/** Options of `connectTimeRing`: those of a node that concern more than its loops. */
export type ConnectOptions = Pick<
  RingOptions,
  'database' | 'clock' | 'random' | 'zone' | 'log' | 'leaseMs' | 'misfireMs' | 'maxParamsBytes'
> & {
  /** How remote executors are called, to kill runs and to read their logs. */
  http?: Pick<RingHttpOptions, 'accessToken' | 'tokenHeader' | 'callTimeoutMs'>;
};

/** A ring seen from outside of its nodes. After `close` every call rejects with 'stopped'. */
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

/** Who runs jobs: in a ring's own process, or on another machine. */
export interface Executor {
  readonly group: string;
  /** What it is registered under. */
  readonly address: string;
  /** Takes no more runs, aborts what it works on, and delivers the results. */
  stop(): Promise<void>;
}
