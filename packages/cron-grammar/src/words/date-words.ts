import { members } from '../value/bits.js';
import { type CronExpression, FIRST_YEAR, LAST_YEAR } from '../value/cron-expression.js';
import { yearList } from '../value/format-cron.js';
import type { Language, SentenceParts } from './language.js';
import { type Span, single, spansOf, type Values, valuesOf } from './spans.js';

/** The words for days, weekdays, months and years; all are empty when every day is meant. */
export function dateParts(e: CronExpression, language: Language): Omit<SentenceParts, 'time'> {
  const months = e.months === 0xfff ? [] : members(e.months, 1);
  const years = e.years === null ? '' : language.years(valuesOf(yearList(e.years), FIRST_YEAR, LAST_YEAR));
  const days = e.dayRestricted ? dayWords(e, months.length === 0, language) : '';
  const weekdays = e.weekdayRestricted ? weekdayWords(e, language) : '';
  const inMonths = months.length === 0 ? '' : language.months(spansOf(months, 1, 12));
  if (days !== '' && weekdays !== '') {
    const join = e.monthRule?.kind === 'day-and-weekday' ? language.both : language.either;
    return { date: join(days, weekdays), months: inMonths, years, monthsFirst: true };
  }
  const day = single(plainDays(e));
  if (days !== '' && day !== null && months.length === 1 && e.monthRule === null) {
    return { date: language.dayOfMonth(day, months[0]!), months: '', years, monthsFirst: false };
  }
  return { date: days + weekdays, months: inMonths, years, monthsFirst: false };
}

function plainDays(e: CronExpression): Values {
  return valuesOf(members(e.days, 1), 1, 31);
}

function dayWords(e: CronExpression, ofMonth: boolean, language: Language): string {
  const rule = e.monthRule?.kind === 'quartz' ? e.monthRule : null;
  const phrases = e.days === 0 ? [] : [language.days(plainDays(e), ofMonth)];
  if (rule === null) return language.and(phrases);
  phrases.push(...members(rule.workday, 1).map((day) => language.nearestWorkday(day)));
  phrases.push(...members(rule.fromEnd).map((back) => language.lastDay(back)));
  phrases.push(...members(rule.workdayFromEnd).map((back) => language.lastWorkday(back)));
  return language.and(phrases);
}

function weekdayWords(e: CronExpression, language: Language): string {
  const rule = e.monthRule?.kind === 'quartz' ? e.monthRule : null;
  const phrases = e.weekdays === 0 ? [] : [language.weekdays(weekdaySpans(e.weekdays))];
  if (rule === null) return language.and(phrases);
  for (const [index, weekdays] of rule.nthWeekdays.entries()) {
    phrases.push(...members(weekdays).map((weekday) => language.nthWeekday(weekday, index + 1)));
  }
  phrases.push(...members(rule.lastWeekdays).map((weekday) => language.lastWeekday(weekday)));
  return language.and(phrases);
}

/** The week begins on Monday, so that a weekend is Saturday and Sunday. */
function weekdaySpans(weekdays: number): Span[] {
  const days = members((weekdays >>> 1) | ((weekdays & 1) << 6), 1);
  const sunday = (day: number): number => day % 7;
  return spansOf(days, 1, 7).map((span) =>
    typeof span === 'number' ? sunday(span) : ([sunday(span[0]), sunday(span[1])] as const),
  );
}
