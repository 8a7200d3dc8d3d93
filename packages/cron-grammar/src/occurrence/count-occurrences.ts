import { countLocal } from '../calendar/local-count.js';
import type { ExceptOptions } from '../exclusion/calendar.js';
import { calendarsOf } from '../exclusion/check-except.js';
import { checkExpression } from '../value/check-argument.js';
import type { CronExpression } from '../value/cron-expression.js';
import { type Instant, instantMs } from '../value/instant.js';
import type { ZoneTable } from '../zone/zone-table.js';
import { zoneTable } from '../zone/zones.js';
import { countAllowed } from './count-except.js';

/**
 * How many occurrences lie in `[from, to)`; 0 when `to` is not after `from`. The cost grows with the months and the transitions of the zone
 * in between, not with the occurrences. Repeated local times count twice, missing ones not at all. With `except` the cost grows with the
 * days, and the range is limited to 4,000 years.
 */
export function countOccurrences(
  e: CronExpression,
  from: Instant,
  to: Instant,
  zone?: string,
  options?: ExceptOptions,
): number {
  checkExpression(e);
  const first = Math.ceil(instantMs(from, 'from') / 1000);
  const end = Math.ceil(instantMs(to, 'to') / 1000);
  const calendars = calendarsOf(options);
  const table = zoneTable(zone);
  return calendars.length === 0 ? countSeconds(e, first, end, table) : countAllowed(e, first, end, table, calendars);
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
