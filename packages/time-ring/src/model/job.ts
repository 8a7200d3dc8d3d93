import type { EpochMs } from '@horae/clock-store';
import type { AlertRule } from './alert.js';

/** How calls name a job: a number is its id, a text its key. */
export type JobRef = number | string;

/** How often an `interval` schedule falls due: exactly one unit. */
export interface IntervalLength {
  months?: number;
  weeks?: number;
  days?: number;
  hours?: number;
  minutes?: number;
}

/**
 * When a job fires: by cron (Quartz unless said otherwise), every so many milliseconds (from 100 on), so many after the end of the fire
 * before (from 1,000 on), at an interval that cron cannot say, once, or only when it is triggered. `anchor` is a local ISO time in `zone`
 * and one of the occurrences.
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
/** Decides which executor gets a run. */
export type RouteStrategy = (typeof routeStrategies)[number];

/** Every `BlockStrategy`. */
export const blockStrategies = ['SERIAL', 'DISCARD', 'COVER', 'CONCURRENT'] as const;
/** Decides what happens to a run whose job is busy on its executor. */
export type BlockStrategy = (typeof blockStrategies)[number];

/**
 * How long a failed attempt is followed by nothing. Exponential: `firstMs` after the first failure, `factor` times as long after each
 * further one, never above `maxMs`, each time up to `jitter` (0 to 1) of it shorter or longer.
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

/** How long a run waits for somebody who can do it, unless its job says otherwise. */
export const WAIT_MS = 300_000;

/** At most `limit` starts in any `perMs` (whole seconds). */
export interface RateLimit {
  limit: number;
  perMs: number;
}

/** How much history stays; both given: both must hold. */
export interface KeepRuns {
  days?: number;
  count?: number;
}

/** What a person writes to describe a job; everything after `schedule` has a default. */
export interface JobInput {
  /** A name that only this job has: 1 to 255 characters. Null by default. */
  key?: string | null;
  /** For people. */
  description?: string;
  /** The person or team that answers for the job. */
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
  /** Runs at once on one executor, with `CONCURRENT`. */
  concurrency?: number;
  /** A run over it is aborted and counts as failed with code 502; null means no limit. */
  timeoutMs?: number | null;
  retries?: number;
  /** How long a failed attempt waits for the next: exponential from 1 s to 5 min by default. */
  retry?: RetryPolicy;
  /** How long a run waits for an executor that can take it before it fails: 5 minutes; null waits for ever. */
  waitMs?: number | null;
  /** Higher goes first within a second. */
  priority?: number;
  /** Jobs that a success triggers. */
  children?: readonly number[];
  executorGroup?: string;
  /** Who hears of what happens to the job, besides what the ring's options say. */
  alerts?: readonly AlertRule[];
  /** Runs of the job at once in the whole ring; the rest wait. Null: no limit. */
  maxRunning?: number | null;
  /** Starts of runs in the whole ring; the rest wait. Null: no limit. */
  rate?: RateLimit | null;
  /** Each occurrence is delayed by up to so many milliseconds, always by the same number. */
  jitterMs?: number;
  /** Calendars whose times are left out, by name. */
  except?: readonly string[];
  /** What stays of the job's history, beside what the ring keeps: the newest `count` runs, and those younger than `days`. */
  keepRuns?: KeepRuns;
}

/** A stored job. */
export interface Job extends Required<JobInput> {
  id: number;
  /** Whose list of declarations the job belongs to; null: `jobs.sync` has never named it. */
  namespace: string | null;
  retry: ResolvedRetryPolicy;
  state: 'STOPPED' | 'RUNNING';
  /** Why it is stopped; null while it runs and before its first start. */
  stopReason: { code: 'user' | 'no-next-time' | 'bad-schedule'; message: string } | null;
  /** The latest occurrence that was claimed. */
  lastAt: EpochMs | null;
  /** The next occurrence to claim; null when stopped. */
  nextAt: EpochMs | null;
  createdAt: EpochMs;
  updatedAt: EpochMs;
}

/** The fields a person decides on, with the defaults filled in. */
export type JobSettings = Required<JobInput> & Pick<Job, 'retry'>;
