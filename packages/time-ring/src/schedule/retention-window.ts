import type { EpochMs } from '@horae/clock-store';

/** A run as retention sees it. */
export interface AgingRun {
  readonly id: number;
  readonly endedAt: EpochMs | null;
  readonly firedAt: EpochMs | null;
}

/**
 * Decides about the next runs by id: which of them to delete, and whether the walk would find more further on. Ids ascend with the time at
 * which runs are written, so the walk ends where most runs were fired after the cut. Runs that are open, or that ended late, are skipped,
 * however many are adjacent.
 */
export function judgeWindow(
  runs: readonly AgingRun[],
  { endedBefore, afterId, limit }: { endedBefore: EpochMs; afterId: number; limit: number },
): { readonly old: readonly number[]; readonly lastId: number; readonly isDone: boolean } {
  const old = runs.filter(({ endedAt }) => endedAt !== null && endedAt < endedBefore).map(({ id }) => id);
  const young = runs.filter(({ firedAt }) => firedAt !== null && firedAt >= endedBefore).length;
  // Runs that are too young now are examined again: the walk stays before them.
  if (old.length === 0 && young * 2 > runs.length) return { old, lastId: afterId, isDone: true };
  return { old, lastId: runs.at(-1)?.id ?? afterId, isDone: runs.length < limit };
}
