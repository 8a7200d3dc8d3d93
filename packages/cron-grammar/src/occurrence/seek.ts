import { CYCLE_DAYS, DAY_SECONDS } from '../calendar/civil-day.js';
import { searchBackward, searchForward } from '../calendar/local-search.js';
import { type Moment, momentSecond, move, setMoment } from '../calendar/moment.js';
import type { CronExpression } from '../value/cron-expression.js';
import { LAST_SECOND } from '../value/instant.js';
import { secondOfMinute, TABLE_START_SECOND } from '../zone/minute-spans.js';
import type { ZoneTable } from '../zone/zone-table.js';
import { FIRST_MINUTE, LAST_MINUTE, nextMinute, previousMinute } from './fast/minute-seek.js';

/** More than any two offsets of a zone can differ (32 hours). */
const OFFSET_MARGIN = 2 * DAY_SECONDS;

/** Calendar and zone rules repeat after this time, so a search that has come so far has seen everything. */
const HORIZON = CYCLE_DAYS * DAY_SECONDS + OFFSET_MARGIN;

/**
 * Moves `at` (UTC) to the first occurrence at or after it; false when there is none. It searches the local calendar with the
 * offset in force and accepts the hit if that offset is still in force then; otherwise it goes on in the next span of the zone. So
 * a local time that no span reaches is skipped, and one that two spans reach is found in both.
 */
export function seekForward(e: CronExpression, at: Moment, zone: ZoneTable): boolean {
  if (!e.fires) return false;
  let second = at.day * DAY_SECONDS + at.second;
  const horizon = second + HORIZON;
  do {
    const index = zone.locate(second);
    const offset = zone.offsets[index]!;
    const end = zone.ends[index]! + zone.shift;
    move(at, offset);
    const found = searchForward(e, at) ? at.day * DAY_SECONDS + at.second - offset : Number.POSITIVE_INFINITY;
    if (found < end) {
      move(at, -offset);
      return found <= LAST_SECOND;
    }
    zone.extend(index, 1);
    // Local times soon after a transition may lie before the place where this search began, so near the end go on step by step.
    // Farther on, nothing well before the hit can match, whatever the offset is there.
    second = end - second < OFFSET_MARGIN ? end : Math.max(end, found - OFFSET_MARGIN);
    setMoment(at, second);
  } while (second <= horizon);
  return false;
}

/** Moves `at` (UTC) to the last occurrence at or before it; the mirror of `seekForward`. */
export function seekBackward(e: CronExpression, at: Moment, zone: ZoneTable): boolean {
  if (!e.fires) return false;
  let second = at.day * DAY_SECONDS + at.second;
  const horizon = second - HORIZON;
  do {
    const index = zone.locate(second);
    const offset = zone.offsets[index]!;
    const start = zone.starts[index]! + zone.shift;
    move(at, offset);
    const found = searchBackward(e, at) ? at.day * DAY_SECONDS + at.second - offset : Number.NEGATIVE_INFINITY;
    if (found >= start) {
      move(at, -offset);
      return found >= -LAST_SECOND;
    }
    zone.extend(index, -1);
    second = second - start < OFFSET_MARGIN ? start - 1 : Math.min(start - 1, found + OFFSET_MARGIN);
    setMoment(at, second);
  } while (second >= horizon);
  return false;
}

/** The first occurrence at or after a second since 1970, or `NaN`. */
export function firstAtOrAfter(e: CronExpression, second: number, zone: ZoneTable): number {
  const minute = Math.ceil((second - TABLE_START_SECOND) / 60);
  if (e.fires && e.plain && minute >= FIRST_MINUTE && minute <= LAST_MINUTE) {
    const found = nextMinute(e, minute | 0, zone);
    if (found >= 0) return secondOfMinute(found);
  }
  setMoment(moment, second);
  return seekForward(e, moment, zone) ? momentSecond(moment) : Number.NaN;
}

/** The last occurrence at or before a second since 1970, or `NaN`. */
export function lastAtOrBefore(e: CronExpression, second: number, zone: ZoneTable): number {
  const minute = Math.floor((second - TABLE_START_SECOND) / 60);
  if (e.fires && e.plain && minute >= FIRST_MINUTE && minute <= LAST_MINUTE) {
    const found = previousMinute(e, minute | 0, zone);
    if (found >= 0) return secondOfMinute(found);
  }
  setMoment(moment, second);
  return seekBackward(e, moment, zone) ? momentSecond(moment) : Number.NaN;
}

/** The one moment that calls move; they are synchronous and do not nest. */
export const moment: Moment = { day: 0, second: 0 };
