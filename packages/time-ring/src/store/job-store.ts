import type { EpochMs } from '@horae/clock-store';
import type { CalendarDefinition } from '@horae/cron-grammar';
import type { ForeignTransaction } from '../model/foreign-transaction.js';
import type { Job, JobSettings } from '../model/job.js';
import type { Run, RunError, RunProgress, RunRow, RunState, TriggerType, WaitingReason } from '../model/run.js';
import type { AlertReads, AlertVerbs } from './alert-store.js';
import type { EventReads, EventVerbs } from './event-store.js';
import type { FlowReads, FlowWrites } from './flow-store.js';
import type { Glance, GlanceQuery } from './glance.js';
import type { GroupReads, GroupWrites } from './group-store.js';
import type { NodeHeartbeat } from './node-heartbeat.js';
import type { Upcoming } from './upcoming.js';

/** Which jobs `jobs` lists, ascending by id. */
export interface JobQuery {
  readonly state?: Job['state'] | undefined;
  readonly executorGroup?: string | undefined;
  /** Lower-case ASCII: jobs without it in their name, key, handler, owner or labels may be left out. */
  readonly textHint?: string | undefined;
  /** Only jobs that have alert rules of their own. */
  readonly hasAlerts?: boolean | undefined;
  readonly limit: number;
  /** Only ids above it. */
  readonly afterId: number;
}

/** Which runs `runs` lists, highest id first unless `order` says otherwise. `from` and `to` are a half-open range of schedule times. */
export interface RunQuery {
  readonly jobId?: number | undefined;
  readonly fireId?: number | undefined;
  readonly state?: RunState | undefined;
  readonly triggerType?: TriggerType | undefined;
  readonly from?: EpochMs | undefined;
  readonly to?: EpochMs | undefined;
  /** A part of the job's name or key, or of the run's message; case is ignored. */
  readonly text?: string | undefined;
  /** Labels that the run must all have. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** The executor group of the job. */
  readonly group?: string | undefined;
  /** The address of the executor. */
  readonly executor?: string | undefined;
  /** True: failed, and no other attempt follows; false: all others. */
  readonly dead?: boolean | undefined;
  readonly order?: 'newest' | 'oldest' | undefined;
  /** The large fields to read: all when omitted, none for an empty list. Fields that are not read are undefined. */
  readonly include?: readonly ('params' | 'result')[] | undefined;
  /** Only ids from it on. */
  readonly fromId?: number | undefined;
  readonly limit: number;
  /** Only ids below it, above it when the oldest come first; null begins at the first. */
  readonly beforeId: number | null;
}

/** A run to be written. The store assigns the id; `fireId: null` makes the run a fire of its own. */
export interface NewRun extends Omit<RunRow, 'id' | 'fireId'> {
  readonly fireId: number | null;
  /** Written at most once per key, ever; null for runs that may repeat. A run that is a fire of its own takes its `uniqueKey`. */
  readonly key: RunKey | null;
}

/** Identifies what may happen only once: a scheduled fire, a child's run after a parent's fire, a requested retry, a step of a flow. */
export type RunKey =
  | { readonly kind: 'schedule'; readonly jobId: number; readonly scheduleTime: EpochMs }
  | { readonly kind: 'child'; readonly childId: number; readonly parentFireId: number }
  | { readonly kind: 'retry'; readonly runId: number }
  | { readonly kind: 'flow-step'; readonly stepId: number };

/** The fire that holds a unique key of a job; `until` is null while the fire is not over, then the time at which the key is free again. */
export interface UniqueHolder {
  readonly uniqueKey: string;
  readonly fireId: number;
  readonly until: EpochMs | null;
}

/** The owner and fence a run must still have for an update to apply. */
export interface RunClaim {
  readonly id: number;
  readonly owner: string;
  readonly fence: number;
}

/** A pending run is handed to an executor. */
export interface RunDispatch extends RunClaim {
  readonly state: 'queued' | 'running';
  readonly address: string;
  readonly shardTotal: number;
  readonly firedAt: EpochMs;
  readonly startedAt: EpochMs | null;
}

/** The end of a run. A field that is null keeps its stored value. */
export interface RunEnd extends RunClaim {
  readonly state: 'succeeded' | 'failed' | 'killed' | 'skipped';
  readonly code: number | null;
  readonly message: string | null;
  /** The value its handler returned, any JSON; null: none. */
  readonly result?: unknown;
  readonly error?: RunError | null;
  readonly progress?: RunProgress | null;
  readonly endedAt: EpochMs;
  readonly firedAt: EpochMs | null;
  readonly address: string | null;
}

/** A remote executor has accepted a run. */
export interface RemoteAssignment extends RunClaim {
  readonly startedAt: EpochMs;
  readonly deadlineAt: EpochMs | null;
}

/** The result of a run that is being killed: it applies at `deadlineAt` unless the kill is answered first. */
export interface KeptResult extends RunClaim {
  readonly code: number;
  readonly message: string | null;
  readonly deadlineAt: EpochMs;
}

/** No executor can take a run now: it waits until `deadlineAt` at the latest. */
export interface RunParking extends RunClaim {
  readonly waitingFor: WaitingReason;
  readonly deadlineAt: EpochMs | null;
}

/** Repeats an attempt at `dueAt` without counting it. */
export interface RunPostponement extends RunClaim {
  readonly dueAt: EpochMs;
}

/** Hands a pending run to another node, whose executor at `address` runs it. */
export interface RunHandover extends RunClaim {
  readonly to: string;
  readonly address: string;
}

/** How many runs of a job wait for the same reason. */
export interface WaitingCount {
  readonly jobId: number;
  readonly reason: WaitingReason;
  readonly count: number;
}

/** The fields of a job that a pass writes back. */
export interface JobAdvance {
  readonly id: number;
  readonly state: Job['state'];
  readonly stopReason: Job['stopReason'];
  readonly lastAt: EpochMs | null;
  readonly nextAt: EpochMs | null;
  readonly updatedAt: EpochMs;
}

export type { NodeHeartbeat } from './node-heartbeat.js';

/** A lease of one of the 64 buckets. `owner` is null while the bucket is free. */
export interface BucketLease {
  readonly bucket: number;
  readonly owner: string | null;
  readonly epoch: number;
  readonly expiresAt: EpochMs;
}

/** An executor as it is registered: a remote one, or one in the process of a node. */
export interface RegisteredExecutor {
  readonly group: string;
  readonly address: string;
  readonly registeredAt: EpochMs;
  /** For a local executor, the heartbeat of its node. */
  readonly beatAt: EpochMs;
  /** The owner name and the label of the node it is in; null for a remote one. */
  readonly nodeOwner: string | null;
  readonly nodeId: string | null;
  /** Null: not announced. */
  readonly handlers: readonly string[] | null;
  /** Changes when a remote executor restarts; null: not announced. */
  readonly instanceId: string | null;
}

/** A registration, or a heartbeat of one. */
export type ExecutorRegistration = Omit<RegisteredExecutor, 'registeredAt' | 'beatAt'> & { readonly at: EpochMs };

/** A calendar under its name. */
export interface StoredCalendar {
  readonly name: string;
  readonly definition: CalendarDefinition;
}

/** The result of one step of deleting old runs. */
export interface RunSweep {
  readonly deleted: number;
  /** The last id examined; the next step continues above it. */
  readonly lastId: number;
  /** No run above it is old enough yet, or there is none. */
  readonly isDone: boolean;
}

/** Reads that lock nothing. */
export interface JobReads extends GroupReads, AlertReads, EventReads, FlowReads {
  /** The time of the clock that all nodes on this store share; null where each node uses its own clock. */
  now(): Promise<EpochMs | null>;
  job(id: number): Promise<Job | null>;
  jobByKey(key: string): Promise<Job | null>;
  /** Ascending by id; unknown ids are left out. */
  jobsByIds(ids: readonly number[]): Promise<readonly Job[]>;
  jobs(query: JobQuery): Promise<readonly Job[]>;
  /** In no particular order; unknown keys are left out. */
  jobsByKeys(keys: readonly string[]): Promise<readonly Job[]>;
  /** The ids of RUNNING jobs without a next time, which wait for the end of a fire, ascending; `ids` null: among all jobs. */
  jobsBetweenFires(query: { ids: readonly number[] | null; limit: number }): Promise<readonly number[]>;
  /** Whether a run of type 'schedule', 'misfire' or 'retry' of the job is not over. */
  hasOpenFires(jobId: number): Promise<boolean>;
  /** By name; unknown names are left out. Null: all. */
  calendars(names: readonly string[] | null): Promise<readonly StoredCalendar[]>;
  /** By id. */
  jobsOfNamespace(namespace: string): Promise<readonly Job[]>;
  run(id: number): Promise<RunRow | null>;
  runs(query: RunQuery): Promise<readonly Run[]>;
  /** The latest attempt at each shard of the fires, by id. */
  latestOfFires(fireIds: readonly number[]): Promise<readonly RunRow[]>;
  /** The runs of `owner` that are not over, ascending by id, above `afterId`, at most `limit`. */
  ownedRuns(query: { owner: string; afterId: number; limit: number }): Promise<readonly RunRow[]>;
  /** Whether `owner` has a run of the job that is not over. */
  ownsRunOf(owner: string, jobId: number): Promise<boolean>;
  /** Whether a run was handed over to `owner` that it has not taken yet. */
  hasHandovers(owner: string): Promise<boolean>;
  /** Exact counts of waiting runs, by job id. */
  waitingRuns(): Promise<readonly WaitingCount[]>;
  /** Log lines of a run from line number `fromLine` (0 is the first) on, ascending, at most `limit`. */
  logLines(runId: number, fromLine: number, limit: number): Promise<readonly string[]>;
  nodes(): Promise<readonly NodeHeartbeat[]>;
  buckets(): Promise<readonly BucketLease[]>;
  /** By group, then address, then node. Executors of a missing node are left out. */
  executors(group?: string): Promise<readonly RegisteredExecutor[]>;
  /** Remote executors whose last heartbeat is before `beatBefore`, by group, then address, at most `limit`. */
  lostExecutors(query: { beatBefore: EpochMs; limit: number }): Promise<readonly RegisteredExecutor[]>;
}

/** The operations inside one transaction. Rows that are `locked` stay as they were read until the transaction is over. */
export interface JobTransaction extends JobReads, GroupWrites, AlertVerbs, EventVerbs, FlowWrites {
  /** Takes the lock row, which only one transaction can hold at a time. False: the row is missing. */
  takeLockRow(): Promise<boolean>;
  /** Records the claim mode if none is recorded, and returns the recorded one. */
  claimMode(mode: 'lock-row' | 'buckets'): Promise<string>;

  /** The id of the job with the key; no other transaction can take the key until this one is over. */
  lockKey(key: string): Promise<number | null>;
  /** Inserts a job under the next id: 1, 2, 3 … */
  insertJob(settings: JobSettings, at: EpochMs): Promise<Job>;
  /** Returns the first of `count` consecutive ids that no other job receives from now on, even if they stay unused. */
  reserveJobIds(count: number): Promise<number>;
  /** Inserts jobs unchanged, under reserved ids. */
  insertJobs(jobs: readonly Job[]): Promise<void>;
  lockJob(id: number): Promise<Job | null>;
  /** The same calendars, locked, so that none is deleted before the transaction is over; by name. */
  lockCalendars(names: readonly string[]): Promise<readonly StoredCalendar[]>;
  /** Adds a calendar or replaces it, and locks it. */
  putCalendar(calendar: StoredCalendar): Promise<void>;
  /** False: it did not exist. */
  deleteCalendar(name: string): Promise<boolean>;
  /** The jobs that name the calendar in `except`, by id. */
  jobsExcept(calendar: string): Promise<readonly Job[]>;
  putJob(job: Job): Promise<void>;
  deleteJob(id: number): Promise<void>;
  /** The children of every job that has any; locked, so that two concurrent saves cannot close a cycle together. */
  lockFamilies(): Promise<ReadonlyMap<number, readonly number[]>>;
  /** RUNNING jobs with `nextAt <= until`, locked, by (nextAt, id), except those of `exceptGroups`. `buckets` null means all. */
  lockDueJobs(query: {
    until: EpochMs;
    limit: number;
    buckets: readonly number[] | null;
    exceptGroups?: readonly string[];
  }): Promise<readonly Job[]>;
  advanceJobs(changes: readonly JobAdvance[]): Promise<void>;

  /** The new ids, ascending in the order of `runs`; null where the key has been written before or the unique key is taken. */
  insertRuns(runs: readonly NewRun[]): Promise<readonly (number | null)[]>;
  /** The fires that hold these unique keys of a job, locked. */
  lockUnique(jobId: number, keys: readonly string[]): Promise<readonly UniqueHolder[]>;
  /** Frees the unique keys of ended fires, at once or from `until` on. */
  releaseUnique(releases: readonly { readonly fireId: number; readonly until: EpochMs | null }[]): Promise<void>;
  /** Returns the unique key to an ended fire that continues. False: another fire holds the key. */
  retakeUnique(fireId: number): Promise<boolean>;
  /** Writes the progress of running runs; returns the ids that belonged to the claimant. */
  writeProgress(reports: readonly (RunClaim & { readonly progress: RunProgress })[]): Promise<ReadonlySet<number>>;
  /** Locked; unknown ids are left out; ascending by id. */
  lockRuns(ids: readonly number[]): Promise<readonly RunRow[]>;
  /** Returns the ids that were still pending and belonged to the claimant. */
  dispatchRuns(fires: readonly RunDispatch[]): Promise<ReadonlySet<number>>;
  /** Starts queued runs; returns the ids that were still queued and belonged to the claimant. */
  startRuns(starts: readonly (RunClaim & { readonly startedAt: EpochMs })[]): Promise<ReadonlySet<number>>;
  /** Returns the ids that were not over and belonged to the claimant. An ended run has no owner. */
  endRuns(ends: readonly RunEnd[]): Promise<ReadonlySet<number>>;
  /**
   * Makes REMOTE the owner of runs that remote executors have accepted: they outlive this node. Returns the ids that belonged to the
   * claimant.
   */
  assignRemote(assignments: readonly RemoteAssignment[]): Promise<ReadonlySet<number>>;
  /** Keeps results of running runs, which continue; returns the ids that belonged to the claimant. */
  keepResults(results: readonly KeptResult[]): Promise<ReadonlySet<number>>;
  /**
   * Transfers runs that are not over from the owners `from` to `owner`: pending again, fence one higher, address and start cleared, fired
   * time kept. Ascending by id, at most `limit`.
   */
  takeRuns(query: { owner: string; from: readonly string[]; limit: number }): Promise<readonly RunRow[]>;
  /** Sets the number of shards of broadcasts; returns the ids that were still pending and belonged to the claimant. */
  spreadRuns(
    spreads: readonly (RunClaim & { readonly shardTotal: number; readonly firedAt: EpochMs })[],
  ): Promise<ReadonlySet<number>>;
  /** Makes runs that are not over wait, pending, with the same fence; returns the ids that belonged to the claimant. */
  parkRuns(parkings: readonly RunParking[]): Promise<ReadonlySet<number>>;
  /**
   * Transfers waiting runs of a job to `owner`, fence one higher, by (priority descending, readyAt, id), at most `limit`. Leaves runs with
   * other owners.
   */
  takeWaiting(query: { owner: string; jobId: number; limit: number }): Promise<readonly RunRow[]>;
  /** Transfers delayed runs that are due by `until` to `owner`, fence one higher, by (due time, id), at most `limit`. */
  takeDelayed(query: { owner: string; until: EpochMs; limit: number }): Promise<readonly RunRow[]>;
  /** Makes runs that are not over pending again, DELAYED and due later; returns the ids that belonged to the claimant. */
  postponeRuns(postponements: readonly RunPostponement[]): Promise<ReadonlySet<number>>;
  /** Hands pending runs to new owners, fence one higher, and notes it for them; returns the ids that were pending and the claimant's. */
  handOver(handovers: readonly RunHandover[]): Promise<ReadonlySet<number>>;
  /** The runs that were handed over to `owner` and still belong to it, locked, by id; each is returned once. */
  takeHandovers(owner: string): Promise<readonly RunRow[]>;
  /** Whether `owner` has any run that is not over. */
  ownsRuns(owner: string): Promise<boolean>;
  /** Releases runs that are not over: owner becomes UNOWNED, state pending, start cleared. Runs that changed owner are left as they are. */
  handBack(claims: readonly RunClaim[]): Promise<void>;
  /** Deletes a job's runs of type 'schedule' that are pending and were never fired. Returns their ids. */
  withdrawRuns(jobId: number): Promise<readonly number[]>;
  /** The runs of a fire, locked. */
  lockFire(fireId: number): Promise<readonly RunRow[]>;
  /** REMOTE or WAITING runs past their deadline, locked, by id. */
  lockOverdueRuns(query: { owner: string; now: EpochMs; limit: number }): Promise<readonly RunRow[]>;
  /** REMOTE runs at one of the addresses, locked, by id. */
  lockRunsAt(query: { addresses: readonly string[]; limit: number }): Promise<readonly RunRow[]>;
  /**
   * Examines the next `limit` runs above `afterId`, lowest ids first, and deletes those that ended before `endedBefore`, with their logs.
   * A run with more lines than one transaction should delete loses some of them and stays for the next call.
   */
  deleteRuns(query: { endedBefore: EpochMs; afterId: number; limit: number }): Promise<RunSweep>;
  appendLog(lines: readonly { readonly runId: number; readonly line: number; readonly text: string }[]): Promise<void>;

  /** Wakes these nodes when the transaction commits; `UNOWNED` wakes all. No effect where the store carries no messages. */
  wake(owners: readonly string[]): Promise<void>;
  /** Notes for `owner` that another process has killed its run. */
  addKill(owner: string, runId: number): Promise<void>;
  /** Returns and deletes the kills noted for `owner`. */
  takeKills(owner: string): Promise<readonly number[]>;

  heartbeat(node: NodeHeartbeat): Promise<void>;
  /** Locks the row of a node against removal, and inserts it when it is missing; its last heartbeat is unchanged. */
  keepNode(node: NodeHeartbeat): Promise<void>;
  /**
   * Which of these nodes exist; none is removed until the transaction is over. Their heartbeats are not blocked where the database allows.
   */
  pinNodes(owners: readonly string[]): Promise<ReadonlySet<string>>;
  /** The nodes that still exist, locked, by owner: they acquire nothing before the transaction is over. */
  lockNodes(owners: readonly string[]): Promise<readonly NodeHeartbeat[]>;
  /** Removes a node and its executors. */
  removeNode(owner: string): Promise<void>;

  /** The leases of `owner`, locked, by bucket. */
  lockBuckets(owner: string): Promise<readonly BucketLease[]>;
  /** Sets the expiry of all leases of `owner`. */
  renewBuckets(owner: string, expiresAt: EpochMs): Promise<void>;
  /** Takes a bucket that is free or expired before `now` and returns its new epoch, the next one; null: another node has the bucket. */
  takeBucket(bucket: number, owner: string, now: EpochMs, expiresAt: EpochMs): Promise<number | null>;
  /** Frees buckets of `owner`; buckets of other nodes are left as they are. */
  releaseBuckets(owner: string, buckets: readonly number[]): Promise<void>;

  /**
   * Registers an executor or records its heartbeat; handlers and instance are those of the latest registration. 'new' when it was not
   * registered in the group; 'restarted' when it was registered under another instance id.
   */
  putExecutor(executor: ExecutorRegistration): Promise<'new' | 'known' | 'restarted'>;
  /** Returns the executor it removed; null when there was none. `nodeOwner` null: a remote executor. */
  removeExecutor(executor: {
    group: string;
    address: string;
    nodeOwner: string | null;
  }): Promise<RegisteredExecutor | null>;
}

/**
 * Stores jobs, runs and the messages between nodes. Everything that must happen together is one `transaction`; transactions that lock the
 * same rows run one after the other. The store reads no clock but its own, and may run `work` again after contention.
 */
export interface JobStore extends JobReads, AsyncDisposable {
  transaction<T>(work: (trx: JobTransaction) => Promise<T>): Promise<T>;
  /** Checks for work, outside a transaction and in as few statements as possible; null: the node's row is missing. */
  glance(query: GlanceQuery): Promise<Glance | null>;
  /** The future work in the store, read outside a transaction. Only for simulated clocks, like `oldestEnd`. */
  upcoming(): Promise<Upcoming>;
  /** The earliest end of all ended runs and flows; null: none has ended. May read every run. */
  oldestEnd(): Promise<EpochMs | null>;
  /**
   * The operations inside the caller's transaction, which only the caller ends. Rejects with 'bad-transaction' if it is not on this store.
   */
  inTransaction(transaction: ForeignTransaction): Promise<JobTransaction>;
  close(): Promise<void>;
}
