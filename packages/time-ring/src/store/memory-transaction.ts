import { BUCKETS, bucketOf } from '../decide/route-hash.js';
import type { Job } from '../job.js';
import { isOver, publicRun, REMOTE, type Run, type RunRow, UNOWNED } from '../run.js';
import type {
  BucketLease,
  JobTransaction,
  NodeBeat,
  RegisteredExecutor,
  RunClaim,
  RunKey,
  RunQuery,
} from './job-store.js';
import { Journal, JournalledMap } from './journalled-map.js';
import { matchesQuery } from './run-query.js';

/** The tables of the memory store, and what a transaction may do with them. One transaction at a time; the journal takes it back. */
export class MemoryTransaction implements JobTransaction {
  readonly journal = new Journal();
  private readonly jobRows = new JournalledMap<number, Job>(this.journal);
  private readonly runRows = new JournalledMap<number, RunRow>(this.journal);
  private readonly openRuns = new JournalledMap<number, number>(this.journal);
  private readonly keys = new JournalledMap<string, number>(this.journal);
  private readonly logs = new JournalledMap<number, readonly string[]>(this.journal);
  private readonly beats = new JournalledMap<string, NodeBeat>(this.journal);
  private readonly leases = new JournalledMap<number, BucketLease>(this.journal);
  private readonly registry = new JournalledMap<string, RegisteredExecutor>(this.journal);
  private readonly kills = new JournalledMap<string, { owner: string; runId: number }>(this.journal);
  private readonly settings = new JournalledMap<'mode' | 'last-job-id', string | number>(this.journal);
  private lastRunId = 0;

  constructor() {
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      this.leases.set(bucket, { bucket, owner: null, epoch: 0, expiresAt: 0 });
    }
    this.journal.commit();
  }

  now = async () => null;
  job = async (id: number) => copy(this.jobRows.get(id) ?? null);
  holdJob = this.job;

  jobsByIds: JobTransaction['jobsByIds'] = async (ids) =>
    [...new Set(ids)]
      .sort((a, b) => a - b)
      .map((id) => this.jobRows.get(id))
      .filter((job) => job !== undefined)
      .map(copy);

  jobs: JobTransaction['jobs'] = async ({ state, executorGroup, limit, afterId }) =>
    this.jobRows
      .values()
      .filter((job) => job.id > afterId)
      .filter((job) => state === undefined || job.state === state)
      .filter((job) => executorGroup === undefined || job.executorGroup === executorGroup)
      .sort((a, b) => a.id - b.id)
      .slice(0, limit)
      .map(copy);

  run = async (id: number) => copy(this.runRows.get(id) ?? null);

  runs = async (query: RunQuery): Promise<readonly Run[]> =>
    this.runRows
      .values()
      .filter((run) => matchesQuery(run, query))
      .sort((a, b) => b.id - a.id)
      .slice(0, query.limit)
      .map((row) => copy(publicRun(row)));

  ownedRuns: JobTransaction['ownedRuns'] = async ({ owner, afterId, limit }) =>
    this.open()
      .filter((row) => row.owner === owner && row.id > afterId)
      .slice(0, limit)
      .map(copy);

  logLines = async (runId: number, fromLine: number, limit: number) =>
    (this.logs.get(runId) ?? []).slice(fromLine, fromLine + limit);

  nodes = async () => this.beats.values();
  buckets = async () => this.leases.values();

  executors: JobTransaction['executors'] = async (group) =>
    this.registry
      .values()
      .filter((executor) => group === undefined || executor.group === group)
      .sort((a, b) => compare(a.group, b.group) || compare(a.address, b.address));

  lostExecutors: JobTransaction['lostExecutors'] = async ({ beatBefore, limit }) =>
    (await this.executors()).filter(({ beatAt }) => beatAt < beatBefore).slice(0, limit);

  holdLockRow = async () => true;

  claimMode = async (mode: 'lock-row' | 'buckets') => {
    if (!this.settings.has('mode')) this.settings.set('mode', mode);
    return String(this.settings.get('mode'));
  };

  insertJob: JobTransaction['insertJob'] = async (settings, at) => {
    const id = Number(this.settings.get('last-job-id') ?? 0) + 1;
    this.settings.set('last-job-id', id);
    const job: Job = {
      ...settings,
      id,
      state: 'STOPPED',
      stopReason: null,
      lastAt: null,
      nextAt: null,
      createdAt: at,
      updatedAt: at,
    };
    this.jobRows.set(job.id, copy(job));
    return copy(job);
  };

  putJob = async (job: Job) => {
    if (this.jobRows.has(job.id)) this.jobRows.set(job.id, copy(job));
  };

  deleteJob = async (id: number) => this.jobRows.delete(id);

  holdFamilies = async () =>
    new Map(
      this.jobRows
        .values()
        .filter(({ children }) => children.length > 0)
        .map(({ id, children }) => [id, children]),
    );

  holdDueJobs: JobTransaction['holdDueJobs'] = async ({ until, limit, buckets }) =>
    this.jobRows
      .values()
      .filter(({ state, nextAt }) => state === 'RUNNING' && nextAt !== null && nextAt <= until)
      .filter(({ id }) => buckets === null || buckets.includes(bucketOf(id)))
      .sort((a, b) => a.nextAt! - b.nextAt! || a.id - b.id)
      .slice(0, limit)
      .map(copy);

  advanceJobs: JobTransaction['advanceJobs'] = async (changes) => {
    for (const change of changes) {
      const job = this.jobRows.get(change.id);
      if (job !== undefined) this.jobRows.set(job.id, { ...job, ...change });
    }
  };

  insertRuns: JobTransaction['insertRuns'] = async (runs) =>
    runs.map(({ key, ...run }) => {
      if (key !== null && this.keys.has(keyText(key))) return null;
      this.lastRunId += 1;
      const id = this.lastRunId;
      if (key !== null) this.keys.set(keyText(key), id);
      this.putRun(copy({ ...run, id, fireId: run.fireId ?? id }));
      return id;
    });

  holdRuns: JobTransaction['holdRuns'] = async (ids) =>
    [...new Set(ids)]
      .sort((a, b) => a - b)
      .map((id) => this.runRows.get(id))
      .filter((row) => row !== undefined)
      .map(copy);

  fireRuns: JobTransaction['fireRuns'] = async (fires) =>
    this.change(
      fires,
      ({ state }) => state === 'pending',
      (row, { state, address, shardTotal, firedAt, startedAt }) => ({
        ...row,
        state,
        address,
        shardTotal,
        firedAt,
        startedAt,
      }),
    );

  startRuns: JobTransaction['startRuns'] = async (starts) =>
    this.change(
      starts,
      ({ state }) => state === 'queued',
      (row, { startedAt }) => ({ ...row, state: 'running', startedAt }),
    );

  endRuns: JobTransaction['endRuns'] = async (ends) =>
    this.change(
      ends,
      ({ state }) => !isOver(state),
      (row, { state, code, message, endedAt, firedAt, address }) => ({
        ...row,
        state,
        code,
        message,
        endedAt,
        firedAt: firedAt ?? row.firedAt,
        address: address ?? row.address,
        owner: null,
        deadlineAt: null,
      }),
    );

  assignRemote: JobTransaction['assignRemote'] = async (assignments) =>
    this.change(
      assignments,
      ({ state }) => !isOver(state),
      (row, { startedAt, deadlineAt }) => ({ ...row, state: 'running', owner: REMOTE, startedAt, deadlineAt }),
    );

  takeRuns: JobTransaction['takeRuns'] = async ({ owner, from, buckets, limit }) => {
    const taken = this.open()
      .filter((row) => from.includes(row.owner!) && (buckets === null || buckets.includes(row.bucket)))
      .slice(0, limit)
      .map(
        (row): RunRow => ({
          ...row,
          owner,
          fence: row.fence + 1,
          state: 'pending',
          address: row.fixedAddress,
          startedAt: null,
        }),
      );
    for (const row of taken) this.putRun(row);
    return taken.map(copy);
  };

  ownsRuns = async (owner: string) => this.open().some((row) => row.owner === owner);

  handBack: JobTransaction['handBack'] = async (claims) => {
    this.change(
      claims,
      ({ state }) => !isOver(state),
      (row) => ({ ...row, owner: UNOWNED, state: 'pending', address: row.fixedAddress, startedAt: null }),
    );
  };

  withdrawRuns = async (jobId: number) => {
    const withdrawn = this.open().filter(
      (row) => row.jobId === jobId && row.triggerType === 'schedule' && row.state === 'pending' && row.firedAt === null,
    );
    for (const { id, scheduleTime } of withdrawn) {
      this.runRows.delete(id);
      this.openRuns.delete(id);
      this.keys.delete(keyText({ kind: 'schedule', jobId, scheduleTime: scheduleTime! }));
    }
    return withdrawn.map(({ id }) => id);
  };

  holdFire = async (fireId: number) =>
    this.runRows
      .values()
      .filter((row) => row.fireId === fireId)
      .sort((a, b) => a.id - b.id)
      .map(copy);

  holdOverdueRuns: JobTransaction['holdOverdueRuns'] = async ({ now, buckets, limit }) =>
    this.remote(buckets)
      .filter(({ deadlineAt }) => deadlineAt !== null && deadlineAt <= now)
      .slice(0, limit);

  holdRunsAt: JobTransaction['holdRunsAt'] = async ({ addresses, buckets, limit }) =>
    this.remote(buckets)
      .filter(({ address }) => address !== null && addresses.includes(address))
      .slice(0, limit);

  deleteRuns: JobTransaction['deleteRuns'] = async ({ endedBefore, limit }) => {
    const gone = this.runRows
      .values()
      .filter(({ endedAt }) => endedAt !== null && endedAt < endedBefore)
      .sort((a, b) => a.id - b.id)
      .slice(0, limit);
    for (const { id } of gone) {
      this.runRows.delete(id);
      this.logs.delete(id);
    }
    return gone.length;
  };

  appendLog: JobTransaction['appendLog'] = async (lines) => {
    for (const { runId, line, text } of lines) {
      const log = [...(this.logs.get(runId) ?? [])];
      log[line] = text;
      this.logs.set(runId, log);
    }
  };

  addKill = async (owner: string, runId: number) => this.kills.set(`${owner} ${runId}`, { owner, runId });

  takeKills = async (owner: string) => {
    const mine = this.kills.values().filter((kill) => kill.owner === owner);
    for (const { runId } of mine) this.kills.delete(`${owner} ${runId}`);
    return mine.map(({ runId }) => runId);
  };

  beat = async (node: NodeBeat) => this.beats.set(node.owner, { ...node });
  removeNode = async (owner: string) => this.beats.delete(owner);

  holdBuckets = async (owner: string) => this.leases.values().filter((lease) => lease.owner === owner);

  renewBuckets: JobTransaction['renewBuckets'] = async (owner, expiresAt) => {
    for (const lease of await this.holdBuckets(owner)) this.leases.set(lease.bucket, { ...lease, expiresAt });
  };

  takeBucket: JobTransaction['takeBucket'] = async (bucket, owner, now, expiresAt) => {
    const lease = this.leases.get(bucket);
    if (lease === undefined || (lease.owner !== null && lease.expiresAt >= now)) return null;
    const epoch = lease.epoch + 1;
    this.leases.set(bucket, { bucket, owner, epoch, expiresAt });
    return epoch;
  };

  releaseBuckets: JobTransaction['releaseBuckets'] = async (owner, buckets) => {
    for (const lease of await this.holdBuckets(owner)) {
      if (buckets.includes(lease.bucket)) this.leases.set(lease.bucket, { ...lease, owner: null });
    }
  };

  putExecutor: JobTransaction['putExecutor'] = async ({ group, address, at }) => {
    const key = JSON.stringify([group, address]);
    const known = this.registry.get(key);
    this.registry.set(key, { group, address, registeredAt: known?.registeredAt ?? at, beatAt: at });
    return known === undefined ? 'new' : 'known';
  };

  removeExecutor = async (group: string, address: string) => {
    const key = JSON.stringify([group, address]);
    const known = this.registry.get(key) ?? null;
    this.registry.delete(key);
    return known;
  };

  /** Runs that are not over, by id. */
  private open(): RunRow[] {
    return this.openRuns
      .values()
      .sort((a, b) => a - b)
      .map((id) => this.runRows.get(id)!);
  }

  private remote(buckets: readonly number[] | null): RunRow[] {
    return this.open()
      .filter((row) => row.owner === REMOTE && (buckets === null || buckets.includes(row.bucket)))
      .map(copy);
  }

  private change<C extends RunClaim>(
    claims: readonly C[],
    isOpenTo: (row: RunRow) => boolean,
    next: (row: RunRow, claim: C) => RunRow,
  ): Set<number> {
    const changed = new Set<number>();
    for (const claim of claims) {
      const row = this.runRows.get(claim.id);
      if (row === undefined || row.owner !== claim.owner || row.fence !== claim.fence || !isOpenTo(row)) continue;
      this.putRun(next(row, claim));
      changed.add(row.id);
    }
    return changed;
  }

  private putRun(row: RunRow): void {
    this.runRows.set(row.id, row);
    if (isOver(row.state)) this.openRuns.delete(row.id);
    else if (!this.openRuns.has(row.id)) this.openRuns.set(row.id, row.id);
  }
}

function keyText(key: RunKey): string {
  return key.kind === 'schedule' ? `${key.jobId}:${key.scheduleTime}` : `child ${key.childId}:${key.parentFireId}`;
}

/** What is kept is nobody else's to change. */
function copy<T>(value: T): T {
  return structuredClone(value);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
