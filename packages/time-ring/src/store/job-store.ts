import type { EpochMs } from '@horae/clock-store';
import type { Job, JobSettings } from '../job.js';
import type { Run, RunRow, RunState, TriggerType } from '../run.js';

/** Which jobs `jobs` lists, ascending by id. */
export interface JobQuery {
  readonly state?: Job['state'] | undefined;
  readonly executorGroup?: string | undefined;
  readonly limit: number;
  /** Only ids above it. */
  readonly afterId: number;
}

/** Which runs `runs` lists, highest id first. `from` and `to` are a half-open range of schedule times. */
export interface RunQuery {
  readonly jobId?: number | undefined;
  readonly fireId?: number | undefined;
  readonly state?: RunState | undefined;
  readonly triggerType?: TriggerType | undefined;
  readonly from?: EpochMs | undefined;
  readonly to?: EpochMs | undefined;
  readonly limit: number;
  /** Only ids below it; null begins at the newest. */
  readonly beforeId: number | null;
}

/** A run to be written. The store gives the id; `fireId: null` makes the run a fire of its own. */
export interface NewRun extends Omit<RunRow, 'id' | 'fireId'> {
  readonly fireId: number | null;
  /** Written at most once per key, ever; null for runs that may repeat. */
  readonly key: RunKey | null;
}

/** What may happen once: a scheduled fire of a job, or a child's run after a fire of its parent. */
export type RunKey =
  | { readonly kind: 'schedule'; readonly jobId: number; readonly scheduleTime: EpochMs }
  | { readonly kind: 'child'; readonly childId: number; readonly parentFireId: number };

/** Whose a run must still be for a change to count. */
export interface RunClaim {
  readonly id: number;
  readonly owner: string;
  readonly fence: number;
}

/** A pending run is handed to an executor. */
export interface RunFire extends RunClaim {
  readonly state: 'queued' | 'running';
  readonly address: string;
  readonly shardTotal: number;
  readonly firedAt: EpochMs;
  readonly startedAt: EpochMs | null;
}

/** A run is over. What is null keeps its value. */
export interface RunEnd extends RunClaim {
  readonly state: 'succeeded' | 'failed' | 'killed' | 'skipped';
  readonly code: number | null;
  readonly message: string | null;
  readonly endedAt: EpochMs;
  readonly firedAt: EpochMs | null;
  readonly address: string | null;
}

/** A remote executor has accepted a run. */
export interface RemoteAssignment extends RunClaim {
  readonly startedAt: EpochMs;
  readonly deadlineAt: EpochMs | null;
}

/** What a pass writes back to a job. */
export interface JobAdvance {
  readonly id: number;
  readonly state: Job['state'];
  readonly stopReason: Job['stopReason'];
  readonly lastAt: EpochMs | null;
  readonly nextAt: EpochMs | null;
  readonly updatedAt: EpochMs;
}

/** A node's sign of life. */
export interface NodeBeat {
  readonly owner: string;
  readonly nodeId: string;
  readonly beatAt: EpochMs;
}

/** A lease of one of the 64 buckets. `owner` is null while nobody has it. */
export interface BucketLease {
  readonly bucket: number;
  readonly owner: string | null;
  readonly epoch: number;
  readonly expiresAt: EpochMs;
}

/** A remote executor as it is registered. */
export interface RegisteredExecutor {
  readonly group: string;
  readonly address: string;
  readonly registeredAt: EpochMs;
  readonly beatAt: EpochMs;
}

/** Reads that hold nothing. */
export interface JobReads {
  /** The clock that all nodes on this store agree on; null where the node's own clock is it. */
  now(): Promise<EpochMs | null>;
  job(id: number): Promise<Job | null>;
  /** Ascending by id; unknown ids are left out. */
  jobsByIds(ids: readonly number[]): Promise<readonly Job[]>;
  jobs(query: JobQuery): Promise<readonly Job[]>;
  run(id: number): Promise<RunRow | null>;
  runs(query: RunQuery): Promise<readonly Run[]>;
  /** The runs of `owner` that are not over, ascending by id, above `afterId`, at most `limit`. */
  ownedRuns(query: { owner: string; afterId: number; limit: number }): Promise<readonly RunRow[]>;
  /** Log lines of a run from line number `fromLine` (0 is the first) on, ascending, at most `limit`. */
  logLines(runId: number, fromLine: number, limit: number): Promise<readonly string[]>;
  nodes(): Promise<readonly NodeBeat[]>;
  buckets(): Promise<readonly BucketLease[]>;
  /** By group, then address. */
  executors(group?: string): Promise<readonly RegisteredExecutor[]>;
  /** Executors whose last beat is before `beatBefore`, by group, then address, at most `limit`. */
  lostExecutors(query: { beatBefore: EpochMs; limit: number }): Promise<readonly RegisteredExecutor[]>;
}

/** What may be done inside one transaction. What is `held` stays as it was read until the transaction is over. */
export interface JobTransaction extends JobReads {
  /** Takes the lock row that only one transaction can have. False: the row is not there. */
  holdLockRow(): Promise<boolean>;
  /** Records the claim mode if none is recorded, and tells which one is. */
  claimMode(mode: 'lock-row' | 'buckets'): Promise<string>;

  /** Gives the next id: 1, 2, 3 … */
  insertJob(settings: JobSettings, at: EpochMs): Promise<Job>;
  holdJob(id: number): Promise<Job | null>;
  putJob(job: Job): Promise<void>;
  deleteJob(id: number): Promise<void>;
  /** The children of every job that has any; held, so that two saves cannot close a cycle together. */
  holdFamilies(): Promise<ReadonlyMap<number, readonly number[]>>;
  /** RUNNING jobs with `nextAt <= until`, held, by (nextAt, id). `buckets` null means all. */
  holdDueJobs(query: { until: EpochMs; limit: number; buckets: readonly number[] | null }): Promise<readonly Job[]>;
  advanceJobs(changes: readonly JobAdvance[]): Promise<void>;

  /** The new ids in the order of `runs`; null where the key has been written before. Ascending in the order of `runs`. */
  insertRuns(runs: readonly NewRun[]): Promise<readonly (number | null)[]>;
  /** Held; unknown ids are left out; ascending by id. */
  holdRuns(ids: readonly number[]): Promise<readonly RunRow[]>;
  /** The ids that were still pending and the claimant's. */
  fireRuns(fires: readonly RunFire[]): Promise<ReadonlySet<number>>;
  /** Queued runs begin; the ids that were still queued and the claimant's. */
  startRuns(starts: readonly (RunClaim & { readonly startedAt: EpochMs })[]): Promise<ReadonlySet<number>>;
  /** The ids that were not over and the claimant's. An ended run has no owner. */
  endRuns(ends: readonly RunEnd[]): Promise<ReadonlySet<number>>;
  /** Remote executors have accepted the runs, which outlive this node from now on: their owner becomes REMOTE. The ids that were the claimant's. */
  assignRemote(assignments: readonly RemoteAssignment[]): Promise<ReadonlySet<number>>;
  /**
   * Gives runs that are not over and whose owner is one of `from` to `owner`: pending again, fence one higher, address and start
   * forgotten, fired time kept. Ascending by id, at most `limit`. `buckets` null means all.
   */
  takeRuns(query: {
    owner: string;
    from: readonly string[];
    buckets: readonly number[] | null;
    limit: number;
  }): Promise<readonly RunRow[]>;
  /** Whether `owner` has any run that is not over. */
  ownsRuns(owner: string): Promise<boolean>;
  /** Gives runs that are not over back: owner becomes UNOWNED, state pending, start forgotten. Those that changed hands are left. */
  handBack(claims: readonly RunClaim[]): Promise<void>;
  /** Deletes a job's runs of type 'schedule' that are pending and were never fired. Gives their ids. */
  withdrawRuns(jobId: number): Promise<readonly number[]>;
  /** The runs of a fire, held. */
  holdFire(fireId: number): Promise<readonly RunRow[]>;
  /** REMOTE runs past their deadline, held, by id. */
  holdOverdueRuns(query: {
    now: EpochMs;
    buckets: readonly number[] | null;
    limit: number;
  }): Promise<readonly RunRow[]>;
  /** REMOTE runs at one of the addresses, held, by id. */
  holdRunsAt(query: {
    addresses: readonly string[];
    buckets: readonly number[] | null;
    limit: number;
  }): Promise<readonly RunRow[]>;
  /** Deletes runs that ended before `endedBefore`, with their logs, at most `limit`, lowest ids first. The number of them. */
  deleteRuns(query: { endedBefore: EpochMs; limit: number }): Promise<number>;
  appendLog(lines: readonly { readonly runId: number; readonly line: number; readonly text: string }[]): Promise<void>;

  /** Tells `owner` that its run was killed by somebody else. */
  addKill(owner: string, runId: number): Promise<void>;
  /** What was told to `owner`, and forgets it. */
  takeKills(owner: string): Promise<readonly number[]>;

  beat(node: NodeBeat): Promise<void>;
  /** Holds the row of a node against its removal, and writes it when it is not there; its last beat stays as it is. */
  keepNode(node: NodeBeat): Promise<void>;
  /** The nodes that are still there, held, by owner: nothing becomes theirs before the transaction is over. */
  holdNodes(owners: readonly string[]): Promise<readonly NodeBeat[]>;
  removeNode(owner: string): Promise<void>;

  /** The leases of `owner`, held, by bucket. */
  holdBuckets(owner: string): Promise<readonly BucketLease[]>;
  /** The new expiry of all leases of `owner`. */
  renewBuckets(owner: string, expiresAt: EpochMs): Promise<void>;
  /** Takes a bucket that is free or expired before `now`, under the next epoch, which is given; null: somebody else has it. */
  takeBucket(bucket: number, owner: string, now: EpochMs, expiresAt: EpochMs): Promise<number | null>;
  /** Frees buckets of `owner`; those of others are left. */
  releaseBuckets(owner: string, buckets: readonly number[]): Promise<void>;

  /** Registers, or beats. 'new' when the address was not registered in the group. */
  putExecutor(executor: { group: string; address: string; at: EpochMs }): Promise<'new' | 'known'>;
  /** What was removed; null when it was not there. */
  removeExecutor(group: string, address: string): Promise<RegisteredExecutor | null>;
}

/**
 * Where jobs, runs and what nodes tell each other are kept. Everything that must happen together is one `transaction`; transactions that
 * hold the same rows happen one after the other. The store never asks a clock but its own, and `work` may be run again after contention.
 */
export interface JobStore extends JobReads, AsyncDisposable {
  transaction<T>(work: (trx: JobTransaction) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
