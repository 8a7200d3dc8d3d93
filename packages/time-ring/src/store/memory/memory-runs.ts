import type { Job } from '../../model/job.js';
import { DELAYED, isOver, publicRun, REMOTE, type RunRow, WAITING } from '../../model/run.js';
import { movedRun, type RunMove, runTransitions } from '../../model/run-transitions.js';
import { judgeWindow } from '../../schedule/retention-window.js';
import type { JobTransaction, RunClaim, RunKey, UniqueHolder, WaitingCount } from '../job-store.js';
import { latestAttempts, matchesQuery, withIncluded } from '../run-query.js';
import { copy, type Journal, JournalledMap } from './journalled-map.js';

type RunVerbs =
  | 'run'
  | 'runs'
  | 'ownedRuns'
  | 'logLines'
  | 'waitingRuns'
  | 'keepResults'
  | 'parkRuns'
  | 'spreadRuns'
  | 'ownsRunOf'
  | 'hasOpenFires'
  | 'takeWaiting'
  | 'takeDelayed'
  | 'postponeRuns'
  | 'handOver'
  | 'takeHandovers'
  | 'hasHandovers'
  | 'insertRuns'
  | 'lockRuns'
  | 'dispatchRuns'
  | 'startRuns'
  | 'writeProgress'
  | 'latestOfFires'
  | 'lockUnique'
  | 'releaseUnique'
  | 'retakeUnique'
  | 'endRuns'
  | 'assignRemote'
  | 'takeRuns'
  | 'ownsRuns'
  | 'handBack'
  | 'withdrawRuns'
  | 'lockFire'
  | 'lockOverdueRuns'
  | 'lockRunsAt'
  | 'deleteRuns'
  | 'appendLog';

/** The runs of the memory store and their logs. */
export function memoryRuns(
  journal: Journal,
  {
    runRows,
    logs,
    jobOf,
  }: {
    readonly runRows: JournalledMap<number, RunRow>;
    readonly logs: JournalledMap<number, readonly string[]>;
    jobOf(id: number): Pick<Job, 'name' | 'key' | 'executorGroup'> | undefined;
  },
): Pick<JobTransaction, RunVerbs> & { openRuns(): readonly RunRow[] } {
  const openRuns = new JournalledMap<number, number>(journal);
  const keys = new JournalledMap<string, number>(journal);
  /** The fires that hold unique keys, by job and key. */
  const uniques = new JournalledMap<string, UniqueHolder>(journal);
  const handovers = new JournalledMap<number, string>(journal);
  let lastRunId = 0;

  /** Runs that are not over, by id. */
  function open(): RunRow[] {
    return openRuns
      .values()
      .sort((a, b) => a - b)
      .map((id) => runRows.get(id)!);
  }

  /** Open runs with that owner, by id. */
  function of(owner: string): RunRow[] {
    return open().filter((row) => row.owner === owner);
  }

  /** Transfers runs to a node; the fence invalidates the claims of earlier owners. */
  function give(rows: readonly RunRow[], owner: string, change: Partial<RunRow>): RunRow[] {
    const given = rows.map((row): RunRow => ({ ...row, ...change, owner, fence: row.fence + 1 }));
    for (const row of given) putRun(row);
    return given.map(copy);
  }

  /** `given`: the values that the move takes from a claim. */
  function move<C extends RunClaim>(how: RunMove, claims: readonly C[], given: (claim: C) => object = (c) => c) {
    const moved = new Set<number>();
    for (const claim of claims) {
      const row = runRows.get(claim.id);
      if (row === undefined || row.owner !== claim.owner || row.fence !== claim.fence) continue;
      if (!(runTransitions[how].from as readonly string[]).includes(row.state)) continue;
      putRun(movedRun(row, how, { ...given(claim) }));
      moved.add(row.id);
    }
    return moved;
  }

  /** Whether another attempt at the same shard of the fire follows the run. */
  function isFollowed({ fireId, shardIndex, attempt }: RunRow): boolean {
    return runRows
      .values()
      .some((row) => row.fireId === fireId && row.shardIndex === shardIndex && row.attempt > attempt);
  }

  function uniqueName(fireId: number): string | null {
    const row = runRows.get(fireId);
    return row === undefined || row.uniqueKey === null ? null : `${row.jobId}:${row.uniqueKey}`;
  }

  function putRun(row: RunRow): void {
    runRows.set(row.id, row);
    if (isOver(row.state)) openRuns.delete(row.id);
    else if (!openRuns.has(row.id)) openRuns.set(row.id, row.id);
  }

  return {
    openRuns: open,
    run: async (id) => copy(runRows.get(id) ?? null),
    runs: async (query) =>
      runRows
        .values()
        .filter((run) => matchesQuery(run, query, { job: jobOf(run.jobId), isFollowed: () => isFollowed(run) }))
        .sort((a, b) => (query.order === 'oldest' ? a.id - b.id : b.id - a.id))
        .slice(0, query.limit)
        .map((row) => copy(withIncluded(publicRun(row), query.include))),
    latestOfFires: async (fireIds) =>
      latestAttempts(runRows.values().filter((row) => fireIds.includes(row.fireId))).map(copy),
    lockUnique: async (jobId, wanted) =>
      wanted.flatMap((key) => {
        const holder = uniques.get(`${jobId}:${key}`);
        return holder === undefined ? [] : [{ ...holder }];
      }),
    releaseUnique: async (releases) => {
      for (const { fireId, until } of releases) {
        const name = uniqueName(fireId);
        const holder = name === null ? undefined : uniques.get(name);
        if (holder?.fireId !== fireId) continue;
        if (until === null) uniques.delete(name!);
        else uniques.set(name!, { ...holder, until });
      }
    },
    retakeUnique: async (fireId) => {
      const name = uniqueName(fireId);
      if (name === null) return true;
      const holder = uniques.get(name);
      if (holder !== undefined && holder.fireId !== fireId) return false;
      uniques.set(name, { uniqueKey: runRows.get(fireId)!.uniqueKey!, fireId, until: null });
      return true;
    },
    writeProgress: async (reports) => move('progress', reports),
    ownedRuns: async ({ owner, afterId, limit }) =>
      open()
        .filter((row) => row.owner === owner && row.id > afterId)
        .slice(0, limit)
        .map(copy),
    logLines: async (runId, fromLine, limit) => (logs.get(runId) ?? []).slice(fromLine, fromLine + limit),
    insertRuns: async (runs) =>
      runs.map(({ key, ...run }) => {
        if (key !== null && keys.has(keyText(key))) return null;
        const unique = run.uniqueKey === null || run.fireId !== null ? null : `${run.jobId}:${run.uniqueKey}`;
        if (unique !== null && uniques.has(unique)) return null;
        lastRunId += 1;
        const id = lastRunId;
        if (key !== null) keys.set(keyText(key), id);
        if (unique !== null) uniques.set(unique, { uniqueKey: run.uniqueKey!, fireId: id, until: null });
        putRun(copy({ ...run, id, fireId: run.fireId ?? id }));
        return id;
      }),
    lockRuns: async (ids) =>
      [...new Set(ids)]
        .sort((a, b) => a - b)
        .map((id) => runRows.get(id))
        .filter((row) => row !== undefined)
        .map(copy),
    dispatchRuns: async (fires) => move('fire', fires),
    startRuns: async (starts) => move('start', starts),
    endRuns: async (ends) => move('end', ends),
    assignRemote: async (assignments) => move('assign', assignments),
    keepResults: async (results) => move('keepResult', results),
    spreadRuns: async (spreads) => move('spread', spreads),
    hasOpenFires: async (jobId) =>
      open().some((row) => row.jobId === jobId && ['schedule', 'misfire', 'retry'].includes(row.triggerType)),
    ownsRunOf: async (owner, jobId) => of(owner).some((row) => row.jobId === jobId),
    parkRuns: async (parkings) => move('park', parkings),
    postponeRuns: async (postponements) =>
      move('postpone', postponements, ({ dueAt }) => ({ dueAt, readyAt: dueAt, deadlineAt: dueAt })),
    handBack: async (claims) => {
      move('handBack', claims);
    },
    takeRuns: async ({ owner, from, limit }) =>
      open()
        .filter((row) => from.includes(row.owner!))
        .slice(0, limit)
        .flatMap((row) => give([row], owner, { state: 'pending', address: row.fixedAddress, startedAt: null })),
    waitingRuns: async () => {
      const counts = new Map<string, WaitingCount>();
      for (const { jobId, waitingFor } of of(WAITING)) {
        const key = `${jobId} ${waitingFor}`;
        counts.set(key, { jobId, reason: waitingFor!, count: (counts.get(key)?.count ?? 0) + 1 });
      }
      return [...counts.values()].sort((a, b) => a.jobId - b.jobId || (a.reason < b.reason ? -1 : 1));
    },
    takeWaiting: async ({ owner, jobId, limit }) =>
      give(
        of(WAITING)
          .filter((row) => row.jobId === jobId)
          .sort((a, b) => b.priority - a.priority || a.readyAt - b.readyAt || a.id - b.id)
          .slice(0, limit),
        owner,
        { deadlineAt: null },
      ),
    takeDelayed: async ({ owner, until, limit }) =>
      give(
        of(DELAYED)
          .filter((row) => row.deadlineAt! <= until)
          .sort((a, b) => a.deadlineAt! - b.deadlineAt! || a.id - b.id)
          .slice(0, limit),
        owner,
        { deadlineAt: null },
      ),
    handOver: async (given) => {
      const moved = move('handOver', given, ({ to, address }) => ({ owner: to, address }));
      for (const { id, to } of given) if (moved.has(id)) handovers.set(id, to);
      return moved;
    },
    hasHandovers: async (owner) => handovers.values().includes(owner),
    takeHandovers: async (owner) => {
      const told = open().filter(({ id }) => handovers.get(id) === owner);
      for (const { id } of told) handovers.delete(id);
      return told.filter((row) => row.owner === owner).map(copy);
    },
    ownsRuns: async (owner) => open().some((row) => row.owner === owner),
    withdrawRuns: async (jobId) => {
      const withdrawn = open().filter(
        (row) =>
          row.jobId === jobId && row.triggerType === 'schedule' && row.state === 'pending' && row.firedAt === null,
      );
      for (const { id, scheduleTime } of withdrawn) {
        runRows.delete(id);
        openRuns.delete(id);
        keys.delete(keyText({ kind: 'schedule', jobId, scheduleTime: scheduleTime! }));
      }
      return withdrawn.map(({ id }) => id);
    },
    lockFire: async (fireId) =>
      runRows
        .values()
        .filter((row) => row.fireId === fireId)
        .sort((a, b) => a.id - b.id)
        .map(copy),
    lockOverdueRuns: async ({ owner, now, limit }) =>
      of(owner)
        .filter(({ deadlineAt }) => deadlineAt !== null && deadlineAt <= now)
        .slice(0, limit)
        .map(copy),
    lockRunsAt: async ({ addresses, limit }) =>
      of(REMOTE)
        .filter(({ address }) => address !== null && addresses.includes(address))
        .slice(0, limit)
        .map(copy),
    deleteRuns: async (query) => {
      const next = runRows
        .values()
        .filter(({ id }) => id > query.afterId)
        .sort((a, b) => a.id - b.id)
        .slice(0, query.limit);
      const aging = next.map((row) => {
        const holder = uniques.get(uniqueName(row.id) ?? '');
        const isHolding = row.endedAt !== null && holder?.fireId === row.id;
        return isHolding ? { ...row, endedAt: holder.until } : row;
      });
      const { old, lastId, isDone } = judgeWindow(aging, query);
      for (const id of old) {
        const name = uniqueName(id);
        if (name !== null && uniques.get(name)?.fireId === id) uniques.delete(name);
        runRows.delete(id);
        logs.delete(id);
      }
      return { deleted: old.length, lastId, isDone };
    },
    appendLog: async (lines) => {
      for (const { runId, line, text } of lines) {
        const log = [...(logs.get(runId) ?? [])];
        log[line] = text;
        logs.set(runId, log);
      }
    },
  };
}

function keyText(key: RunKey): string {
  if (key.kind === 'retry') return `retry ${key.runId}`;
  if (key.kind === 'flow-step') return `step ${key.stepId}`;
  return key.kind === 'schedule' ? `${key.jobId}:${key.scheduleTime}` : `child ${key.childId}:${key.parentFireId}`;
}
