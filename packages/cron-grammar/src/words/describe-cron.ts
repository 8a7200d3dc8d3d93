import { isFull60, members, members60 } from '../value/bits.js';
import { checkExpression } from '../value/check-argument.js';
import { CronArgumentError } from '../value/cron-errors.js';
import type { CronExpression } from '../value/cron-expression.js';
import { shownValue } from '../value/shown-value.js';
import { CHINESE } from './chinese.js';
import { dateParts } from './date-words.js';
import { ENGLISH } from './english.js';
import { FRENCH } from './french.js';
import { GERMAN } from './german.js';
import type { Language } from './language.js';
import { SPANISH } from './spanish.js';
import { single, spansOf, valuesOf } from './spans.js';

const LANGUAGES: Readonly<Record<string, Language>> = { en: ENGLISH, de: GERMAN, fr: FRENCH, es: SPANISH, zh: CHINESE };

/** The languages of `describeCron`. */
export type CronLocale = 'en' | 'de' | 'fr' | 'es' | 'zh';

/** English and a clock of 24 hours when left out. */
export interface DescribeCronOptions {
  /** The language of the words; `en` when left out. */
  locale?: CronLocale;
  /** How times of day are written; 24 when left out. */
  hours?: 12 | 24;
}

/** Up to this many times of day are named one by one. */
const MAX_TIMES = 6;

/** From this many hours in a row on, they are worded as a range. */
const MIN_HOUR_RANGE = 4;

/** Up to this many stretches of the day are named by their ends. */
const MAX_RANGES = 3;

const ALL_HOURS = 0xff_ffff;

/**
 * An expression in everyday words: `At 09:00 from Monday to Friday`. It states whether day and weekday must both match or either is enough,
 * and when the date can never come. An unknown locale is a `CronArgumentError`.
 */
export function describeCron(e: CronExpression, options?: DescribeCronOptions): string {
  checkExpression(e);
  const language = languageOf(options?.locale ?? 'en');
  const hours = options?.hours ?? 24;
  if (hours !== 12 && hours !== 24) {
    throw new CronArgumentError(`hours must be 12 or 24, got ${shownValue(hours)}`, { field: 'hours', value: hours });
  }
  const parts = dateParts(e, language);
  const needsDay = e.hours !== ALL_HOURS && parts.date === '' && parts.months === '';
  const text = language.sentence({
    ...parts,
    time: timeWords(e, language, hours === 12),
    date: needsDay ? language.everyDay : parts.date,
  });
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return e.fires ? sentence : `${sentence} (${language.never})`;
}

/** The words of a locale. */
function languageOf(locale: string): Language {
  const language = Object.hasOwn(LANGUAGES, locale) ? LANGUAGES[locale] : undefined;
  if (language !== undefined) return language;
  throw new CronArgumentError(`locale must be one of ${Object.keys(LANGUAGES).join(', ')}, got ${shownValue(locale)}`, {
    field: 'locale',
    value: locale,
  });
}

function timeWords(e: CronExpression, language: Language, twelve: boolean): string {
  const seconds = members60(e.secondsLow, e.secondsHigh);
  const minutes = members60(e.minutesLow, e.minutesHigh);
  const hours = members(e.hours);
  const clock = (hour: number, minute: number, second = 0): string => language.clock(hour, minute, second, twelve);
  if (seconds.length > 1 || (seconds[0] !== 0 && hours.length * minutes.length > MAX_TIMES)) {
    return secondWords(e, seconds, minutes, hours, language);
  }
  if (e.hours === ALL_HOURS) return everyHourWords(e, minutes, language);
  const [hourSpan, ...moreSpans] = spansOf(hours, 0, 23);
  if (
    minutes.length === 1 &&
    hours.length >= MIN_HOUR_RANGE &&
    typeof hourSpan === 'object' &&
    moreSpans.length === 0
  ) {
    const ends = hourSpan.map((hour) => clock(hour, minutes[0]!, seconds[0])) as [string, string];
    return language.fromTo(language.every('hour'), [ends]);
  }
  if (minutes.length * hours.length <= MAX_TIMES) {
    const times = hours.flatMap((hour) => minutes.map((minute) => clock(hour, minute, seconds[0])));
    return language.atTimes(times);
  }
  return manyTimeWords(e, minutes, hours, language, clock);
}

/** Every hour of the day, second 0. */
function everyHourWords(e: CronExpression, minutes: readonly number[], language: Language): string {
  if (isFull60(e.minutesLow, e.minutesHigh)) return language.every('minute');
  const step = evenStep(minutes, 60);
  if (step > 0) return language.everyN(step, 'minute');
  const values = valuesOf(minutes, 0, 59);
  return single(values) === 0 ? language.onTheHour : language.hourlyAt(values);
}

/** Some hours of the day and more times than are named one by one, second 0. */
function manyTimeWords(
  e: CronExpression,
  minutes: readonly number[],
  hours: readonly number[],
  language: Language,
  clock: (hour: number, minute: number) => string,
): string {
  const hourStep = evenStep(hours, 24);
  if (hourStep > 0 && minutes.length === 1 && minutes[0] === 0) return language.everyN(hourStep, 'hour');
  const step = isFull60(e.minutesLow, e.minutesHigh) ? 1 : evenStep(minutes, 60);
  const spans = spansOf(hours, 0, 23);
  if (step === 0 || spans.length > MAX_RANGES) {
    return language.minutesOfHours(valuesOf(minutes, 0, 59), valuesOf(hours, 0, 23));
  }
  const what = step === 1 ? language.every('minute') : language.everyN(step, 'minute');
  const last = minutes[minutes.length - 1]!;
  return language.fromTo(
    what,
    spans.map((span): [string, string] =>
      typeof span === 'number' ? [clock(span, 0), clock(span, last)] : [clock(span[0], 0), clock(span[1], last)],
    ),
  );
}

/** Other seconds than 0. */
function secondWords(
  e: CronExpression,
  seconds: readonly number[],
  minutes: readonly number[],
  hours: readonly number[],
  language: Language,
): string {
  const step = evenStep(seconds, 60);
  const all = isFull60(e.secondsLow, e.secondsHigh);
  const said = all
    ? language.every('second')
    : step > 0
      ? language.everyN(step, 'second')
      : language.atSeconds(valuesOf(seconds, 0, 59));
  const everyMinute = isFull60(e.minutesLow, e.minutesHigh);
  const everyHour = e.hours === ALL_HOURS;
  if (everyMinute && everyHour && (all || step > 0)) return said;
  return language.within(
    said,
    everyMinute ? null : valuesOf(minutes, 0, 59),
    everyHour ? null : valuesOf(hours, 0, 23),
  );
}

/** The step of two and more values that start at 0 and divide the whole evenly, such as 0, 15, 30, 45; otherwise 0. */
function evenStep(values: readonly number[], whole: number): number {
  const step = whole / values.length;
  const even = values.length > 1 && Number.isInteger(step) && step > 1;
  return even && values.every((value, index) => value === index * step) ? step : 0;
}
