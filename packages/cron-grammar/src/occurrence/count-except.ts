import { CYCLE_DAYS, DAY_SECONDS } from '../calendar/civil-day.js';
import type { Calendar } from '../exclusion/calendar.js';
import { excludedUntil } from '../exclusion/excluded.js';
import { CronArgumentError } from '../value/cron-errors.js';
import type { CronExpression } from '../value/cron-expression.js';
import type { ZoneTable } from '../zone/zone-table.js';
import { dayPattern } from './day-pattern.js';
import { firstAtOrAfter } from './seek.js';

/** The longest time over which excluded times are counted, in seconds: 4,000 years. */
const MAX_COUNTED = 10 * CYCLE_DAYS * DAY_SECONDS;

/**
 * How many occurrences in `[from, end)`, in seconds since 1970, no calendar excludes. It visits the days one by one; days with the same
 * pattern have the same count, which is computed once.
 */
export function countAllowed(
  e: CronExpression,
  from: number,
  end: number,
  zone: ZoneTable,
  calendars: readonly Calendar[],
): number {
  if (end - from > MAX_COUNTED) {
    throw new CronArgumentError('to must be at most 4,000 years after from where times are excluded', {
      field: 'to',
      value: end * 1000,
    });
  }
  const known = new Map<string, number>();
  let count = 0;
  for (let second = from; second < end; ) {
    const found = firstAtOrAfter(e, second, zone);
    if (!(found < end)) break;
    const day = Math.floor(found / DAY_SECONDS);
    const dayEnd = (day + 1) * DAY_SECONDS;
    const whole = day * DAY_SECONDS >= second && dayEnd <= end;
    const pattern = whole ? dayPattern(e, day, zone, calendars) : '';
    const counted = whole ? known.get(pattern) : undefined;
    const some = counted ?? countOneByOne(e, found, Math.min(dayEnd, end), zone, calendars);
    if (whole && counted === undefined) known.set(pattern, some);
    count += some;
    second = dayEnd;
  }
  return count;
}

function countOneByOne(
  e: CronExpression,
  from: number,
  end: number,
  zone: ZoneTable,
  calendars: readonly Calendar[],
): number {
  let count = 0;
  for (let at = from; at < end; ) {
    const until = excludedUntil(calendars, at, zone);
    if (until === at) count++;
    at = firstAtOrAfter(e, until === at ? at + 1 : until, zone);
  }
  return count;
}
