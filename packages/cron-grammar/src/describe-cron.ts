import { isFull60, members, members60 } from './bits.js';
import { checkExpression } from './check-argument.js';
import { CronArgumentError } from './cron-errors.js';
import type { CronExpression } from './cron-expression.js';
import type { CronWords } from './cron-words.js';
import { runs, yearList } from './format-cron.js';
import { GERMAN } from './words-de.js';
import { ENGLISH } from './words-en.js';

const LANGUAGES: Readonly<Record<string, CronWords>> = { en: ENGLISH, de: GERMAN };

/** Up to so many times of day are named one by one. */
const MOST_TIMES = 6;

/**
 * An expression in the words a person would say: `At 09:00 from Monday to Friday`. English by default, German with
 * `locale: 'de'`. It says when both day and weekday are restricted that either is enough, and when the date can never come.
 */
export function describeCron(e: CronExpression, options?: { locale?: 'en' | 'de' }): string {
  checkExpression(e);
  const locale = options?.locale ?? 'en';
  const words = Object.hasOwn(LANGUAGES, locale) ? LANGUAGES[locale]! : undefined;
  if (words === undefined) {
    throw new CronArgumentError(`locale must be 'en' or 'de', got ${String(locale)}`, {
      field: 'locale',
      value: locale,
    });
  }
  const parts = [timeWords(e, words), dateWords(e, words), monthWords(e, words), yearWords(e, words)];
  const text = parts.filter((part) => part !== '').join(' ');
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return e.fires ? sentence : `${sentence} (${words.never})`;
}

function timeWords(e: CronExpression, words: CronWords): string {
  const seconds = members60(e.secondsLow, e.secondsHigh);
  const minutes = members60(e.minutesLow, e.minutesHigh);
  const hours = members(e.hours);
  const oneSecond = seconds.length === 1;
  if (oneSecond && hours.length < 24 && minutes.length * hours.length <= MOST_TIMES) {
    const times = hours.flatMap((hour) => minutes.map((minute) => clock(hour, minute, seconds[0]!)));
    return words.atTimes(times);
  }
  const rest = minuteWords(e, minutes, hours, words);
  if (oneSecond && seconds[0] === 0) return rest;
  const fine = isFull60(e.secondsLow, e.secondsHigh) ? words.everySecond : secondWords(seconds, words);
  return rest === words.everyMinute ? fine : `${fine}, ${rest}`;
}

function secondWords(seconds: readonly number[], words: CronWords): string {
  const step = evenStep(seconds);
  return step === 0 ? words.atSeconds(runs(seconds).split(',')) : words.everySeconds(step);
}

function minuteWords(
  e: CronExpression,
  minutes: readonly number[],
  hours: readonly number[],
  words: CronWords,
): string {
  const step = evenStep(minutes);
  const every = isFull60(e.minutesLow, e.minutesHigh) ? words.everyMinute : step === 0 ? '' : words.everyMinutes(step);
  if (hours.length === 24) return every === '' ? words.everyHourAt(runs(minutes).split(',')) : every;
  const hourRuns = runs(hours).split(',');
  if (every === '') return words.atMinutesOfHours(runs(minutes).split(','), hourRuns);
  if (hourRuns.length > 1) return `${every} ${words.inHours(hourRuns)}`;
  return `${every} ${words.fromTo(clock(hours[0]!, 0, 0), clock(hours[hours.length - 1]!, 59, 0))}`;
}

/** The step of values that start at 0 and divide the hour or minute evenly, such as 0, 15, 30, 45; otherwise 0. */
function evenStep(values: readonly number[]): number {
  const step = 60 / values.length;
  return values.length > 1 && Number.isInteger(step) && values.every((value, index) => value === index * step)
    ? step
    : 0;
}

function clock(hour: number, minute: number, second: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(hour)}:${two(minute)}${second === 0 ? '' : `:${two(second)}`}`;
}

function dateWords(e: CronExpression, words: CronWords): string {
  const days = e.dayRestricted ? dayPhrases(e, words) : [];
  const weekdays = e.weekdayRestricted ? weekdayPhrases(e, words) : [];
  if (days.length > 0 && weekdays.length > 0) return words.either(words.list(days, 'or'), words.list(weekdays, 'or'));
  if (days.length + weekdays.length > 0) return words.list([...days, ...weekdays], 'and');
  return e.hours !== 0xff_ffff && e.months === 0xfff ? words.everyDay : '';
}

function dayPhrases(e: CronExpression, words: CronWords): string[] {
  const rule = e.monthRule?.kind === 'quartz' ? e.monthRule : null;
  return [
    ...(e.days === 0 ? [] : [words.onDays(spansOf(members(e.days, 1)))]),
    ...(rule === null ? [] : members(rule.workday, 1).map((day) => words.nearestWorkday(day))),
    ...(rule === null ? [] : members(rule.fromEnd).map((back) => words.lastDay(back, false))),
    ...(rule === null ? [] : members(rule.workdayFromEnd).map((back) => words.lastDay(back, true))),
  ];
}

function weekdayPhrases(e: CronExpression, words: CronWords): string[] {
  const rule = e.monthRule?.kind === 'quartz' ? e.monthRule : null;
  const nth =
    rule === null
      ? []
      : rule.nthWeekdays.flatMap((some, i) => members(some).map((day) => words.nthWeekday(day, i + 1)));
  return [
    ...(e.weekdays === 0 ? [] : [words.onWeekdays(spansOf(members(e.weekdays)))]),
    ...nth,
    ...(rule === null ? [] : members(rule.lastWeekdays).map((weekday) => words.lastWeekday(weekday))),
  ];
}

function monthWords(e: CronExpression, words: CronWords): string {
  return e.months === 0xfff ? '' : words.inMonths(spansOf(members(e.months, 1)));
}

function yearWords(e: CronExpression, words: CronWords): string {
  return e.years === null ? '' : words.inYears(runs(yearList(e.years)).split(','));
}

/** Runs of three and more as pairs of first and last, the rest one by one. */
function spansOf(values: readonly number[]): (number | readonly [number, number])[] {
  return runs(values)
    .split(',')
    .flatMap((run): (number | readonly [number, number])[] => {
      const [first, last = first] = run.split('-').map(Number) as [number, number?];
      if (last - first >= 2) return [[first, last] as const];
      return last === first ? [first] : [first, last];
    });
}
