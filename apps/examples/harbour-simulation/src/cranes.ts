import { type EpochInput, sweep } from '@horae/epoch-sim';

/** What a day is like with so many cranes: means over all runs, with their 95 % intervals. */
export interface CraneRow {
  readonly cranes: number;
  readonly waitMin: Interval;
  readonly utilisation: Interval;
  readonly lost: Interval;
}

export interface Interval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** Runs the day `runs` times with each number of cranes. The ships are the same for every number: only the cranes differ. */
export async function compareCranes(
  harbour: EpochInput,
  { cranes, runs, seed = 1 }: { cranes: readonly number[]; runs: number; seed?: number },
): Promise<CraneRow[]> {
  const points = await sweep(harbour, { 'lock_defs.crane.capacity': cranes }, { runs, seed });
  return points.map(({ point, estimates }) => ({
    cranes: point['lock_defs.crane.capacity'] as number,
    waitMin: interval(estimates['verbs.unload.wait.mean']),
    utilisation: interval(estimates['locks.crane.utilisation']),
    lost: interval(estimates['verbs.unload.cancelled']),
  }));
}

/** The fewest cranes with which the mean wait is below the limit, with the interval's upper end; null when none is enough. */
export function fewestCranes(rows: readonly CraneRow[], maxWaitMin: number): number | null {
  return rows.find(({ waitMin }) => waitMin.high <= maxWaitMin)?.cranes ?? null;
}

function interval(estimate: Interval | undefined): Interval {
  if (estimate === undefined) throw new Error('The model has no such figure');
  return { mean: estimate.mean, low: estimate.low, high: estimate.high };
}
