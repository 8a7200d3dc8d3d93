import type { EpochMs } from '@horae/clock-store';
import type { AlertRule } from './alert.js';

/** How calls name a job: a number is its id, a string its key. */
export type JobRef = number | string;

/** The interval between occurrences of an `interval` schedule, in exactly one unit. */
export interface IntervalLength {
  months?: number;
  weeks?: number;
  days?: number;
  hours?: number;
  minutes?: number;
}

/**
 * When a job fires: by cron (dialect Quartz by default), every `everyMs` milliseconds (at least 100), `everyMs` after the end of the
 * previous fire (at least 1,000), at an interval that cron cannot express, once, or only when it is triggered. `anchor` is a local ISO time
 * in `zone` and one of the occurrences.
 */
export type Schedule =
  | { kind: 'cron'; expression: string; dialect?: 'posix' | 'vixie' | 'quartz'; zone?: string }
  | { kind: 'fix-rate'; everyMs: number }
  | { kind: 'fix-delay'; everyMs: number }
  | { kind: 'interval'; every: IntervalLength; anchor: string; zone?: string }
  | { kind: 'once'; at: EpochMs }
  | { kind: 'none' };

/** Every `MisfireStrategy`. */
export const misfireStrategies = ['DO_NOTHING', 'FIRE_ONCE_NOW'] as const;
/** Decides what happens to occurrences that are found too late. */
export type MisfireStrategy = (typeof misfireStrategies)[number];

/** Every `RouteStrategy`. */
export const routeStrategies = [
  'FIRST',
  'LAST',
  'ROUND',
  'RANDOM',
  'CONSISTENT_HASH',
  'LEAST_FREQUENTLY_USED',
  'LEAST_RECENTLY_USED',
  'FAILOVER',
  'BUSYOVER',
  'SHARDING_BROADCAST',
] as const;
/** Decides which executor receives a run. */
export type RouteStrategy = (typeof routeStrategies)[number];

/** Every `BlockStrategy`. */
export const blockStrategies = ['SERIAL', 'DISCARD', 'COVER', 'CONCURRENT'] as const;
/** Decides what happens to a run whose job is busy on its executor. */
export type BlockStrategy = (typeof blockStrategies)[number];

/**
 * The delay between a failed attempt and the next. Exponential: `firstMs` after the first failure, `factor` times as long after each
 * further one, never above `maxMs`; each delay varies by up to its `jitter` fraction (0 to 1) in either direction.
 */
export type RetryPolicy =
  | { kind: 'exponential'; firstMs?: number; factor?: number; maxMs?: number; jitter?: number }
  | { kind: 'fixed'; delayMs: number };

/** A retry policy with its defaults filled in. */
export type ResolvedRetryPolicy =
  | { kind: 'exponential'; firstMs: number; factor: number; maxMs: number; jitter: number }
  | { kind: 'fixed'; delayMs: number };

export const retryDefaults = {
  kind: 'exponential',
  firstMs: 1_000,
  factor: 2,
  maxMs: 300_000,
  jitter: 0.1,
} as const satisfies ResolvedRetryPolicy;

/** How long a run waits for an executor that can take it, unless its job says otherwise. */
export const WAIT_MS = 300_000;

/** At most `limit` starts in any `perMs` (whole seconds). */
export interface RateLimit {
  limit: number;
  perMs: number;
}

/** How much history is kept; when both are given, a run must satisfy both. */
export interface KeepRuns {
  days?: number;
  count?: number;
}

/** The description of a job to add or change; everything after `schedule` has a default. */
export interface JobInput {
  /** A name unique to this job: 1 to 255 characters. Null by default. */
  key?: string | null;
  /** For people. */
  description?: string;
  /** The person or team responsible for the job. */
  owner?: string;
  labels?: Readonly<Record<string, string>>;
  name: string;
  /** The name of the handler on the executors. */
  handler: string;
  schedule: Schedule;
  /** Any JSON; null by default. */
  params?: unknown;
  misfire?: MisfireStrategy;
  route?: RouteStrategy;
  block?: BlockStrategy;
  /** The maximum number of concurrent runs per executor, with `CONCURRENT`. */
  concurrency?: number;
  /** A run that takes longer is aborted and fails with code 502; null: no limit. */
  timeoutMs?: number | null;
  retries?: number;
  /** The delay before the next attempt after a failure: exponential from 1 s to 5 min by default. */
  retry?: RetryPolicy;
  /** How long a run waits for an executor that can take it before it fails: 5 minutes; null waits forever. */
  waitMs?: number | null;
  /** A higher priority goes first among runs due in the same second. */
  priority?: number;
  /** Ids of the jobs that a success of this one triggers. */
  children?: readonly number[];
  executorGroup?: string;
  /** Alert rules for the job, in addition to those of the ring's options. */
  alerts?: readonly AlertRule[];
  /** The maximum number of concurrent runs of the job in the whole ring; further runs wait. Null: no limit. */
  maxRunning?: number | null;
  /** Limits how often runs start in the whole ring; further runs wait. Null: no limit. */
  rate?: RateLimit | null;
  /** Delays each occurrence by up to this many milliseconds; the delay of an occurrence never changes. */
  jitterMs?: number;
  /** The names of the calendars whose times are excluded. */
  except?: readonly string[];
  /** Limits the job's history beyond the ring's limit: to the newest `count` runs, and to runs younger than `days`. */
  keepRuns?: KeepRuns;
}

/** A stored job. */
export interface Job extends Required<JobInput> {
  id: number;
  /** The namespace of the `jobs.sync` list that declares the job; null: it was never synced. */
  namespace: string | null;
  retry: ResolvedRetryPolicy;
  state: 'STOPPED' | 'RUNNING';
  /** Why the job is stopped; null while it runs and before its first start. */
  stopReason: { code: 'user' | 'no-next-time' | 'bad-schedule'; message: string } | null;
  /** The latest occurrence that was claimed. */
  lastAt: EpochMs | null;
  /** The next occurrence to claim; null when stopped. */
  nextAt: EpochMs | null;
  createdAt: EpochMs;
  updatedAt: EpochMs;
}

/** The fields that a caller sets, with the defaults filled in. */
export type JobSettings = Required<JobInput> & Pick<Job, 'retry'>;
