import { DAY_SECONDS } from '../calendar/civil-day.js';
import type { ZoneTable } from './zone-table.js';

/**
 * The second since 1970 at which a zone's clock shows a local second. Of two the first is returned; a time that the clock skips is read
 * with the offset from before the gap, as iCalendar (RFC 5545) defines.
 */
export function instantOfLocal(local: number, zone: ZoneTable): number {
  const before = offsetAt(local - 2 * DAY_SECONDS, zone);
  const early = local - before;
  const there = offsetAt(early, zone);
  if (there === before) return early;
  const late = local - there;
  return offsetAt(late, zone) === there ? late : early;
}

/** How many seconds a zone is ahead of UTC at a second since 1970. */
export function offsetAt(second: number, zone: ZoneTable): number {
  return zone.offsets[zone.locate(second)]!;
}
