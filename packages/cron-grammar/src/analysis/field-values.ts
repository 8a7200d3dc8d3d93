import { DAY_SECONDS, monthAndDay, monthLength, weekdayOf, yearOfMonth } from '../calendar/civil-day.js';
import { monthDays } from '../calendar/month-days.js';
import { members, members60 } from '../value/bits.js';
import type { CronExpression } from '../value/cron-expression.js';
import type { CronFieldName } from '../value/cron-fault.js';
import { yearList } from '../value/format-cron.js';

/** A local moment taken apart; weekday 0 is Sunday. */
export interface LocalParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** The weekday of the first of the month, and the month's length. */
  readonly firstWeekday: number;
  readonly monthLength: number;
}

/** The parts of a local second since 1970. */
export function localParts(local: number): LocalParts {
  const dayNumber = Math.floor(local / DAY_SECONDS);
  const second = local - dayNumber * DAY_SECONDS;
  const packed = monthAndDay(dayNumber);
  const monthNumber = packed >> 5;
  const year = yearOfMonth(monthNumber);
  return {
    year,
    month: monthNumber - year * 12 + 1,
    day: (packed & 31) + 1,
    weekday: weekdayOf(dayNumber),
    hour: Math.floor(second / 3600),
    minute: Math.floor(second / 60) % 60,
    second: second % 60,
    firstWeekday: weekdayOf(dayNumber - (packed & 31)),
    monthLength: monthLength(monthNumber),
  };
}

export type TimedField = Exclude<CronFieldName, 'expression'>;

/** The fields of an expression in the order of its text. */
export function fieldsOf(e: CronExpression): readonly TimedField[] {
  if (e.dialect !== 'quartz') return ['minute', 'hour', 'day', 'month', 'weekday'];
  const six: readonly TimedField[] = ['second', 'minute', 'hour', 'day', 'month', 'weekday'];
  return e.years === null ? six : [...six, 'year'];
}

/**
 * The values a field allows, in the numbers of its dialect (Quartz weekdays begin with Sunday = 1). Days that depend on the month
 * are those of the month in `parts`.
 */
export function allowedValues(e: CronExpression, field: TimedField, parts: LocalParts): number[] {
  switch (field) {
    case 'second':
      return members60(e.secondsLow, e.secondsHigh);
    case 'minute':
      return members60(e.minutesLow, e.minutesHigh);
    case 'hour':
      return members(e.hours);
    case 'month':
      return members(e.months, 1);
    case 'year':
      return e.years === null ? [] : yearList(e.years);
    case 'weekday':
      return members(namedWeekdays(e), e.dialect === 'quartz' ? 1 : 0);
    case 'day':
      return e.monthRule?.kind === 'quartz' && e.dayRestricted
        ? members(monthDays(e, parts.firstWeekday, parts.monthLength), 1)
        : members(e.days, 1);
  }
}

/** The weekdays that the field names, in a plain way or as `6#3` and `6L`. */
function namedWeekdays(e: CronExpression): number {
  if (e.monthRule?.kind !== 'quartz') return e.weekdays;
  return e.monthRule.nthWeekdays.reduce((all, some) => all | some, e.weekdays | e.monthRule.lastWeekdays);
}
