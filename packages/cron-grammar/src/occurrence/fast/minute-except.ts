import { TABLE_START_DAY } from '../../calendar/month-table.js';
import type { Calendar } from '../../exclusion/calendar.js';
import { dayExcluded } from '../../exclusion/excluded.js';
import type { CronExpression } from '../../value/cron-expression.js';
import type { ZoneTable } from '../../zone/zone-table.js';
import { nextMinute, previousMinute } from './minute-seek.js';

/** Excluded days that this search skips before it leaves the rest to the search in seconds. */
const MAX_SKIPPED_DAYS = 8;

/** Whether the calendars are of the common kind: whole days in the zone of the query. */
export function areWholeDays(calendars: readonly Calendar[]): boolean {
  for (let i = 0; i < calendars.length; i++) {
    if (!calendars[i]!.wholeDays || calendars[i]!.zone !== null) return false;
  }
  return true;
}

/** `nextMinute` without the days that the calendars exclude, or -1 when it cannot tell. */
export function nextMinuteExcept(
  e: CronExpression,
  from: number,
  zone: ZoneTable,
  calendars: readonly Calendar[],
): number {
  for (let skipped = 0; skipped < MAX_SKIPPED_DAYS; skipped++) {
    const found = nextMinute(e, from, zone);
    if (found < 0) return -1;
    const { offset, end, uneven } = zone.spanOfMinute(found);
    if (uneven) return -1;
    const day = ((found + offset) / 1440) | 0;
    if (!anyExcludes(calendars, day + TABLE_START_DAY)) return found;
    from = (day + 1) * 1440 - offset;
    // After a clock change the day may begin again, or go on.
    if (from >= end) from = end;
  }
  return -1;
}

/** `previousMinute` without the days that the calendars exclude, or -1 when it cannot tell. */
export function previousMinuteExcept(
  e: CronExpression,
  from: number,
  zone: ZoneTable,
  calendars: readonly Calendar[],
): number {
  for (let skipped = 0; skipped < MAX_SKIPPED_DAYS; skipped++) {
    const found = previousMinute(e, from, zone);
    if (found < 0) return -1;
    const { offset, start, uneven } = zone.spanOfMinute(found);
    if (uneven) return -1;
    const day = ((found + offset) / 1440) | 0;
    if (!anyExcludes(calendars, day + TABLE_START_DAY)) return found;
    from = day * 1440 - offset - 1;
    if (from < start) from = start - 1;
    if (from < MIN_MINUTE) return -1;
  }
  return -1;
}

/** Nearer to the start of the month table an offset could lead out of it. */
const MIN_MINUTE = 10 * 1440;

function anyExcludes(calendars: readonly Calendar[], day: number): boolean {
  for (let i = 0; i < calendars.length; i++) if (dayExcluded(calendars[i]!, day)) return true;
  return false;
}
