import { monthLength, monthStart, weekdayOf } from './civil-day.js';

/**
 * The 300 years from 1900-01-01 as one number per month, so that a search reads all it needs of a month at once. Days, months and
 * minutes of this table count from there, which keeps them small positive integers.
 */
export const TABLE_START_DAY = -25_567;

/** How many months the table has. */
export const TABLE_MONTHS = 300 * 12;

const FIRST_MONTH = 1900 * 12;
const MONTHS_PER_DAY = 4_800 / 146_097;

/** From the low bits: month of the year (4), weekday of the first day (3), length less 28 (2), first day (17). 0 is not yet known. */
const facts = new Int32Array(TABLE_MONTHS);

/** The facts of a month of the table. They are worked out at the first look: a program touches few of these months. */
export function monthFacts(month: number): number {
  const known = facts[month]!;
  return known !== 0 ? known : learn(month);
}

function learn(month: number): number {
  const start = monthStart(FIRST_MONTH + month);
  const shape = ((monthLength(FIRST_MONTH + month) - 28) << 7) | (weekdayOf(start) << 4) | month % 12;
  const learnt = ((start - TABLE_START_DAY) << 9) | shape;
  facts[month] = learnt;
  return learnt;
}

/**
 * The month that contains a day of the table. The average length of a month, a little too late, gives the month or the one before
 * it; a test goes through all days.
 */
export function monthContaining(day: number): number {
  const guess = ((day | 0) * MONTHS_PER_DAY - 0.03) | 0;
  const known = monthFacts(guess);
  return day - firstDayOf(known) < lengthOf(known) ? guess : guess + 1;
}

/** The first day of a month, by its facts. */
export function firstDayOf(month: number): number {
  return month >>> 9;
}

/** The length of a month, by its facts. */
export function lengthOf(month: number): number {
  return 28 + ((month >>> 7) & 3);
}

/** The weekday of a month's first day (Sunday = 0), by its facts. */
export function firstWeekdayOf(month: number): number {
  return (month >>> 4) & 7;
}

/** The month of the year (January = 0), by its facts. */
export function monthOfYearOf(month: number): number {
  return month & 15;
}
