import type { Clock } from '../clock.js';
import { systemClock } from '../system-clock.js';
import type { HoraeDatabase } from './horae-database.js';

/** How two clocks differ. */
export interface ClockSkew {
  /** How far the clock of the database is ahead of the other one; negative when it is behind. */
  readonly aheadMs: number;
  /** The true difference lies within this distance: half of the time that the query took. */
  readonly uncertaintyMs: number;
}

const MAX_SAMPLES = 100;

/**
 * Compares the clock of a database with a clock of this process, the system's by default. Queries the time `samples` times and keeps the
 * quickest answer. On SQLite there is one clock, and the difference is 0 unless another one is passed.
 */
export async function measureClockSkew(
  database: Pick<HoraeDatabase, 'dbNow'>,
  { clock = systemClock(), samples = 3 }: { readonly clock?: Clock; readonly samples?: number } = {},
): Promise<ClockSkew> {
  let best: ClockSkew | undefined;
  for (let sample = 0; best === undefined || sample < Math.min(samples, MAX_SAMPLES); sample++) {
    const before = clock.now();
    const theirs = await database.dbNow();
    const after = clock.now();
    const uncertaintyMs = Math.abs(after - before) / 2;
    if (best === undefined || uncertaintyMs < best.uncertaintyMs)
      best = { aheadMs: theirs - (before + after) / 2, uncertaintyMs };
  }
  return best;
}
