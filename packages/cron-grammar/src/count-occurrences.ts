import { checkExpression } from './check-argument.js';
import type { CronExpression } from './cron-expression.js';
import { type Instant, instantMs } from './instant.js';
import { countLocal } from './local-count.js';
import type { ZoneTable } from './zone-table.js';
import { zoneTable } from './zones.js';

/**
 * How many occurrences lie in `[from, to)`; 0 when `to` is not after `from`. The cost grows with the months and the transitions of
 * the zone in between, not with the occurrences. Repeated local times count twice, missing ones not at all.
 */
export function countOccurrences(e: CronExpression, from: Instant, to: Instant, zone?: string): number {
  checkExpression(e);
  const first = Math.ceil(instantMs(from, 'from') / 1000);
  const end = Math.ceil(instantMs(to, 'to') / 1000);
  return countSeconds(e, first, end, zoneTable(zone));
}

/** The count for whole seconds since 1970, `end` exclusive. */
export function countSeconds(e: CronExpression, from: number, end: number, zone: ZoneTable): number {
  if (!e.fires) return 0;
  let count = 0;
  while (from < end) {
    const index = zone.locate(from);
    const offset = zone.offsets[index]!;
    const until = Math.min(end, zone.ends[index]! + zone.shift);
    count += countLocal(e, from + offset, until + offset);
    from = until;
  }
  return count;
}
