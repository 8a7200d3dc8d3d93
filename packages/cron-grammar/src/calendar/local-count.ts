import { bitCount, hasBit60 } from '../value/bits.js';
import type { CronExpression } from '../value/cron-expression.js';
import { DAY_SECONDS, monthAndDay, monthLength, monthStart } from './civil-day.js';
import { allowedDays } from './local-search.js';
import { countMonthDays } from './month-days.js';

/**
 * How many allowed local seconds lie in `[from, to)`, both as local seconds since 1970. It counts the allowed days month by month and
 * multiplies by the occurrences of a day; only the first and the last day are searched inside.
 */
export function countLocal(e: CronExpression, from: number, to: number): number {
  if (to <= from) return 0;
  const firstDay = Math.floor(from / DAY_SECONDS);
  const lastDay = Math.floor(to / DAY_SECONDS);
  const beforeFirst = dayAllowed(e, firstDay) ? countTimesBefore(e, from - firstDay * DAY_SECONDS) : 0;
  const inLast = dayAllowed(e, lastDay) ? countTimesBefore(e, to - lastDay * DAY_SECONDS) : 0;
  return countDays(e, firstDay, lastDay) * countTimesBefore(e, DAY_SECONDS) - beforeFirst + inLast;
}

/** Whether an expression allows a local day since 1970. */
export function dayAllowed(e: CronExpression, day: number): boolean {
  const packed = monthAndDay(day);
  const dayOfMonth = packed & 31;
  return ((allowedDays(e, packed >> 5, day - dayOfMonth) >>> dayOfMonth) & 1) === 1;
}

/** How many allowed days lie in `[from, until)`. */
function countDays(e: CronExpression, from: number, until: number): number {
  let count = 0;
  let month = monthAndDay(from) >> 5;
  for (let start = monthStart(month); start < until; month++) {
    const length = monthLength(month);
    const allowed = allowedDays(e, month, start);
    if (allowed !== 0) count += countMonthDays(allowed, Math.max(0, from - start), Math.min(length, until - start));
    start += length;
  }
  return count;
}

/** How many allowed seconds of a day lie before `second`. */
function countTimesBefore(e: CronExpression, second: number): number {
  const perMinute = bitCount(e.secondsLow) + bitCount(e.secondsHigh);
  const perHour = (bitCount(e.minutesLow) + bitCount(e.minutesHigh)) * perMinute;
  const hour = Math.floor(second / 3600);
  let count = bitCount(e.hours & ((1 << hour) - 1)) * perHour;
  if (((e.hours >>> hour) & 1) === 0) return count;
  const minute = Math.floor((second - hour * 3600) / 60);
  count += countBefore60(e.minutesLow, e.minutesHigh, minute) * perMinute;
  if (!hasBit60(e.minutesLow, e.minutesHigh, minute)) return count;
  return count + countBefore60(e.secondsLow, e.secondsHigh, second % 60);
}

function countBefore60(low: number, high: number, value: number): number {
  return value < 30 ? bitCount(low & ((1 << value) - 1)) : bitCount(low) + bitCount(high & ((1 << (value - 30)) - 1));
}
