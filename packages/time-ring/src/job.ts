import type { EpochMs } from '@horae/clock-store';

/** When a job fires: by cron (Quartz unless said otherwise), every so many milliseconds, or only when it is triggered. */
export type Schedule =
  | { kind: 'cron'; expression: string; dialect?: 'posix' | 'quartz'; zone?: string }
  | { kind: 'fix-rate'; everyMs: number }
  | { kind: 'none' };

export const misfireStrategies = ['DO_NOTHING', 'FIRE_ONCE_NOW'] as const;
export type MisfireStrategy = (typeof misfireStrategies)[number];

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
export type RouteStrategy = (typeof routeStrategies)[number];

export const blockStrategies = ['SERIAL', 'DISCARD', 'COVER', 'CONCURRENT'] as const;
export type BlockStrategy = (typeof blockStrategies)[number];

/** What a person writes to describe a job; everything after `schedule` has a default. */
export interface JobInput {
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
  /** Higher goes first within a second. */
  priority?: number;
  /** Jobs that a success triggers. */
  children?: readonly number[];
  executorGroup?: string;
}

/** A stored job. */
export interface Job extends Required<JobInput> {
  id: number;
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
export type JobSettings = Required<JobInput>;
