import { isOver, publicRun, REMOTE, type RunRow, UNOWNED } from '../run.js';
import type { JobTransaction, RunClaim, RunKey } from './job-store.js';
import { copy, type Journal, JournalledMap } from './journalled-map.js';
import { matchesQuery } from './run-query.js';

type RunVerbs =
  | 'run'
  | 'runs'
  | 'ownedRuns'
  | 'logLines'
  | 'insertRuns'
  | 'holdRuns'
  | 'fireRuns'
  | 'startRuns'
  | 'endRuns'
  | 'assignRemote'
  | 'takeRuns'
  | 'ownsRuns'
  | 'handBack'
  | 'withdrawRuns'
  | 'holdFire'
  | 'holdOverdueRuns'
  | 'holdRunsAt'
  | 'deleteRuns'
  | 'appendLog';

/** The runs of the memory store and their logs. */
export function memoryRuns(journal: Journal): Pick<JobTransaction, RunVerbs> {
  const runRows = new JournalledMap<number, RunRow>(journal);
  const openRuns = new JournalledMap<number, number>(journal);
  const keys = new JournalledMap<string, number>(journal);
  const logs = new JournalledMap<number, readonly string[]>(journal);
  let lastRunId = 0;

  /** Runs that are not over, by id. */
  function open(): RunRow[] {
    return openRuns
      .values()
      .sort((a, b) => a - b)
      .map((id) => runRows.get(id)!);
  }

  function remote(buckets: readonly number[] | null): RunRow[] {
    return open()
      .filter((row) => row.owner === REMOTE && (buckets === null || buckets.includes(row.bucket)))
      .map(copy);
  }

  function change<C extends RunClaim>(
    claims: readonly C[],
    isOpenTo: (row: RunRow) => boolean,
    next: (row: RunRow, claim: C) => RunRow,
  ): Set<number> {
    const changed = new Set<number>();
    for (const claim of claims) {
      const row = runRows.get(claim.id);
      if (row === undefined || row.owner !== claim.owner || row.fence !== claim.fence || !isOpenTo(row)) continue;
      putRun(next(row, claim));
      changed.add(row.id);
    }
    return changed;
  }

  function putRun(row: RunRow): void {
    runRows.set(row.id, row);
    if (isOver(row.state)) openRuns.delete(row.id);
    else if (!openRuns.has(row.id)) openRuns.set(row.id, row.id);
  }

  return {
    run: async (id) => copy(runRows.get(id) ?? null),
    runs: async (query) =>
      runRows
        .values()
        .filter((run) => matchesQuery(run, query))
        .sort((a, b) => b.id - a.id)
        .slice(0, query.limit)
        .map((row) => copy(publicRun(row))),
    ownedRuns: async ({ owner, afterId, limit }) =>
      open()
        .filter((row) => row.owner === owner && row.id > afterId)
        .slice(0, limit)
        .map(copy),
    logLines: async (runId, fromLine, limit) => (logs.get(runId) ?? []).slice(fromLine, fromLine + limit),
    insertRuns: async (runs) =>
      runs.map(({ key, ...run }) => {
        if (key !== null && keys.has(keyText(key))) return null;
        lastRunId += 1;
        const id = lastRunId;
        if (key !== null) keys.set(keyText(key), id);
        putRun(copy({ ...run, id, fireId: run.fireId ?? id }));
        return id;
      }),
    holdRuns: async (ids) =>
      [...new Set(ids)]
        .sort((a, b) => a - b)
        .map((id) => runRows.get(id))
        .filter((row) => row !== undefined)
        .map(copy),
    fireRuns: async (fires) =>
      change(
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
      ),
    startRuns: async (starts) =>
      change(
        starts,
        ({ state }) => state === 'queued',
        (row, { startedAt }) => ({ ...row, state: 'running', startedAt }),
      ),
    endRuns: async (ends) =>
      change(
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
      ),
    assignRemote: async (assignments) =>
      change(
        assignments,
        ({ state }) => !isOver(state),
        (row, { startedAt, deadlineAt }) => ({ ...row, state: 'running', owner: REMOTE, startedAt, deadlineAt }),
      ),
    takeRuns: async ({ owner, from, buckets, limit }) => {
      const taken = open()
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
      for (const row of taken) putRun(row);
      return taken.map(copy);
    },
    ownsRuns: async (owner) => open().some((row) => row.owner === owner),
    handBack: async (claims) => {
      change(
        claims,
        ({ state }) => !isOver(state),
        (row) => ({ ...row, owner: UNOWNED, state: 'pending', address: row.fixedAddress, startedAt: null }),
      );
    },
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
    holdFire: async (fireId) =>
      runRows
        .values()
        .filter((row) => row.fireId === fireId)
        .sort((a, b) => a.id - b.id)
        .map(copy),
    holdOverdueRuns: async ({ now, buckets, limit }) =>
      remote(buckets)
        .filter(({ deadlineAt }) => deadlineAt !== null && deadlineAt <= now)
        .slice(0, limit),
    holdRunsAt: async ({ addresses, buckets, limit }) =>
      remote(buckets)
        .filter(({ address }) => address !== null && addresses.includes(address))
        .slice(0, limit),
    deleteRuns: async ({ endedBefore, limit }) => {
      const gone = runRows
        .values()
        .filter(({ endedAt }) => endedAt !== null && endedAt < endedBefore)
        .sort((a, b) => a.id - b.id)
        .slice(0, limit);
      for (const { id } of gone) {
        runRows.delete(id);
        logs.delete(id);
      }
      return gone.length;
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
  return key.kind === 'schedule' ? `${key.jobId}:${key.scheduleTime}` : `child ${key.childId}:${key.parentFireId}`;
}
