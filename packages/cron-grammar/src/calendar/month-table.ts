import { monthLength, monthStart, weekdayOf } from './civil-day.js';

/**
 * The 300 years from 1900-01-01 as one number per month, so that a search reads all it needs of a month at once. Days, months and
 * minutes of this table count from there, which keeps them small positive integers.
 *
 * From the low bits: month of the year (4 bits), weekday of the first day (3), how many days it lacks to 31 (2), first day (17). 0
 * stands for a month that was not needed yet; read a month with `monthTable[month] || learnMonth(month)`.
 */
export const monthTable = new Int32Array(300 * 12);

/** The day since 1970 on which the table begins. */
export const TABLE_START_DAY = -25_567;

const FIRST_MONTH = 1900 * 12;

/** Works out a month of the table at the first look: a program touches few of them. */
export function learnMonth(month: number): number {
  const start = monthStart(FIRST_MONTH + month);
  const lacks = 31 - monthLength(FIRST_MONTH + month);
  const learnt = ((start - TABLE_START_DAY) << 9) | (lacks << 7) | (weekdayOf(start) << 4) | (month % 12);
  monthTable[month] = learnt;
  return learnt;
}
