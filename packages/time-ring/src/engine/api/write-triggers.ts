import type { EpochMs } from '@horae/clock-store';
import type { RunRow } from '../../model/run.js';
import type { JobTransaction, NewRun } from '../../store/job-store.js';
import { latestAttempts } from '../../store/run-query.js';
import { rowOf } from '../node/active-run.js';

/** A triggered run, or the existing run that holds its unique key. */
export interface TriggeredRun {
  readonly row: RunRow;
  readonly isNew: boolean;
}

/** How often a holder may free the key between the insert and the read. */
const MAX_TRIES = 20;

/**
 * Writes runs of one job in their order. For a unique key that another fire holds, returns that fire's latest attempt instead; an expired
 * key is taken over. `insert` writes the runs and returns null where a key is taken.
 */
export async function writeTriggers(
  trx: JobTransaction,
  runs: readonly NewRun[],
  now: EpochMs,
  insert: (runs: readonly NewRun[]) => Promise<readonly (number | null)[]>,
): Promise<readonly TriggeredRun[]> {
  const answers = new Map<NewRun, TriggeredRun>();
  let left = firstOfEachKey(runs);
  for (let attempt = 0; left.length > 0; attempt++) {
    if (attempt === MAX_TRIES)
      throw new Error(`A unique key of job ${left[0]!.jobId} changed hands ${MAX_TRIES} times`);
    const ids = await insert(left);
    left.forEach((run, i) => {
      if (ids[i] !== null) answers.set(run, { row: rowOf(run, ids[i]!), isNew: true });
    });
    left = left.filter((run) => !answers.has(run));
    if (left.length > 0) left = await findHolders(trx, left, now, answers);
  }
  const byKey = new Map([...answers].map(([run, answer]) => [run.uniqueKey ?? run, answer]));
  return runs.map((run) => answers.get(run) ?? { ...byKey.get(run.uniqueKey!)!, isNew: false });
}

/** Resolves the items whose key is taken, and returns the others, whose key is free by now. */
async function findHolders(
  trx: JobTransaction,
  runs: readonly NewRun[],
  now: EpochMs,
  answers: Map<NewRun, TriggeredRun>,
): Promise<readonly NewRun[]> {
  const keys = runs.map(({ uniqueKey }) => uniqueKey!);
  const holders = await trx.lockUnique(runs[0]!.jobId, keys);
  const isFree = ({ until }: (typeof holders)[number]) => until !== null && until <= now;
  await trx.releaseUnique(holders.filter(isFree).map(({ fireId }) => ({ fireId, until: null })));
  const held = new Map(holders.filter((holder) => !isFree(holder)).map(({ uniqueKey, fireId }) => [uniqueKey, fireId]));
  // Locked, so that the caller's transaction sees them too, however old its snapshot is.
  const fireIds = [...held.values()];
  const latest = latestAttempts([...(await trx.lockRuns(fireIds)), ...(await trx.latestOfFires(fireIds))]);
  const rows = new Map(latest.filter(({ shardIndex }) => shardIndex === 0).map((row) => [row.fireId, row]));
  return runs.filter((run) => {
    const row = rows.get(held.get(run.uniqueKey!) ?? 0);
    if (row !== undefined) answers.set(run, { row, isNew: false });
    return row === undefined;
  });
}

function firstOfEachKey(runs: readonly NewRun[]): readonly NewRun[] {
  const seen = new Set<string>();
  return runs.filter(({ uniqueKey }) => {
    if (uniqueKey === null) return true;
    const isFirst = !seen.has(uniqueKey);
    seen.add(uniqueKey);
    return isFirst;
  });
}
