import { HALF } from '../value/bits.js';

/** The longest month of each set of months decides whether a day can come at all. */
const MONTHS_WITH_31 = 0b1010_1101_0101;
const FEBRUARY = 0b10;

/** Every day of a month: bits 0 to 30. */
export const ALL_DAYS = 0x7fff_ffff;

/** Every day of the week: bits 0 to 6. */
export const ALL_WEEKDAYS = 0x7f;

/** The part of a range of members (from 0, both ends included) that lies in the lower half of a set of 60. */
export function rangeLow(from: number, to: number): number {
  return from < HALF ? (-1 << from) & (-1 >>> (31 - (to < HALF ? to : HALF - 1))) : 0;
}

/** The part of a range of members that lies in the upper half of a set of 60. */
export function rangeHigh(from: number, to: number): number {
  return to >= HALF ? (-1 << (from < HALF ? 0 : from - HALF)) & (-1 >>> (31 - (to - HALF))) : 0;
}

/** Whether some month of the set has one of the days. */
export function dateExists(days: number, months: number): boolean {
  if ((days & 0x1fff_ffff) !== 0) return true;
  if ((days & (1 << 29)) !== 0 && (months & ~FEBRUARY) !== 0) return true;
  return (months & MONTHS_WITH_31) !== 0;
}
