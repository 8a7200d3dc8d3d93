import type { Job } from '../../model/job.js';
import { isOver, type RunRow, WAITING } from '../../model/run.js';
import type { GroupReads, GroupWrites, StartCounts, StoredGroup } from '../group-store.js';
import { copy, type Journal, JournalledMap } from './journalled-map.js';

/** The part of the rest of the memory store that groups need. */
export interface MemoryRows {
  jobs(): readonly Job[];
  runs(): readonly RunRow[];
  putRun(row: RunRow): void;
  deleteRun(id: number): void;
  executorGroups(): Promise<readonly string[]>;
}

/** The groups of the memory store, and the counts for limits. */
export function memoryGroups(
  journal: Journal,
  rows: MemoryRows,
): GroupReads & GroupWrites & { groupsVersion(): number } {
  const groupRows = new JournalledMap<string, StoredGroup>(journal);
  const startRows = new JournalledMap<string, StartCounts>(journal);

  async function groups(names: readonly string[] | null): Promise<readonly StoredGroup[]> {
    return groupRows
      .values()
      .filter(({ name }) => names === null || names.includes(name))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(copy);
  }

  function jobIdsOf(group: string): ReadonlySet<number> {
    return new Set(
      rows
        .jobs()
        .filter(({ executorGroup }) => executorGroup === group)
        .map(({ id }) => id),
    );
  }

  function waitingOf(group: string): RunRow[] {
    const ids = jobIdsOf(group);
    return rows.runs().filter((row) => row.owner === WAITING && ids.has(row.jobId));
  }

  let version = 0;

  return {
    groupsVersion: () => version,
    groups,
    shareGroups: groups,
    lockGroups: async () => {},
    namedGroups: async () => [
      ...new Set([...rows.jobs().map(({ executorGroup }) => executorGroup), ...(await rows.executorGroups())]),
    ],
    async countRunning(scope) {
      const ids = 'group' in scope ? jobIdsOf(scope.group) : new Set([scope.jobId]);
      return rows.runs().filter(({ state, jobId }) => (state === 'queued' || state === 'running') && ids.has(jobId))
        .length;
    },
    starts: async (name) => startRows.get(name) ?? [],
    jobsWithHistoryLimit: async ({ afterId, limit }) =>
      rows
        .jobs()
        .filter(({ id, keepRuns }) => id > afterId && Object.keys(keepRuns).length > 0)
        .sort((a, b) => a.id - b.id)
        .slice(0, limit)
        .map(copy),
    async putGroup(group) {
      version += 1;
      groupRows.set(group.name, copy(group));
    },
    async deleteGroup(name) {
      version += 1;
      groupRows.delete(name);
    },
    async pauseWaiting(group) {
      for (const row of waitingOf(group)) rows.putRun({ ...row, waitingFor: 'paused', deadlineAt: null });
    },
    async resumeWaiting({ group, pausedAt, now }) {
      for (const row of waitingOf(group)) {
        if (row.waitingFor !== 'paused') continue;
        rows.putRun({ ...row, readyAt: row.readyAt + Math.max(0, now - Math.max(row.readyAt, pausedAt)) });
      }
    },
    lockStarts: async (names) => new Map(names.map((name) => [name, startRows.get(name) ?? []])),
    putStarts: async (name, starts) => startRows.set(name, starts),
    async pruneRuns({ jobId, keep, endedBefore, limit }) {
      const newestFirst = rows
        .runs()
        .filter((row) => row.jobId === jobId)
        .sort((a, b) => b.id - a.id);
      const old = newestFirst
        .filter(
          ({ state, endedAt }, rank) =>
            isOver(state) &&
            ((keep !== null && rank >= keep) || (endedBefore !== null && endedAt !== null && endedAt < endedBefore)),
        )
        .reverse()
        .slice(0, limit);
      for (const { id } of old) rows.deleteRun(id);
      return old.length;
    },
  };
}
