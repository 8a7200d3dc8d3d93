import type { EpochMs } from '@horae/clock-store';

/** A run as retention sees it. */
export interface AgingRun {
  readonly id: number;
  readonly endedAt: EpochMs | null;
  readonly firedAt: EpochMs | null;
}

/**
 * What retention does with the next runs by id: which of them go, and whether a look further on would find more. Ids ascend with the time
 * at which runs are written, so it is over where most runs were fired after the cut. Runs that are open, or that ended late, are passed
 * by, however many lie together.
 */
export function judgeWindow(
  runs: readonly AgingRun[],
  { endedBefore, afterId, limit }: { endedBefore: EpochMs; afterId: number; limit: number },
): { readonly old: readonly number[]; readonly lastId: number; readonly isDone: boolean } {
  const old = runs.filter(({ endedAt }) => endedAt !== null && endedAt < endedBefore).map(({ id }) => id);
  const young = runs.filter(({ firedAt }) => firedAt !== null && firedAt >= endedBefore).length;
  // Those that are too young now are looked at again: the walk stays before them.
  if (old.length === 0 && young * 2 > runs.length) return { old, lastId: afterId, isDone: true };
  return { old, lastId: runs.at(-1)?.id ?? afterId, isDone: runs.length < limit };
}
