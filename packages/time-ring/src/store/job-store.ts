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
  /** Small letters of ASCII: jobs that have it in no name, key, handler, owner or label may be left out. */
  readonly textHint?: string | undefined;
  /** Only jobs with rules for alerts of their own. */
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
  /** A part of the job's name or key, or of the message, whatever the case. */
  readonly text?: string | undefined;
  /** Each of them is a label of the run. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** The executor group of the job. */
  readonly group?: string | undefined;
  /** The address of the executor. */
  readonly executor?: string | undefined;
  /** True: failed, and no other attempt follows; false: all others. */
  readonly dead?: boolean | undefined;
  readonly order?: 'newest' | 'oldest' | undefined;
  /** What else is read; all of it when not said, nothing for an empty list. What is not read is undefined. */
  readonly include?: readonly ('params' | 'result')[] | undefined;
  /** Only ids from it on. */
  readonly fromId?: number | undefined;
  readonly limit: number;
  /** Only ids below it, above it when the oldest come first; null begins at the first. */
  readonly beforeId: number | null;
}

/** A run to be written. The store gives the id; `fireId: null` makes the run a fire of its own. */
export interface NewRun extends Omit<RunRow, 'id' | 'fireId'> {
  readonly fireId: number | null;
  /** Written at most once per key, ever; null for runs that may repeat. A `uniqueKey` of a run that is a fire of its own is taken by it. */
  readonly key: RunKey | null;
}

/** What may happen once: a scheduled fire, a child's run after a fire of its parent, a retry that a user asks for, a step of a flow. */
export type RunKey =
  | { readonly kind: 'schedule'; readonly jobId: number; readonly scheduleTime: EpochMs }
  | { readonly kind: 'child'; readonly childId: number; readonly parentFireId: number }
  | { readonly kind: 'retry'; readonly runId: number }
  | { readonly kind: 'flow-step'; readonly stepId: number };

/** The fire that has a unique key of a job; `until` is null while it is not over, then when the key is free again. */
export interface UniqueHolder {
  readonly uniqueKey: string;
  readonly fireId: number;
  readonly until: EpochMs | null;
}

/** Whose a run must still be for a change to count. */
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

/** A run is over. What is null keeps its value. */
export interface RunEnd extends RunClaim {
  readonly state: 'succeeded' | 'failed' | 'killed' | 'skipped';
  readonly code: number | null;
  readonly message: string | null;
  /** What its handler returned, any JSON; nothing: null. */
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

/** The result of a run that is being killed: it counts at `deadlineAt` unless the kill was answered before. */
export interface KeptResult extends RunClaim {
  readonly code: number;
  readonly message: string | null;
  readonly deadlineAt: EpochMs;
}

/** Nobody can take a run now: it waits until `deadlineAt` at the latest. */
export interface RunParking extends RunClaim {
  readonly waitingFor: WaitingReason;
  readonly deadlineAt: EpochMs | null;
}

/** A run is attempted again at `dueAt`, the attempt not counted. */
export interface RunPostponement extends RunClaim {
  readonly dueAt: EpochMs;
}

/** A pending run goes to another node, whose executor at `address` is to do it. */
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

/** What a pass writes back to a job. */
export interface JobAdvance {
  readonly id: number;
  readonly state: Job['state'];
  readonly stopReason: Job['stopReason'];
  readonly lastAt: EpochMs | null;
  readonly nextAt: EpochMs | null;
  readonly updatedAt: EpochMs;
}

export type { NodeHeartbeat } from './node-heartbeat.js';

/** A lease of one of the 64 buckets. `owner` is null while nobody has it. */
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
  /** Of a local one: its node's. */
  readonly beatAt: EpochMs;
  /** The owner name and the label of the node it is in; null for a remote one. */
  readonly nodeOwner: string | null;
  readonly nodeId: string | null;
  /** Null: not announced. */
  readonly handlers: readonly string[] | null;
  /** What tells two lives of a remote executor apart; null: not announced. */
  readonly instanceId: string | null;
}

/** A registration, or a heartbeat of one. */
export type ExecutorRegistration = Omit<RegisteredExecutor, 'registeredAt' | 'beatAt'> & { readonly at: EpochMs };

/** A calendar under its name. */
export interface StoredCalendar {
  readonly name: string;
  readonly definition: CalendarDefinition;
}

/** What became of a look at old runs. */
export interface RunSweep {
  readonly deleted: number;
  /** Up to which id has been looked: where to go on. */
  readonly lastId: number;
  /** Nothing above it is old enough yet, or nothing is there. */
  readonly isDone: boolean;
}

/** Reads that hold nothing. */
export interface JobReads extends GroupReads, AlertReads, EventReads, FlowReads {
  /** The clock that all nodes on this store agree on; null where the node's own clock is it. */
  now(): Promise<EpochMs | null>;
  job(id: number): Promise<Job | null>;
  jobByKey(key: string): Promise<Job | null>;
  /** Ascending by id; unknown ids are left out. */
  jobsByIds(ids: readonly number[]): Promise<readonly Job[]>;
  jobs(query: JobQuery): Promise<readonly Job[]>;
  /** In no particular order; unknown keys are left out. */
  jobsByKeys(keys: readonly string[]): Promise<readonly Job[]>;
  /** RUNNING jobs without a next time, which wait for the end of a fire, by id; `ids` null: of all. */
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
  /** Whether anything was handed over to `owner` that it has not taken. */
  hasHandovers(owner: string): Promise<boolean>;
  /** The jobs with runs that wait, by id; their number is exact. */
  waitingRuns(): Promise<readonly WaitingCount[]>;
  /** Log lines of a run from line number `fromLine` (0 is the first) on, ascending, at most `limit`. */
  logLines(runId: number, fromLine: number, limit: number): Promise<readonly string[]>;
  nodes(): Promise<readonly NodeHeartbeat[]>;
  buckets(): Promise<readonly BucketLease[]>;
  /** By group, then address, then node. Those of a node that is not there are left out. */
  executors(group?: string): Promise<readonly RegisteredExecutor[]>;
  /** Remote executors whose last beat is before `beatBefore`, by group, then address, at most `limit`. */
  lostExecutors(query: { beatBefore: EpochMs; limit: number }): Promise<readonly RegisteredExecutor[]>;
}

/** What may be done inside one transaction. What is `held` stays as it was read until the transaction is over. */
export interface JobTransaction extends JobReads, GroupWrites, AlertVerbs, EventVerbs, FlowWrites {
  /** Takes the lock row that only one transaction can have. False: the row is not there. */
  takeLockRow(): Promise<boolean>;
  /** Records the claim mode if none is recorded, and tells which one is. */
  claimMode(mode: 'lock-row' | 'buckets'): Promise<string>;

  /** Who has the key; from here on nobody else can take it until the transaction is over. */
  lockKey(key: string): Promise<number | null>;
  /** Gives the next id: 1, 2, 3 … */
  insertJob(settings: JobSettings, at: EpochMs): Promise<Job>;
  /** The first of `count` ids in a row that no other job gets from here on, not even when they stay unused. */
  reserveJobIds(count: number): Promise<number>;
  /** Inserts jobs as they are, under reserved ids. */
  insertJobs(jobs: readonly Job[]): Promise<void>;
  lockJob(id: number): Promise<Job | null>;
  /** The same, held, so that none of them goes before the transaction is over; by name. */
  lockCalendars(names: readonly string[]): Promise<readonly StoredCalendar[]>;
  /** Adds a calendar or replaces it, and holds it. */
  putCalendar(calendar: StoredCalendar): Promise<void>;
  /** False: it was not there. */
  deleteCalendar(name: string): Promise<boolean>;
  /** The jobs that name the calendar in `except`, by id. */
  jobsExcept(calendar: string): Promise<readonly Job[]>;
  putJob(job: Job): Promise<void>;
  deleteJob(id: number): Promise<void>;
  /** The children of every job that has any; held, so that two saves cannot close a cycle together. */
  lockFamilies(): Promise<ReadonlyMap<number, readonly number[]>>;
  /** RUNNING jobs with `nextAt <= until`, held, by (nextAt, id), but those of `exceptGroups`. `buckets` null means all. */
  lockDueJobs(query: {
    until: EpochMs;
    limit: number;
    buckets: readonly number[] | null;
    exceptGroups?: readonly string[];
  }): Promise<readonly Job[]>;
  advanceJobs(changes: readonly JobAdvance[]): Promise<void>;

  /** The new ids in the order of `runs`; null where the key has been written before or the unique key is taken. Ascending in the order of `runs`. */
  insertRuns(runs: readonly NewRun[]): Promise<readonly (number | null)[]>;
  /** The fires that have unique keys of a job, held. */
  lockUnique(jobId: number, keys: readonly string[]): Promise<readonly UniqueHolder[]>;
  /** The fires are over: their unique keys are free, at once or from `until` on. */
  releaseUnique(releases: readonly { readonly fireId: number; readonly until: EpochMs | null }[]): Promise<void>;
  /** A fire that was over goes on: it has its unique key again. False: another one has it. */
  retakeUnique(fireId: number): Promise<boolean>;
  /** Running runs say how far they have come; the ids that were the claimant's. */
  writeProgress(reports: readonly (RunClaim & { readonly progress: RunProgress })[]): Promise<ReadonlySet<number>>;
  /** Held; unknown ids are left out; ascending by id. */
  lockRuns(ids: readonly number[]): Promise<readonly RunRow[]>;
  /** The ids that were still pending and the claimant's. */
  dispatchRuns(fires: readonly RunDispatch[]): Promise<ReadonlySet<number>>;
  /** Queued runs begin; the ids that were still queued and the claimant's. */
  startRuns(starts: readonly (RunClaim & { readonly startedAt: EpochMs })[]): Promise<ReadonlySet<number>>;
  /** The ids that were not over and the claimant's. An ended run has no owner. */
  endRuns(ends: readonly RunEnd[]): Promise<ReadonlySet<number>>;
  /** Remote executors have accepted the runs, which outlive this node from now on: their owner becomes REMOTE. The ids that were the claimant's. */
  assignRemote(assignments: readonly RemoteAssignment[]): Promise<ReadonlySet<number>>;
  /** Keeps results of running runs, which go on; the ids that were the claimant's. */
  keepResults(results: readonly KeptResult[]): Promise<ReadonlySet<number>>;
  /**
   * Gives runs that are not over and whose owner is one of `from` to `owner`: pending again, fence one higher, address and start
   * forgotten, fired time kept. Ascending by id, at most `limit`.
   */
  takeRuns(query: { owner: string; from: readonly string[]; limit: number }): Promise<readonly RunRow[]>;
  /** Broadcasts get their number of shards; the ids that were still pending and the claimant's. */
  spreadRuns(
    spreads: readonly (RunClaim & { readonly shardTotal: number; readonly firedAt: EpochMs })[],
  ): Promise<ReadonlySet<number>>;
  /** Runs that are not over wait, pending; the ids that were the claimant's. Their fence stays. */
  parkRuns(parkings: readonly RunParking[]): Promise<ReadonlySet<number>>;
  /** Gives waiting runs of a job to `owner`, fence one higher, by (priority descending, readyAt, id), at most `limit`. Others' hands are left. */
  takeWaiting(query: { owner: string; jobId: number; limit: number }): Promise<readonly RunRow[]>;
  /** Gives delayed runs that are due by `until` to `owner`, fence one higher, by (due time, id), at most `limit`. */
  takeDelayed(query: { owner: string; until: EpochMs; limit: number }): Promise<readonly RunRow[]>;
  /** Runs that are not over are pending again, with nobody, and due later; the ids that were the claimant's. */
  postponeRuns(postponements: readonly RunPostponement[]): Promise<ReadonlySet<number>>;
  /** Pending runs change hands, fence one higher, and their new owner is told; the ids that were still pending and the claimant's. */
  handOver(handovers: readonly RunHandover[]): Promise<ReadonlySet<number>>;
  /** What was handed over to `owner` and is still its own, held, by id; it is not told again. */
  takeHandovers(owner: string): Promise<readonly RunRow[]>;
  /** Whether `owner` has any run that is not over. */
  ownsRuns(owner: string): Promise<boolean>;
  /** Gives runs that are not over back: owner becomes UNOWNED, state pending, start forgotten. Those that changed hands are left. */
  handBack(claims: readonly RunClaim[]): Promise<void>;
  /** Deletes a job's runs of type 'schedule' that are pending and were never fired. Gives their ids. */
  withdrawRuns(jobId: number): Promise<readonly number[]>;
  /** The runs of a fire, held. */
  lockFire(fireId: number): Promise<readonly RunRow[]>;
  /** REMOTE or WAITING runs past their deadline, held, by id. */
  lockOverdueRuns(query: { owner: string; now: EpochMs; limit: number }): Promise<readonly RunRow[]>;
  /** REMOTE runs at one of the addresses, held, by id. */
  lockRunsAt(query: { addresses: readonly string[]; limit: number }): Promise<readonly RunRow[]>;
  /**
   * Looks at the next `limit` runs above `afterId`, lowest ids first, and deletes those that ended before `endedBefore`, with their logs.
   * A run with more lines than one transaction should delete loses some of them and stays for the next call.
   */
  deleteRuns(query: { endedBefore: EpochMs; afterId: number; limit: number }): Promise<RunSweep>;
  appendLog(lines: readonly { readonly runId: number; readonly line: number; readonly text: string }[]): Promise<void>;

  /** Wakes these nodes when the transaction commits, all of them for `UNOWNED`. Without effect where the store carries no messages. */
  wake(owners: readonly string[]): Promise<void>;
  /** Tells `owner` that its run was killed by somebody else. */
  addKill(owner: string, runId: number): Promise<void>;
  /** What was told to `owner`, and forgets it. */
  takeKills(owner: string): Promise<readonly number[]>;

  heartbeat(node: NodeHeartbeat): Promise<void>;
  /** Holds the row of a node against its removal, and writes it when it is not there; its last beat stays as it is. */
  keepNode(node: NodeHeartbeat): Promise<void>;
  /** Which of these nodes are there; they stay until the transaction is over, and are not kept from giving heartbeats where that can be. */
  pinNodes(owners: readonly string[]): Promise<ReadonlySet<string>>;
  /** The nodes that are still there, held, by owner: nothing becomes theirs before the transaction is over. */
  lockNodes(owners: readonly string[]): Promise<readonly NodeHeartbeat[]>;
  /** With its executors. */
  removeNode(owner: string): Promise<void>;

  /** The leases of `owner`, held, by bucket. */
  lockBuckets(owner: string): Promise<readonly BucketLease[]>;
  /** The new expiry of all leases of `owner`. */
  renewBuckets(owner: string, expiresAt: EpochMs): Promise<void>;
  /** Takes a bucket that is free or expired before `now`, under the next epoch, which is given; null: somebody else has it. */
  takeBucket(bucket: number, owner: string, now: EpochMs, expiresAt: EpochMs): Promise<number | null>;
  /** Frees buckets of `owner`; those of others are left. */
  releaseBuckets(owner: string, buckets: readonly number[]): Promise<void>;

  /**
   * Registers, or heartbeats; handlers and instance are those of the latest registration. 'new' when it was not registered in the group;
   * 'restarted' when it was under another instance id.
   */
  putExecutor(executor: ExecutorRegistration): Promise<'new' | 'known' | 'restarted'>;
  /** What was removed; null when it was not there. `nodeOwner` null: a remote one. */
  removeExecutor(executor: {
    group: string;
    address: string;
    nodeOwner: string | null;
  }): Promise<RegisteredExecutor | null>;
}

/**
 * Where jobs, runs and what nodes tell each other are kept. Everything that must happen together is one `transaction`; transactions that
 * hold the same rows happen one after the other. The store never asks a clock but its own, and `work` may be run again after contention.
 */
export interface JobStore extends JobReads, AsyncDisposable {
  transaction<T>(work: (trx: JobTransaction) => Promise<T>): Promise<T>;
  /** Looks for anything to do, outside of a transaction and in as few statements as can be; null: the node's row is not there. */
  glance(query: GlanceQuery): Promise<Glance | null>;
  /** What is there for later, read outside of a transaction. For simulated clocks alone, as the next. */
  upcoming(): Promise<Upcoming>;
  /** When the first of the runs and flows that are over ended; null: none is over. May read every run. */
  oldestEnd(): Promise<EpochMs | null>;
  /** The verbs inside a transaction of the caller's, which alone ends it. Rejects with 'bad-transaction' when it is none on this store. */
  inTransaction(transaction: ForeignTransaction): Promise<JobTransaction>;
  close(): Promise<void>;
}
