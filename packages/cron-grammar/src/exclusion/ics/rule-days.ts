import { isLeapYear, monthAndDay, monthLength, monthStart, weekdayOf, yearOfMonth } from '../../calendar/civil-day.js';
import type { RecurrenceRule, RuleWeekday } from './recurrence-rule.js';

/** Which days the parts of a rule allow. */
export interface RuleDays {
  has(day: number): boolean;
}

/** The days (since 1970) that a rule allows by month, week, day of the year or month, and weekday; `startDay` fills what it leaves out. */
export function ruleDays(given: RecurrenceRule, startDay: number): RuleDays {
  const rule = withDefaults(given, startDay);
  // Within a year a numbered weekday counts in the year, unless months are named; in a month, in the month.
  const inYear = rule.frequency === 'YEARLY' && rule.byMonth.length === 0;
  return {
    has(day) {
      const packed = monthAndDay(day);
      const monthNumber = packed >> 5;
      const year = yearOfMonth(monthNumber);
      if (!allows(rule.byMonth, monthNumber - year * 12 + 1)) return false;
      const first = monthStart(year * 12);
      const yearDay = day - first + 1;
      const length = monthLength(monthNumber);
      return (
        allowsEither(rule.byMonthDay, (packed & 31) + 1, (packed & 31) - length) &&
        allowsEither(rule.byYearDay, yearDay, yearDay - 1 - (isLeapYear(year) ? 366 : 365)) &&
        (rule.byWeek.length === 0 || inWeeks(rule, day)) &&
        (rule.byDay.length === 0 ||
          (inYear
            ? onWeekday(rule.byDay, day, yearDay - 1, isLeapYear(year) ? 366 : 365)
            : onWeekday(rule.byDay, day, packed & 31, length)))
      );
    },
  };
}

/**
 * Parts that a rule leaves out are taken from the start: the date of a yearly rule, the day of a monthly one, the weekday of a weekly one.
 */
function withDefaults(rule: RecurrenceRule, startDay: number): RecurrenceRule {
  if (rule.byWeek.length + rule.byYearDay.length + rule.byMonthDay.length + rule.byDay.length > 0) return rule;
  const packed = monthAndDay(startDay);
  const byMonthDay = [(packed & 31) + 1];
  if (rule.frequency === 'MONTHLY') return { ...rule, byMonthDay };
  if (rule.frequency === 'WEEKLY') return { ...rule, byDay: [{ nth: 0, weekday: weekdayOf(startDay) }] };
  if (rule.frequency !== 'YEARLY') return rule;
  const month = ((packed >> 5) % 12) + 1;
  return { ...rule, byMonthDay, byMonth: rule.byMonth.length > 0 ? rule.byMonth : [month] };
}

function allows(list: readonly number[], value: number): boolean {
  return list.length === 0 || list.includes(value);
}

/** Lists whose negative entries count from the end: -1 is the last. */
function allowsEither(list: readonly number[], fromStart: number, fromEnd: number): boolean {
  return list.length === 0 || list.includes(fromStart) || list.includes(fromEnd);
}

/** Whether a day, `index` days after the start of a stretch of `length` days, is one of the weekdays, numbered within the stretch. */
function onWeekday(weekdays: readonly RuleWeekday[], day: number, index: number, length: number): boolean {
  const weekday = weekdayOf(day);
  return weekdays.some(({ nth, weekday: wanted }) => {
    if (wanted !== weekday) return false;
    if (nth === 0) return true;
    return nth > 0 ? Math.floor(index / 7) + 1 === nth : Math.floor((length - 1 - index) / 7) + 1 === -nth;
  });
}

/** Whether a day lies in one of the numbered weeks. The first week of a year is the first with four of its days. */
function inWeeks(rule: RecurrenceRule, day: number): boolean {
  // The fourth day of a week lies in the year that the week belongs to.
  const middle = day - ((weekdayOf(day) - rule.weekStart + 7) % 7) + 3;
  const year = yearOfMonth(monthAndDay(middle) >> 5);
  const week = Math.floor((middle - monthStart(year * 12)) / 7) + 1;
  const last = Math.floor((monthStart((year + 1) * 12) - 1 - middle) / 7) + week;
  return allowsEither(rule.byWeek, week, week - last - 1);
}
