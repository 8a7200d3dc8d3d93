import type { Span, Values } from './spans.js';

export type Unit = 'second' | 'minute' | 'hour';

/** The parts of a sentence about an expression; an empty text stands for a part that is not needed. */
export interface SentenceParts {
  readonly time: string;
  readonly date: string;
  readonly months: string;
  readonly years: string;
  /** Whether the months bind to two alternatives and must stand before both. */
  readonly monthsFirst: boolean;
}

/** The words of one language for describing expressions. Weekday 0 is Sunday, month 1 is January. */
export interface Language {
  /** The parts as one sentence, without a capital and a full stop. */
  sentence(parts: SentenceParts): string;
  /** A time of day; seconds are left out when 0. */
  clock(hour: number, minute: number, second: number, twelve: boolean): string;
  atTimes(times: readonly string[]): string;
  every(unit: Unit): string;
  everyN(step: number, unit: Unit): string;
  /** `every hour`, `from 09:00 to 17:00` */
  fromTo(what: string, ranges: readonly (readonly [string, string])[]): string;
  onTheHour: string;
  /** Every hour at these minutes. */
  hourlyAt(minutes: Values): string;
  /** At these minutes of these hours. */
  minutesOfHours(minutes: Values, hours: Values): string;
  /** The words of `every(second)`, `everyN` or `atSeconds`, in these minutes of these hours; null is every one. */
  within(seconds: string, minutes: Values | null, hours: Values | null): string;
  atSeconds(seconds: Values): string;
  everyDay: string;
  /** `months` is null when every month is meant. */
  days(days: Values, ofMonth: boolean): string;
  dayOfMonth(day: number, month: number): string;
  weekdays(spans: readonly Span[]): string;
  months(spans: readonly Span[]): string;
  years(years: Values): string;
  /** The day this many days before the last of the month. */
  lastDay(back: number): string;
  lastWorkday(back: number): string;
  nearestWorkday(day: number): string;
  lastWeekday(weekday: number): string;
  nthWeekday(weekday: number, nth: number): string;
  and(items: readonly string[]): string;
  either(first: string, second: string): string;
  both(first: string, second: string): string;
  never: string;
}

/** Spans or steps in words, by a language's words for a value, a range and steps. */
export function sayValues(
  values: Values,
  say: (value: number) => string,
  range: (first: string, last: string) => string,
  steps: (first: string, last: string, step: number) => string,
  and: (items: readonly string[]) => string,
): string {
  if (values.kind === 'steps') return steps(say(values.first), say(values.last), values.step);
  return and(values.spans.map((span) => (typeof span === 'number' ? say(span) : range(say(span[0]), say(span[1])))));
}

/** `a, b` and a joiner before the last. */
export function joined(items: readonly string[], joiner: string): string {
  return items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} ${joiner} ${items[items.length - 1]}`;
}

/** `09:05`, `09:05:30` */
export function clock24(hour: number, minute: number, second: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(hour)}:${two(minute)}${second === 0 ? '' : `:${two(second)}`}`;
}

/** `9:05` of a clock with twelve hours; the half of the day is said by the caller. */
export function clock12(hour: number, minute: number, second: number): string {
  return `${((hour + 11) % 12) + 1}${clock24(0, minute, second).slice(2)}`;
}

/** Whether there is one value only. */
export function isOne(values: Values): boolean {
  return values.kind === 'spans' && values.count === 1;
}

/** Time, date, months and years with a blank between; with alternatives the months come first and bind to both. */
export function spaced({ time, date, months, years, monthsFirst }: SentenceParts): string {
  const dates = monthsFirst && months !== '' ? [`${months},`, date] : [date, months];
  return [time, ...dates, years].filter((part) => part !== '').join(' ');
}
