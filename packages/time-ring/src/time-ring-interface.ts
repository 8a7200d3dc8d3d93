import type { Clock, EpochMs, Random } from '@horae/clock-store';
import type { HoraeDatabase } from '@horae/clock-store/storage';
import type { PoolOptions } from './decide/choose-pool.js';
import type { Job, JobInput } from './job.js';
import type { Logger } from './logger.js';
import type { ExecutorInfo, RingEvents, RingHealth, RingMetrics } from './ring-events.js';
import type { Run, RunState, TriggerType } from './run.js';

/** Where the engine stands when it calls `onStep`. */
export type EngineStep = 'claim' | 'claimed' | 'drain' | 'dispatch' | 'record';

/** Options of `startTimeRing`. */
export interface RingOptions {
  /** A URL is opened and closed by the ring; an open database stays the caller's. */
  database: string | HoraeDatabase;
  /** Without one, time is the database's on PostgreSQL and MySQL, the machine's on SQLite. */
  clock?: Clock;
  random?: Random;
  /** A label for people; what owns leases and runs is new with every start. */
  nodeId?: string;
  /** Where cron expressions without a zone of their own live; UTC by default. */
  zone?: string;
  log?: Logger;
  /** How nodes share the scheduling: one at a time, or each its part of the jobs. All nodes on a database use the same. */
  claim?: 'lock-row' | 'buckets';
  /** How far ahead occurrences are claimed: 5,000. */
  preReadMs?: number;
  /** Later than this is a misfire: 5,000. */
  misfireMs?: number;
  slots?: number;
  drainSlots?: number;
  /** The most jobs claimed by one transaction: 6,000. */
  batchLimit?: number;
  /** How long a node may be silent before its work is taken over: 3,000. */
  leaseMs?: number;
  pools?: PoolOptions;
  /** How long runs that are over stay in the history: 30 days. */
  keepRunsMs?: number;
  http?: RingHttpOptions;
  /** For fault tests: awaited, never inside a transaction; a throw fails that step as a lost database would. */
  onStep?(step: EngineStep): void | Promise<void>;
}

/** The HTTP side of a node: executors register and report here, people and programs administer. */
export interface RingHttpOptions {
  /** 0 takes a free one. */
  port: number;
  /** 127.0.0.1 by default; anything but loopback needs an `accessToken`. */
  host?: string;
  accessToken?: string;
  /** XXL-JOB-ACCESS-TOKEN by default, in both directions. */
  tokenHeader?: string;
  /** Where our own replies carry their payload; both are always read. */
  payloadField?: 'content' | 'data';
  maxBodyBytes?: number;
  /** The time limit of one call to an executor: 3,000. */
  callTimeoutMs?: number;
  maxExecutors?: number;
  breaker?: { failures?: number; openMs?: number };
  /** How long after its time limit a remote run's result is waited for: 10,000. */
  resultGraceMs?: number;
}

/** Jobs: what is to run, and when. Every call on an unknown id but `get` rejects with 'unknown-job'. */
export interface Jobs {
  /** A new job is stopped unless `start` says otherwise. */
  add(job: JobInput & { start?: boolean }): Promise<Job>;
  get(id: number): Promise<Job | null>;
  list(options?: {
    state?: Job['state'];
    executorGroup?: string;
    limit?: number;
    cursor?: string;
  }): Promise<{ jobs: readonly Job[]; cursor: string | null }>;
  /** A new schedule of a running job counts from now and withdraws what was claimed under the old one; any other change keeps its next time. */
  update(id: number, change: Partial<JobInput>): Promise<Job>;
  start(id: number): Promise<Job>;
  /** Withdraws what is claimed and not fired; what runs goes on. */
  stop(id: number): Promise<Job>;
  /** As `stop`, and the job goes; its history stays. */
  remove(id: number): Promise<void>;
  /** Runs the job once, in whatever state it is. Durable when it resolves. */
  trigger(id: number, options?: { params?: unknown; scheduleTime?: EpochMs; address?: string }): Promise<Run>;
  /** Runs every occurrence in `[from, to)` again, oldest first, up to `limit`. */
  triggerRange(
    id: number,
    options: { from: EpochMs; to: EpochMs; limit?: number },
  ): Promise<{ runs: readonly Run[]; truncated: boolean }>;
}

/** The history, and what is under way. */
export interface Runs {
  /** Highest id first. */
  list(options?: {
    jobId?: number;
    fireId?: number;
    state?: RunState;
    triggerType?: TriggerType;
    from?: EpochMs;
    to?: EpochMs;
    limit?: number;
    cursor?: string;
  }): Promise<{ runs: readonly Run[]; cursor: string | null }>;
  get(id: number): Promise<Run | null>;
  log(
    id: number,
    options?: { fromLine?: number },
  ): Promise<{ lines: readonly string[]; nextLine: number; end: boolean }>;
  /** False when it was already over. */
  kill(id: number): Promise<boolean>;
}

/** Who runs jobs. Local executors are this node's own; remote ones are everybody's. */
export interface Executors {
  /** Those that are alive, by group, then address. */
  list(group?: string): Promise<readonly ExecutorInfo[]>;
  register(executor: { group: string; address: string }): Promise<void>;
  beat(executor: { group: string; address: string }): Promise<void>;
  remove(executor: { group: string; address: string }): Promise<void>;
}

/** A running node. After `stop` every call but `metrics`, `health` and `stop` rejects with 'stopped'. */
export interface TimeRing extends AsyncDisposable {
  readonly jobs: Jobs;
  readonly runs: Runs;
  readonly executors: Executors;
  readonly events: {
    on<Name extends keyof RingEvents>(name: Name, listener: (event: RingEvents[Name]) => void): () => void;
  };
  /** Where the HTTP side listens; null without one. */
  readonly http: { readonly url: string; readonly host: string; readonly port: number } | null;
  metrics(): RingMetrics;
  health(): RingHealth;
  /** Waits for this node's runs, aborts them at the deadline (30 s), and hands back what is claimed and not fired. Twice is fine. */
  stop(options?: { deadlineMs?: number }): Promise<void>;
}

/** Who runs jobs: in a ring's own process, or on another machine. */
export interface Executor {
  readonly group: string;
  /** What it is registered under. */
  readonly address: string;
  /** Takes no more runs, aborts what it works on, and delivers the results. */
  stop(): Promise<void>;
}
