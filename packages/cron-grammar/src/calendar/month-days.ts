import { bitCount, highestBit, lowestBit } from '../value/bits.js';
import type { CronExpression, MonthRule } from '../value/cron-expression.js';

type QuartzRule = Extract<MonthRule, { kind: 'quartz' }>;

const ALL_DAYS = 0x7fff_ffff;

/** Bits 0, 7, 14, 21 and 28: a week's pattern times this is a month's pattern. */
const WEEKS = 0x1020_4081;

/**
 * The days of a month that an expression allows, as a mask whose bit 0 is the first. It depends on two facts about the month:
 * the weekday of its first day (Sunday = 0) and its length. The month itself and the year are judged by the caller.
 */
export function monthDays(e: CronExpression, firstWeekday: number, length: number): number {
  const inMonth = ALL_DAYS >>> (31 - length);
  if (e.monthRule !== null) return ruleDays(e, e.monthRule, firstWeekday, length) & inMonth;
  if (!e.weekdayRestricted) return e.days & inMonth;
  const onWeekdays = weekdayPattern(e.weekdays, firstWeekday);
  // Both restricted: either is enough. That is the rule of POSIX; Quartz never restricts both.
  return (e.dayRestricted ? e.days | onWeekdays : onWeekdays) & inMonth;
}

/** The days of a month that begins on `firstWeekday` which fall on one of `weekdays`. */
function weekdayPattern(weekdays: number, firstWeekday: number): number {
  const turned = ((weekdays >>> firstWeekday) | (weekdays << (7 - firstWeekday))) & 0x7f;
  return Math.imul(turned, WEEKS) & ALL_DAYS;
}

function ruleDays(e: CronExpression, rule: MonthRule, firstWeekday: number, length: number): number {
  if (rule.kind === 'both') {
    return monthDays(rule.left, firstWeekday, length) & monthDays(rule.right, firstWeekday, length);
  }
  if (rule.kind === 'day-and-weekday') return e.days & weekdayPattern(e.weekdays, firstWeekday);
  let days = e.dayRestricted ? e.days : 0;
  if (e.weekdayRestricted) days |= weekdayPattern(e.weekdays, firstWeekday);
  return days | quartzDays(rule, firstWeekday, length);
}

function quartzDays(rule: QuartzRule, firstWeekday: number, length: number): number {
  let days = 0;
  for (let rest = rule.fromEnd; rest !== 0; rest &= rest - 1) days |= dayBit(length - 1 - lowestBit(rest), length);
  for (let rest = rule.workdayFromEnd; rest !== 0; rest &= rest - 1) {
    days |= nearestWorkday(length - 1 - lowestBit(rest), firstWeekday, length);
  }
  for (let rest = rule.workday; rest !== 0; rest &= rest - 1)
    days |= nearestWorkday(lowestBit(rest), firstWeekday, length);
  const inMonth = ALL_DAYS >>> (31 - length);
  for (let rest = rule.lastWeekdays; rest !== 0; rest &= rest - 1) {
    days |= 1 << highestBit(weekdayPattern(rest & -rest, firstWeekday) & inMonth);
  }
  for (let nth = 0; nth < 5; nth++) {
    const weekdays = rule.nthWeekdays[nth]!;
    // The m-th of any weekday lies in the m-th run of seven days.
    if (weekdays !== 0) days |= weekdayPattern(weekdays, firstWeekday) & (0x7f << (7 * nth)) & ALL_DAYS;
  }
  return days;
}

function dayBit(day: number, length: number): number {
  return day >= 0 && day < length ? 1 << day : 0;
}

/** The Monday to Friday nearest to a day without leaving its month; nothing when the month has no such day. */
function nearestWorkday(day: number, firstWeekday: number, length: number): number {
  if (day < 0 || day >= length) return 0;
  const weekday = (firstWeekday + day) % 7;
  if (weekday === 6) return 1 << (day === 0 ? 2 : day - 1);
  if (weekday === 0) return 1 << (day === length - 1 ? day - 2 : day + 1);
  return 1 << day;
}

/** How many days of a month an expression allows between two days of it (from 0, `until` exclusive). */
export function countMonthDays(allowed: number, from: number, until: number): number {
  if (until <= from) return 0;
  return bitCount(allowed & (ALL_DAYS >>> (31 - until)) & (-1 << from));
}
