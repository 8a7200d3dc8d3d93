import type { EpochMs } from '@horae/clock-store';
import type { Job } from '../../model/job.js';
import { DELAYED, type RunRow } from '../../model/run.js';
import type { JobTransaction } from '../job-store.js';
import type { Upcoming } from '../upcoming.js';

/** The future work in the memory store. */
export async function memoryUpcoming(
  memory: JobTransaction,
  rows: { jobs(): readonly Job[]; openRuns(): readonly RunRow[] },
): Promise<Upcoming> {
  const running = rows.jobs().filter(({ state }) => state === 'RUNNING');
  const [delayed, others] = partition(rows.openRuns(), ({ owner }) => owner === DELAYED);
  const [alert] = await memory.dueAlerts({ channels: null, until: Number.MAX_SAFE_INTEGER, limit: 1 });
  const remote = (await memory.executors()).filter(({ nodeOwner }) => nodeOwner === null);
  return {
    jobAt: first(running.map(({ nextAt }) => nextAt)),
    delayedAt: first(delayed.map(({ deadlineAt }) => deadlineAt)),
    alertAt: alert?.dueAt ?? null,
    isBusy: others.length > 0 || remote.length > 0 || running.some(({ nextAt }) => nextAt === null),
  };
}

/** The earliest end of all ended runs and flows. */
export async function memoryOldestEnd(memory: JobTransaction, runs: readonly RunRow[]): Promise<EpochMs | null> {
  const flows = await memory.flows({ limit: Number.MAX_SAFE_INTEGER, beforeId: null });
  return first([...runs, ...flows].map(({ endedAt }) => endedAt));
}

function first(times: readonly (EpochMs | null)[]): EpochMs | null {
  const known = times.filter((at) => at !== null);
  return known.length === 0 ? null : known.reduce((a, b) => Math.min(a, b));
}

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): readonly [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}
