/**
 * The proleptic Gregorian calendar in whole numbers: a day is the count of days since 1970-01-01, a month is the count of months
 * since year 0. The method is the era arithmetic with the year that begins in March, so that the leap day comes last.
 */
export const DAY_SECONDS = 86_400;

/** Days in the 400 years after which the calendar, weekdays included, repeats. */
export const CYCLE_DAYS = 146_097;

/** Months in that cycle. */
export const CYCLE_MONTHS = 4_800;

const MONTHS_PER_DAY = CYCLE_MONTHS / CYCLE_DAYS;

/** The year of a month counted from year 0. */
export function yearOfMonth(monthNumber: number): number {
  return floorDivide(monthNumber, 12);
}

/** Integer division that rounds down. Spelled with 32-bit operations, which engines turn into a multiplication. */
function floorDivide(dividend: number, divisor: number): number {
  return (((dividend < 0 ? dividend - divisor + 1 : dividend) | 0) / divisor) | 0;
}

/** Months from January 1900 whose first days are remembered once computed; 0 stands for not yet. */
const REMEMBERED_FROM = 1900 * 12;
const remembered = new Int32Array(300 * 12);

/** The day number of the first day of a month (months counted from year 0, January = 0). */
export function monthStart(monthNumber: number): number {
  const index = (monthNumber - REMEMBERED_FROM) | 0;
  if (index < 0 || index >= remembered.length) return computeMonthStart(monthNumber);
  const known = remembered[index]!;
  if (known !== 0) return known;
  const start = computeMonthStart(monthNumber);
  remembered[index] = start;
  return start;
}

function computeMonthStart(monthNumber: number): number {
  const shifted = monthNumber - 2;
  const year = yearOfMonth(shifted);
  const month = shifted - year * 12;
  const era = floorDivide(year, 400);
  const yearOfEra = year - era * 400;
  const dayOfYear = ((153 * month + 2) / 5) | 0;
  return era * CYCLE_DAYS + yearOfEra * 365 + (yearOfEra >> 2) - ((yearOfEra / 100) | 0) + dayOfYear - 719_468;
}

/** The month (counted from year 0, January = 0) that contains a day, times 32, plus the day of the month from 0. */
export function monthAndDay(day: number): number {
  // The `| 0` and `Math.imul` keep this in 32-bit arithmetic.
  const shifted = (day + 719_468) | 0;
  const era = floorDivide(shifted, CYCLE_DAYS);
  const dayOfEra = (shifted - Math.imul(era, CYCLE_DAYS)) | 0;
  const leapless = (dayOfEra - ((dayOfEra / 1_460) | 0) + ((dayOfEra / 36_524) | 0) - ((dayOfEra / 146_096) | 0)) | 0;
  const yearOfEra = (leapless / 365) | 0;
  const dayOfYear = (dayOfEra - Math.imul(365, yearOfEra) - (yearOfEra >> 2) + ((yearOfEra / 100) | 0)) | 0;
  const month = ((Math.imul(5, dayOfYear) + 2) / 153) | 0;
  const dayOfMonth = (dayOfYear - (((Math.imul(153, month) + 2) / 5) | 0)) | 0;
  const year = (yearOfEra + Math.imul(era, 400)) | 0;
  return (Math.imul(Math.imul(year, 12) + month + 2, 32) + dayOfMonth) | 0;
}

/**
 * The month (counted from year 0, January = 0) that contains a day. The average length of a month gives it to within one month,
 * and the remembered starts correct it: half the time of `monthAndDay`.
 */
export function monthOfDay(day: number): number {
  const month = (1970 * 12 + Math.floor(day * MONTHS_PER_DAY)) | 0;
  if (monthStart(month) > day) return month - 1;
  return monthStart(month + 1) <= day ? month + 1 : month;
}

/** The length of a month (counted from year 0, January = 0). */
export function monthLength(monthNumber: number): number {
  const year = yearOfMonth(monthNumber);
  const month = monthNumber - year * 12;
  if (month !== 1) return 30 + ((0b1010_1101_0101 >>> month) & 1);
  return isLeapYear(year) ? 29 : 28;
}

/** Whether a year has a 29 February. */
export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** The weekday of a day, Sunday = 0. */
export function weekdayOf(day: number): number {
  const weekday = ((day + 4) % 7) | 0;
  return weekday < 0 ? weekday + 7 : weekday;
}
