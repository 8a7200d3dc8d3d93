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
  /** Since when it is paused; null: it is not. */
  readonly pausedAt: EpochMs | null;
  readonly createdAt: EpochMs;
}

/** How many runs were started, by the second since 1970, ascending. */
export type StartCounts = readonly (readonly [second: number, count: number])[];

/** Whose runs are counted. */
export type RunScope = { readonly jobId: number } | { readonly group: string };

/** Reads of groups and limits that hold nothing. */
export interface GroupReads {
  /** By name; unknown names are left out. Null: all. */
  groups(names: readonly string[] | null): Promise<readonly StoredGroup[]>;
  /** The groups that jobs or executors name, in no particular order. */
  namedGroups(): Promise<readonly string[]>;
  /** How many runs are queued or running on an executor. */
  countRunning(scope: RunScope): Promise<number>;
  /** The starts that were counted under a name; none when nothing was. */
  starts(name: string): Promise<StartCounts>;
  /** Jobs that keep less history than the ring, by id above `afterId`, at most `limit`. */
  jobsWithHistoryLimit(query: { afterId: number; limit: number }): Promise<readonly Job[]>;
}

/** What a transaction does with groups and limits. */
export interface GroupWrites {
  /** The same; from here on nobody pauses, resumes or changes a group until the transaction is over, but others may read it so too. */
  shareGroups(names: readonly string[]): Promise<readonly StoredGroup[]>;
  /** Waits for every transaction that shares the groups, and is alone with them. */
  lockGroups(): Promise<void>;
  /** Adds a group or replaces it. */
  putGroup(group: StoredGroup): Promise<void>;
  deleteGroup(name: string): Promise<void>;
  /** What waits of the group's jobs waits because of the pause from here on, and for as long as that takes. */
  pauseWaiting(group: string): Promise<void>;
  /** What waits because of the pause is ready as if the time since `pausedAt` had not passed. */
  resumeWaiting(query: { group: string; pausedAt: EpochMs; now: EpochMs }): Promise<void>;
  /** The starts under each name, held in the order of the names. */
  lockStarts(names: readonly string[]): Promise<ReadonlyMap<string, StartCounts>>;
  putStarts(name: string, starts: StartCounts): Promise<void>;
  /**
   * Deletes runs of a job that are over, with their logs: those that ended before `endedBefore`, and all but the newest `keep`; null does
   * not count. Oldest first, at most `limit`; gives their number.
   */
  pruneRuns(query: { jobId: number; keep: number | null; endedBefore: EpochMs | null; limit: number }): Promise<number>;
}
