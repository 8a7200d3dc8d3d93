import type { EpochMs } from '@horae/clock-store';
import type { AlertRule } from '../model/alert.js';
import type { Job, RateLimit } from '../model/job.js';

/** A group as it is stored. */
export interface StoredGroup {
  readonly name: string;
  readonly title: string;
  readonly addresses: readonly string[];
  readonly maxRunning: number | null;
  readonly rate: RateLimit | null;
  readonly alerts: readonly AlertRule[];
  /** When it was paused; null: it is not paused. */
  readonly pausedAt: EpochMs | null;
  readonly createdAt: EpochMs;
}

/** How many runs started in each second since 1970, ascending. */
export type StartCounts = readonly (readonly [second: number, count: number])[];

/** The job or group whose runs are counted. */
export type RunScope = { readonly jobId: number } | { readonly group: string };

/** Reads of groups and limits that lock nothing. */
export interface GroupReads {
  /** By name; unknown names are left out. Null: all. */
  groups(names: readonly string[] | null): Promise<readonly StoredGroup[]>;
  /** The groups that jobs or executors name, in no particular order. */
  namedGroups(): Promise<readonly string[]>;
  /** How many runs are queued or running on an executor. */
  countRunning(scope: RunScope): Promise<number>;
  /** The starts counted under a name; empty when there are none. */
  starts(name: string): Promise<StartCounts>;
  /** Jobs that keep less history than the ring, by id above `afterId`, at most `limit`. */
  jobsWithHistoryLimit(query: { afterId: number; limit: number }): Promise<readonly Job[]>;
}

/** The operations of a transaction on groups and limits. */
export interface GroupWrites {
  /**
   * Reads groups under a shared lock: until the transaction is over no other can pause, resume or change a group, but others may share it.
   */
  shareGroups(names: readonly string[]): Promise<readonly StoredGroup[]>;
  /** Waits for every transaction that shares the groups, then locks them exclusively. */
  lockGroups(): Promise<void>;
  /** Adds a group or replaces it. */
  putGroup(group: StoredGroup): Promise<void>;
  deleteGroup(name: string): Promise<void>;
  /** Makes the waiting runs of the group's jobs wait for the end of the pause, without a deadline. */
  pauseWaiting(group: string): Promise<void>;
  /** Moves the ready time of the runs that wait for the pause, as if the time since `pausedAt` had not passed. */
  resumeWaiting(query: { group: string; pausedAt: EpochMs; now: EpochMs }): Promise<void>;
  /** The starts under each name, locked in the order of the names. */
  lockStarts(names: readonly string[]): Promise<ReadonlyMap<string, StartCounts>>;
  putStarts(name: string, starts: StartCounts): Promise<void>;
  /**
   * Deletes ended runs of a job, with their logs: those that ended before `endedBefore`, and all but the newest `keep`; null sets no
   * limit. Oldest first, at most `limit`; returns their number.
   */
  pruneRuns(query: { jobId: number; keep: number | null; endedBefore: EpochMs | null; limit: number }): Promise<number>;
}
