import { learnMonth, monthTable } from '../../calendar/month-table.js';
import type { CronExpression } from '../../value/cron-expression.js';

/*
 * The search that nearly all calls need, in whole local minutes counted from the start of the month table. Two things make it look the way
 * it does: engines check at every call of a module's function that it is still the same one, so the steps are spelled out; and only a short
 * function is merged into its caller, which saves more than any step. `| 0` marks 32-bit arithmetic for the engine,
 * `31 - Math.clz32(x & -x)` is the lowest member of a set, `31 - Math.clz32(x)` the highest. `local-search.ts` is the plain version, for
 * all expressions and all years. This search is for expressions whose `plain` is true.
 */

/** The first allowed local minute at or after one, or -1 past the end of the table. For plain expressions that fire. */
export function minuteAtOrAfter(e: CronExpression, minute: number): number {
  const day = ((minute | 0) / 1440) | 0;
  if (e.months !== 0xfff || e.dayRestricted === true) return dateAtOrAfter(e, minute, day);
  // Only the weekday counts, as in most expressions, so the calendar is not needed. The table begins on a Monday.
  const weekday = (day + 1) % 7;
  if (e.weekdays & (1 << weekday)) {
    const found = timeAtOrAfter(e, (minute - day * 1440) | 0);
    if (found >= 0) return (day * 1440 + found) | 0;
  }
  const weekdays = ((e.weekdays << 7) | e.weekdays) & (-2 << weekday);
  return ((day - weekday + 31 - Math.clz32(weekdays & -weekdays)) * 1440 + ((e.firstTime / 60) | 0)) | 0;
}

function dateAtOrAfter(e: CronExpression, minute: number, day: number): number {
  // The average length of a month in fixed point, taken a little too late: this is the month, or the one before it.
  let month = (day * 34_451 - 40_000) >>> 20;
  let facts = monthTable[month]! || learnMonth(month);
  if (day - (facts >>> 9) > 30 - ((facts >>> 7) & 3)) {
    month++;
    facts = monthTable[month]! || learnMonth(month);
  }
  const dayOfMonth = day - (facts >>> 9);
  let days = 0;
  if (e.months & (1 << (facts & 15))) {
    days = (e.weekdayRestricted === true ? daysWithWeekdays(e, facts) : e.days) & (0x7fff_ffff >>> ((facts >>> 7) & 3));
    if (days & (1 << dayOfMonth)) {
      const found = timeAtOrAfter(e, (minute - day * 1440) | 0);
      if (found >= 0) return (day * 1440 + found) | 0;
    }
    days &= -2 << dayOfMonth;
  }
  if (days === 0) return inMonthsAfter(e, month);
  return (((facts >>> 9) + 31 - Math.clz32(days & -days)) * 1440 + ((e.firstTime / 60) | 0)) | 0;
}

/** The first allowed minute of the day at or after one, or -1. */
function timeAtOrAfter(e: CronExpression, minute: number): number {
  const hour = (minute / 60) | 0;
  if (e.hours & (1 << hour)) {
    let half = hour * 60;
    const from = minute - half;
    let minutes = from < 30 ? e.minutesLow & (-1 << from) : 0;
    if (minutes === 0) {
      minutes = from > 30 ? e.minutesHigh & (-1 << (from - 30)) : e.minutesHigh;
      half += 30;
    }
    if (minutes !== 0) return (half + 31 - Math.clz32(minutes & -minutes)) | 0;
  }
  const hours = e.hours & (-2 << hour);
  if (hours === 0) return -1;
  return ((31 - Math.clz32(hours & -hours)) * 60 + (((e.firstTime / 60) | 0) % 60)) | 0;
}

function inMonthsAfter(e: CronExpression, month: number): number {
  const { months } = e;
  let ofYear = (month | 0) % 12;
  for (;;) {
    const later = months & (-2 << ofYear);
    const next = later !== 0 ? 31 - Math.clz32(later & -later) : 43 - Math.clz32(months & -months);
    month = (month + next - ofYear) | 0;
    if (month >= monthTable.length) return -1;
    const facts = monthTable[month]! || learnMonth(month);
    ofYear = facts & 15;
    const days = e.weekdayRestricted === true ? daysWithWeekdays(e, facts) : e.days;
    const allowed = days & (0x7fff_ffff >>> ((facts >>> 7) & 3));
    if (allowed !== 0) {
      const day = ((facts >>> 9) + 31 - Math.clz32(allowed & -allowed)) | 0;
      return (Math.imul(day, 1440) + (((e.firstTime | 0) / 60) | 0)) | 0;
    }
  }
}

/** The last allowed local minute at or before one, or -1 before the start of the table; the mirror of `minuteAtOrAfter`. */
export function minuteAtOrBefore(e: CronExpression, minute: number): number {
  const day = ((minute | 0) / 1440) | 0;
  if (e.months !== 0xfff || e.dayRestricted === true) return dateAtOrBefore(e, minute, day);
  const weekday = (day + 1) % 7;
  if (e.weekdays & (1 << weekday)) {
    const found = timeAtOrBefore(e, (minute - day * 1440) | 0);
    if (found >= 0) return (day * 1440 + found) | 0;
  }
  const weekdays = ((e.weekdays << 7) | e.weekdays) & ((1 << (weekday + 7)) - 1);
  return ((day - weekday + 24 - Math.clz32(weekdays)) * 1440 + ((e.lastTime / 60) | 0)) | 0;
}

function dateAtOrBefore(e: CronExpression, minute: number, day: number): number {
  let month = (day * 34_451 - 40_000) >>> 20;
  let facts = monthTable[month]! || learnMonth(month);
  if (day - (facts >>> 9) > 30 - ((facts >>> 7) & 3)) {
    month++;
    facts = monthTable[month]! || learnMonth(month);
  }
  const dayOfMonth = day - (facts >>> 9);
  let days = 0;
  if (e.months & (1 << (facts & 15))) {
    days = (e.weekdayRestricted === true ? daysWithWeekdays(e, facts) : e.days) & (0x7fff_ffff >>> ((facts >>> 7) & 3));
    if (days & (1 << dayOfMonth)) {
      const found = timeAtOrBefore(e, (minute - day * 1440) | 0);
      if (found >= 0) return (day * 1440 + found) | 0;
    }
    days &= (1 << dayOfMonth) - 1;
  }
  if (days === 0) return inMonthsBefore(e, month);
  return (((facts >>> 9) + 31 - Math.clz32(days)) * 1440 + ((e.lastTime / 60) | 0)) | 0;
}

/** The last allowed minute of the day at or before one, or -1. */
function timeAtOrBefore(e: CronExpression, minute: number): number {
  const hour = (minute / 60) | 0;
  if (e.hours & (1 << hour)) {
    let half = hour * 60 + 30;
    const from = minute - hour * 60;
    let minutes = from < 30 ? 0 : e.minutesHigh & (-1 >>> (61 - from));
    if (minutes === 0) {
      minutes = from < 30 ? e.minutesLow & (-1 >>> (31 - from)) : e.minutesLow;
      half -= 30;
    }
    if (minutes !== 0) return (half + 31 - Math.clz32(minutes)) | 0;
  }
  const hours = e.hours & ((1 << hour) - 1);
  if (hours === 0) return -1;
  return ((31 - Math.clz32(hours)) * 60 + (((e.lastTime / 60) | 0) % 60)) | 0;
}

function inMonthsBefore(e: CronExpression, month: number): number {
  const { months } = e;
  let ofYear = (month | 0) % 12;
  for (;;) {
    const earlier = months & ((1 << ofYear) - 1);
    const previous = earlier !== 0 ? 31 - Math.clz32(earlier) : 19 - Math.clz32(months);
    month = (month + previous - ofYear) | 0;
    if (month < 0) return -1;
    const facts = monthTable[month]! || learnMonth(month);
    ofYear = facts & 15;
    const days = e.weekdayRestricted === true ? daysWithWeekdays(e, facts) : e.days;
    const allowed = days & (0x7fff_ffff >>> ((facts >>> 7) & 3));
    if (allowed !== 0) {
      const day = ((facts >>> 9) + 31 - Math.clz32(allowed)) | 0;
      return (Math.imul(day, 1440) + (((e.lastTime | 0) / 60) | 0)) | 0;
    }
  }
}

/** The days of a month that the weekday field allows, with those of the day field when both are restricted; see `monthDays`. */
function daysWithWeekdays(e: CronExpression, facts: number): number {
  const firstWeekday = (facts >>> 4) & 7;
  const turned = ((e.weekdays >>> firstWeekday) | (e.weekdays << (7 - firstWeekday))) & 0x7f;
  // Bits 0, 7, 14, 21 and 28: a week's pattern times this is a month's pattern.
  const pattern = Math.imul(turned, 0x1020_4081);
  return e.dayRestricted === true ? e.days | pattern : pattern;
}
