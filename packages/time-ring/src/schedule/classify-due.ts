import type { EpochMs } from '@horae/clock-store';

/** The seed's limit: an occurrence found later than this is a misfire. */
export const MISFIRE_MS = 5_000;

/** Not yet due: into the ring. Up to `misfireMs` late: fired at once. Later: a misfire. */
export function classifyDue(
  now: EpochMs,
  dueAt: EpochMs,
  misfireMs: number = MISFIRE_MS,
): 'ring' | 'direct' | 'misfire' {
  if (now < dueAt) return 'ring';
  return now - dueAt <= misfireMs ? 'direct' : 'misfire';
}
