import { HALF, isFull60, members, members60 } from './bits.js';
import { checkExpression } from './check-argument.js';
import { type CronExpression, FIRST_YEAR, type MonthRule } from './cron-expression.js';

/**
 * The canonical text of a value: one space between fields, sorted lists, runs as ranges, `*` for a full set. Parsing it in the same dialect
 * returns an equal value. A POSIX day or weekday that was written as a full range keeps it, because there it counts as restricted. The text
 * of a `vixie` value is POSIX too, with the same meaning, unless day and weekday must both match.
 */
export function formatCron(e: CronExpression): string {
  checkExpression(e);
  if (e.dialect === 'quartz') return formatQuartz(e);
  return e.monthRule?.kind === 'day-and-weekday' ? formatBoth(e) : formatPosix(e);
}

/** A crontab whose day and weekday must both match: one of the two fields begins with `*`, so it has its first value. */
function formatBoth(e: CronExpression): string {
  const days = members(e.days, 1);
  const weekdays = members(e.weekdays);
  const byDay = days[0] === 1 && (weekdays[0] !== 0 || stepOf(days, 31) > 0 || stepOf(weekdays, 7) === 0);
  const day = byDay ? starred(days, 31) : runs(days);
  const weekday = byDay ? runs(weekdays) : starred(weekdays, 7);
  return `${formatMinutes(e)} ${formatHours(e)} ${day} ${formatMonths(e)} ${weekday}`;
}

/** Values that begin with the first of their field as a list that begins with `*`. */
function starred(values: readonly number[], last: number): string {
  const step = stepOf(values, last);
  if (step > 0) return `*/${step}`;
  return `*/${last},${runs(values.slice(1))}`;
}

/** The step that yields exactly these values from the first to the last of a field, or 0. */
function stepOf(values: readonly number[], last: number): number {
  const step = values.length === 1 ? last : values[1]! - values[0]!;
  const count = Math.floor((last - values[0]!) / step) + 1;
  const steps = Array.from({ length: count }, (_, index) => values[0]! + index * step);
  // Weekday 7 is 0 again.
  const wanted = last === 7 ? steps.filter((value) => value < 7) : steps;
  return wanted.length === values.length && wanted.every((value, index) => value === values[index]) ? step : 0;
}

/** The value as a text of the POSIX dialect; the caller ensures that it has no part which POSIX cannot express. */
export function formatPosix(e: CronExpression): string {
  const day = e.dayRestricted ? runs(members(e.days, 1)) : '*';
  const weekday = e.weekdayRestricted ? runs(members(e.weekdays)) : '*';
  return `${formatMinutes(e)} ${formatHours(e)} ${day} ${formatMonths(e)} ${weekday}`;
}

/** The value as a text of the Quartz dialect; the caller ensures that day and weekday are not both restricted. */
export function formatQuartz(e: CronExpression): string {
  const second = isFull60(e.secondsLow, e.secondsHigh) ? '*' : runs(members60(e.secondsLow, e.secondsHigh));
  const day = e.weekdayRestricted ? '?' : e.dayRestricted ? join(runs(members(e.days, 1)), dayRules(e.monthRule)) : '*';
  const weekday = e.weekdayRestricted ? join(runs(members(e.weekdays, 1)), weekdayRules(e.monthRule)) : '?';
  const year = e.years === null ? '' : ` ${runs(yearList(e.years))}`;
  return `${second} ${formatMinutes(e)} ${formatHours(e)} ${day} ${formatMonths(e)} ${weekday}${year}`;
}

/** The allowed years of a year field in ascending order. */
export function yearList(years: readonly number[]): number[] {
  return years.flatMap((word, index) => members(word, FIRST_YEAR + index * HALF));
}

/** Sorted values as a list in which runs of two and more are ranges: `0-2,22-23`. */
export function runs(values: readonly number[]): string {
  const parts: string[] = [];
  for (let i = 0; i < values.length; ) {
    let last = i;
    while (last + 1 < values.length && values[last + 1] === values[last]! + 1) last++;
    parts.push(last === i ? `${values[i]}` : `${values[i]}-${values[last]}`);
    i = last + 1;
  }
  return parts.join(',');
}

function formatMinutes(e: CronExpression): string {
  return isFull60(e.minutesLow, e.minutesHigh) ? '*' : runs(members60(e.minutesLow, e.minutesHigh));
}

function formatHours(e: CronExpression): string {
  return e.hours === 0xff_ffff ? '*' : runs(members(e.hours));
}

function formatMonths(e: CronExpression): string {
  return e.months === 0xfff ? '*' : runs(members(e.months, 1));
}

function join(plain: string, special: readonly string[]): string {
  return (plain === '' ? special : [plain, ...special]).join(',');
}

function dayRules(rule: MonthRule | null): string[] {
  if (rule?.kind !== 'quartz') return [];
  const fromEnd = (back: number): string => (back === 0 ? 'L' : `L-${back}`);
  return [
    ...members(rule.workday, 1).map((day) => `${day}W`),
    ...members(rule.fromEnd).map(fromEnd),
    ...members(rule.workdayFromEnd).map((back) => `${fromEnd(back)}W`),
  ];
}

function weekdayRules(rule: MonthRule | null): string[] {
  if (rule?.kind !== 'quartz') return [];
  return [
    ...rule.nthWeekdays.flatMap((weekdays, index) => members(weekdays, 1).map((weekday) => `${weekday}#${index + 1}`)),
    ...members(rule.lastWeekdays, 1).map((weekday) => `${weekday}L`),
  ];
}
