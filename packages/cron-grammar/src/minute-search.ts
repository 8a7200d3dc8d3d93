import { highestBit, lowestBit, nextBit60, previousBit60 } from './bits.js';
import type { CronExpression } from './cron-expression.js';
import { weekdayPattern } from './month-days.js';
import {
  firstDayOf,
  firstWeekdayOf,
  lengthOf,
  monthContaining,
  monthFacts,
  monthOfYearOf,
  TABLE_MONTHS,
} from './month-table.js';

/** What a search in minutes answers when the general search in seconds has to. */
export const UNDECIDED = -1;

/**
 * Whether the search in minutes may be asked: second 0 only, every year, and no days that depend on the shape of the month. That
 * is every POSIX expression and most Quartz ones.
 */
export function isPlain(e: CronExpression): boolean {
  return e.secondsLow === 1 && e.secondsHigh === 0 && e.monthRule === null && e.years === null;
}

/**
 * The first allowed local minute at or after one, both counted from the start of the month table; `UNDECIDED` past its end. For
 * plain expressions that fire. Local time has no zone here. All of it is 32-bit arithmetic (what `| 0` and `Math.imul` say to the
 * engine), nothing is allocated, and each step jumps to the next allowed field.
 */
export function minuteAtOrAfter(e: CronExpression, minute: number): number {
  const day = ((minute | 0) / 1440) | 0;
  const month = monthContaining(day);
  const facts = monthFacts(month);
  const allowed = plainDays(e, facts);
  const dayOfMonth = (day - firstDayOf(facts)) | 0;
  if (((allowed >>> dayOfMonth) & 1) === 1) {
    const hour = ((((minute | 0) / 60) | 0) - Math.imul(day, 24)) | 0;
    const midnight = Math.imul(day, 1440);
    if (((e.hours >>> hour) & 1) === 1) {
      const found = nextBit60(e.minutesLow, e.minutesHigh, (minute - midnight - Math.imul(hour, 60)) | 0);
      if (found >= 0) return (midnight + Math.imul(hour, 60) + found) | 0;
    }
    const later = e.hours & (-2 << hour);
    if (later !== 0) return (midnight + Math.imul(lowestBit(later), 60) + (minuteOf(e.firstTime) % 60)) | 0;
  }
  const rest = allowed & (-2 << dayOfMonth);
  if (rest === 0) return inMonthsAfter(e, month);
  return (Math.imul(firstDayOf(facts) + lowestBit(rest), 1440) + minuteOf(e.firstTime)) | 0;
}

function inMonthsAfter(e: CronExpression, after: number): number {
  let month = after;
  let facts = monthFacts(month);
  while ((month += stepForward(e.months, monthOfYearOf(facts))) < TABLE_MONTHS) {
    facts = monthFacts(month);
    const allowed = plainDays(e, facts);
    if (allowed !== 0) return (Math.imul(firstDayOf(facts) + lowestBit(allowed), 1440) + minuteOf(e.firstTime)) | 0;
  }
  return UNDECIDED;
}

/** How many months to go from a month of the year to the next allowed one. */
function stepForward(months: number, monthOfYear: number): number {
  const later = months & (-2 << monthOfYear);
  return (later !== 0 ? lowestBit(later) - monthOfYear : 12 - monthOfYear + lowestBit(months)) | 0;
}

/** The last allowed local minute at or before one; the mirror of `minuteAtOrAfter`. */
export function minuteAtOrBefore(e: CronExpression, minute: number): number {
  const day = ((minute | 0) / 1440) | 0;
  const month = monthContaining(day);
  const facts = monthFacts(month);
  const allowed = plainDays(e, facts);
  const dayOfMonth = (day - firstDayOf(facts)) | 0;
  if (((allowed >>> dayOfMonth) & 1) === 1) {
    const hour = ((((minute | 0) / 60) | 0) - Math.imul(day, 24)) | 0;
    const midnight = Math.imul(day, 1440);
    if (((e.hours >>> hour) & 1) === 1) {
      const found = previousBit60(e.minutesLow, e.minutesHigh, (minute - midnight - Math.imul(hour, 60)) | 0);
      if (found >= 0) return (midnight + Math.imul(hour, 60) + found) | 0;
    }
    const earlier = e.hours & ((1 << hour) - 1);
    if (earlier !== 0) return (midnight + Math.imul(highestBit(earlier), 60) + (minuteOf(e.lastTime) % 60)) | 0;
  }
  const rest = allowed & ((1 << dayOfMonth) - 1);
  if (rest === 0) return inMonthsBefore(e, month);
  return (Math.imul(firstDayOf(facts) + highestBit(rest), 1440) + minuteOf(e.lastTime)) | 0;
}

function inMonthsBefore(e: CronExpression, before: number): number {
  let month = before;
  let facts = monthFacts(month);
  while ((month -= stepBackward(e.months, monthOfYearOf(facts))) >= 0) {
    facts = monthFacts(month);
    const allowed = plainDays(e, facts);
    if (allowed !== 0) return (Math.imul(firstDayOf(facts) + highestBit(allowed), 1440) + minuteOf(e.lastTime)) | 0;
  }
  return UNDECIDED;
}

/** How many months to go back from a month of the year to the last allowed one before it. */
function stepBackward(months: number, monthOfYear: number): number {
  const earlier = months & ((1 << monthOfYear) - 1);
  return (earlier !== 0 ? monthOfYear - highestBit(earlier) : 12 + monthOfYear - highestBit(months)) | 0;
}

/** The allowed days of a month for a plain expression; none when the month itself is not allowed. */
function plainDays(e: CronExpression, month: number): number {
  if (((e.months >>> monthOfYearOf(month)) & 1) === 0) return 0;
  const days = e.days & (0x7fff_ffff >>> (31 - lengthOf(month)));
  return e.weekdayRestricted ? withWeekdays(e, month, days) : days;
}

function withWeekdays(e: CronExpression, month: number, days: number): number {
  const pattern = weekdayPattern(e.weekdays, firstWeekdayOf(month)) & (0x7fff_ffff >>> (31 - lengthOf(month)));
  return e.dayRestricted ? days | pattern : pattern;
}

/** The minute of the day of a second of it. */
function minuteOf(second: number): number {
  return ((second | 0) / 60) | 0;
}
