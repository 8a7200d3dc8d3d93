import { hasBit60, highestBit, lowestBit, nextBit60, previousBit60 } from '../value/bits.js';
import { type CronExpression, FIRST_YEAR, LAST_YEAR } from '../value/cron-expression.js';
import { CYCLE_MONTHS, monthLength, monthOfDay, monthStart, weekdayOf, yearOfMonth } from './civil-day.js';
import type { Moment } from './moment.js';
import { monthDays } from './month-days.js';

/**
 * Moves `at` to the first allowed second at or after it; false when there is none. The search is independent of zones, and all dialects
 * share it. Nothing is allocated, all numbers are small integers, and each step jumps to the next allowed field. After 400 years the
 * calendar repeats, so a search that has seen that many months has seen everything.
 */
export function searchForward(e: CronExpression, at: Moment): boolean {
  const day = at.day | 0;
  const allowed = allowedDaysAround(e, day);
  const dayOfMonth = (day - seen.firstDay) | 0;
  if (((allowed >>> dayOfMonth) & 1) === 1) {
    const time = timeAtOrAfter(e, at.second);
    if (time >= 0) {
      at.second = time;
      return true;
    }
  }
  at.second = e.firstTime;
  const rest = allowed & (-2 << dayOfMonth);
  if (rest === 0) return searchMonthsForward(e, at);
  at.day = (seen.firstDay + lowestBit(rest)) | 0;
  return true;
}

function searchMonthsForward(e: CronExpression, at: Moment): boolean {
  let month = seen.month;
  for (let steps = 0; steps <= CYCLE_MONTHS; steps++) {
    month = nextMonth(e, month);
    if (month === NO_MONTH) return false;
    const firstDay = monthStart(month);
    const allowed = monthDays(e, weekdayOf(firstDay), (monthStart(month + 1) - firstDay) | 0);
    if (allowed !== 0) {
      at.day = (firstDay + lowestBit(allowed)) | 0;
      return true;
    }
  }
  return false;
}

/** Moves `at` to the last allowed second at or before it; the mirror of `searchForward`. */
export function searchBackward(e: CronExpression, at: Moment): boolean {
  const day = at.day | 0;
  const allowed = allowedDaysAround(e, day);
  const dayOfMonth = (day - seen.firstDay) | 0;
  if (((allowed >>> dayOfMonth) & 1) === 1) {
    const time = timeAtOrBefore(e, at.second);
    if (time >= 0) {
      at.second = time;
      return true;
    }
  }
  at.second = e.lastTime;
  const rest = allowed & ((1 << dayOfMonth) - 1);
  if (rest === 0) return searchMonthsBackward(e, at);
  at.day = (seen.firstDay + highestBit(rest)) | 0;
  return true;
}

function searchMonthsBackward(e: CronExpression, at: Moment): boolean {
  let month = seen.month;
  for (let steps = 0; steps <= CYCLE_MONTHS; steps++) {
    month = previousMonth(e, month);
    if (month === NO_MONTH) return false;
    const firstDay = monthStart(month);
    const allowed = monthDays(e, weekdayOf(firstDay), (monthStart(month + 1) - firstDay) | 0);
    if (allowed !== 0) {
      at.day = (firstDay + highestBit(allowed)) | 0;
      return true;
    }
  }
  return false;
}

/** Whether a moment is allowed. Expressions without seconds judge the whole minute. */
export function matchesLocal(e: CronExpression, at: Moment): boolean {
  return (e.dialect !== 'quartz' || hasBit60(e.secondsLow, e.secondsHigh, at.second % 60)) && minuteMatchesLocal(e, at);
}

/** Whether some second of a moment's minute is allowed. */
export function minuteMatchesLocal(e: CronExpression, at: Moment): boolean {
  const { day, second } = at;
  return (
    ((e.hours >>> ((second / 3600) | 0)) & 1) === 1 &&
    hasBit60(e.minutesLow, e.minutesHigh, ((second / 60) | 0) % 60) &&
    ((allowedDaysAround(e, day) >>> (day - seen.firstDay)) & 1) === 1
  );
}

/** The month of the last call. Programs query days close to one another, so most calls skip the calendar arithmetic. */
const seen = { firstDay: 0, length: 31, month: 1970 * 12, year: 1970, monthOfYear: 0, firstWeekday: 4 };

/** The allowed days of the month that contains `day`; `seen` is then that month. */
function allowedDaysAround(e: CronExpression, day: number): number {
  const dayOfMonth = (day - seen.firstDay) | 0;
  if (dayOfMonth < 0 || dayOfMonth >= seen.length) lookAt(day);
  if (((e.months >>> seen.monthOfYear) & 1) === 0) return 0;
  if (e.years !== null && !yearAllowed(e.years, seen.year)) return 0;
  return monthDays(e, seen.firstWeekday, seen.length);
}

function lookAt(day: number): void {
  const month = monthOfDay(day);
  const firstDay = monthStart(month);
  seen.month = month;
  seen.firstDay = firstDay;
  seen.length = (monthStart(month + 1) - firstDay) | 0;
  seen.year = yearOfMonth(month);
  seen.monthOfYear = (month - Math.imul(seen.year, 12)) | 0;
  seen.firstWeekday = weekdayOf(firstDay);
}

/** The allowed days of a month counted from year 0 whose first day is `firstDay`; none when month or year is not allowed. */
export function allowedDays(e: CronExpression, month: number, firstDay: number): number {
  const year = yearOfMonth(month);
  if (((e.months >>> (month - year * 12)) & 1) === 0) return 0;
  if (e.years !== null && !yearAllowed(e.years, year)) return 0;
  return monthDays(e, weekdayOf(firstDay), monthLength(month));
}

function yearAllowed(years: readonly number[], year: number): boolean {
  if (year < FIRST_YEAR || year > LAST_YEAR) return false;
  const index = year - FIRST_YEAR;
  return ((years[(index / 30) | 0]! >>> (index % 30)) & 1) === 1;
}

/** Months before year 0 are negative, so that -1 is a month like any other. */
const NO_MONTH = -0x8000_0000;

/** The next month after `month` that the month and year fields allow, or `NO_MONTH`. */
function nextMonth(e: CronExpression, month: number): number {
  const year = yearOfMonth(month);
  const later = e.months & (-2 << (month - Math.imul(year, 12)));
  const found = later !== 0 ? Math.imul(year, 12) + lowestBit(later) : Math.imul(year + 1, 12) + lowestBit(e.months);
  return e.years === null ? found : firstInYears(e, e.years, found);
}

function firstInYears(e: CronExpression, years: readonly number[], month: number): number {
  const year = yearOfMonth(month);
  if (yearAllowed(years, year)) return month;
  for (let next = Math.max(year + 1, FIRST_YEAR); next <= LAST_YEAR; next++) {
    if (yearAllowed(years, next)) return next * 12 + lowestBit(e.months);
  }
  return NO_MONTH;
}

/** The last month before `month` that the month and year fields allow, or `NO_MONTH`. */
function previousMonth(e: CronExpression, month: number): number {
  const year = yearOfMonth(month);
  const earlier = e.months & ((1 << (month - Math.imul(year, 12))) - 1);
  const found =
    earlier !== 0 ? Math.imul(year, 12) + highestBit(earlier) : Math.imul(year - 1, 12) + highestBit(e.months);
  return e.years === null ? found : lastInYears(e, e.years, found);
}

function lastInYears(e: CronExpression, years: readonly number[], month: number): number {
  const year = yearOfMonth(month);
  if (yearAllowed(years, year)) return month;
  for (let next = Math.min(year - 1, LAST_YEAR); next >= FIRST_YEAR; next--) {
    if (yearAllowed(years, next)) return next * 12 + highestBit(e.months);
  }
  return NO_MONTH;
}

/**
 * The first allowed second of the day at or after `second`, or -1. The `| 0` and `Math.imul` here mark all of this as 32-bit arithmetic for
 * the engine; without them it divides and multiplies in floating point, at twice the time.
 */
function timeAtOrAfter(e: CronExpression, second: number): number {
  const hour = ((second | 0) / 3600) | 0;
  if (((e.hours >>> hour) & 1) === 1) {
    const rest = (second - Math.imul(hour, 3600)) | 0;
    const found = onTheMinute(e)
      ? Math.imul(60, nextBit60(e.minutesLow, e.minutesHigh, ((rest + 59) / 60) | 0))
      : secondOfHourAtOrAfter(e, rest);
    if (found >= 0) return (Math.imul(hour, 3600) + found) | 0;
  }
  const later = e.hours & (-2 << hour);
  return later === 0 ? -1 : (Math.imul(lowestBit(later), 3600) + (e.firstTime % 3600)) | 0;
}

function secondOfHourAtOrAfter(e: CronExpression, second: number): number {
  const minute = ((second | 0) / 60) | 0;
  if (hasBit60(e.minutesLow, e.minutesHigh, minute)) {
    const found = nextBit60(e.secondsLow, e.secondsHigh, second - minute * 60);
    if (found >= 0) return minute * 60 + found;
  }
  const later = nextBit60(e.minutesLow, e.minutesHigh, minute + 1);
  return later < 0 ? -1 : later * 60 + nextBit60(e.secondsLow, e.secondsHigh, 0);
}

/** The last allowed second of the day at or before `second`, or -1. */
function timeAtOrBefore(e: CronExpression, second: number): number {
  const hour = ((second | 0) / 3600) | 0;
  if (((e.hours >>> hour) & 1) === 1) {
    const rest = (second - Math.imul(hour, 3600)) | 0;
    const found = onTheMinute(e)
      ? Math.imul(60, previousBit60(e.minutesLow, e.minutesHigh, (rest / 60) | 0))
      : secondOfHourAtOrBefore(e, rest);
    if (found >= 0) return (Math.imul(hour, 3600) + found) | 0;
  }
  const earlier = e.hours & ((1 << hour) - 1);
  return earlier === 0 ? -1 : (Math.imul(highestBit(earlier), 3600) + (e.lastTime % 3600)) | 0;
}

function secondOfHourAtOrBefore(e: CronExpression, second: number): number {
  const minute = ((second | 0) / 60) | 0;
  if (hasBit60(e.minutesLow, e.minutesHigh, minute)) {
    const found = previousBit60(e.secondsLow, e.secondsHigh, second - minute * 60);
    if (found >= 0) return minute * 60 + found;
  }
  const earlier = previousBit60(e.minutesLow, e.minutesHigh, minute - 1);
  return earlier < 0 ? -1 : earlier * 60 + previousBit60(e.secondsLow, e.secondsHigh, 59);
}

/** Whether second 0 is the only one: always in POSIX, mostly in Quartz. */
function onTheMinute(e: CronExpression): boolean {
  return e.secondsLow === 1 && e.secondsHigh === 0;
}
