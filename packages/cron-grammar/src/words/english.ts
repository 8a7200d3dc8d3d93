import { clock12, clock24, isOne, joined, type Language, sayValues, spaced } from './language.js';
import type { Span, Values } from './spans.js';

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const NTH = ['first', 'second', 'third', 'fourth', 'fifth'];

const and = (items: readonly string[]): string => joined(items, 'and');
const range = (first: string, last: string): string => `${first} to ${last}`;
const steps = (first: string, last: string, step: number): string => `${first} to ${last} in steps of ${step}`;
const numbers = (values: Values): string => sayValues(values, String, range, steps, and);
const named = (name: string, values: Values): string => `${name}${isOne(values) ? '' : 's'} ${numbers(values)}`;
const ofHours = (hours: Values): string => (isOne(hours) ? `hour ${numbers(hours)}` : `the hours ${numbers(hours)}`);

function ordinal(day: number): string {
  const teens = day >= 11 && day <= 13;
  return `${day}${teens ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th')}`;
}

function dayWords(days: Values): string {
  if (days.kind === 'steps')
    return `every ${days.step} days from the ${ordinal(days.first)} to the ${ordinal(days.last)}`;
  const [span] = days.spans;
  if (days.spans.length === 1 && typeof span === 'object')
    return `from the ${ordinal(span[0])} to the ${ordinal(span[1])}`;
  return `on the ${sayValues(days, ordinal, range, steps, and)}`;
}

function weekdayWords(span: Span): string {
  return typeof span === 'number' ? `on ${WEEKDAYS[span]}s` : `from ${WEEKDAYS[span[0]]} to ${WEEKDAYS[span[1]]}`;
}

/** English. */
export const ENGLISH: Language = {
  sentence: spaced,
  clock: (hour, minute, second, twelve) =>
    twelve ? `${clock12(hour, minute, second)} ${hour < 12 ? 'AM' : 'PM'}` : clock24(hour, minute, second),
  atTimes: (times) => `at ${and(times)}`,
  every: (unit) => `every ${unit}`,
  everyN: (step, unit) => `every ${step} ${unit}s`,
  fromTo: (what, ranges) => `${what} ${and(ranges.map(([first, last]) => `from ${first} to ${last}`))}`,
  onTheHour: 'every hour on the hour',
  hourlyAt: (minutes) => `every hour at ${named('minute', minutes)}`,
  minutesOfHours: (minutes, hours) => `at ${named('minute', minutes)} of ${ofHours(hours)}`,
  within: (seconds, minutes, hours) => {
    if (minutes === null && hours === null) return `${seconds} of every minute`;
    const inMinutes = minutes === null ? 'every minute' : named('minute', minutes);
    return `${seconds} of ${inMinutes} of ${hours === null ? 'every hour' : ofHours(hours)}`;
  },
  atSeconds: (seconds) => `at ${named('second', seconds)}`,
  everyDay: 'every day',
  days: (days, ofMonth) => `${dayWords(days)}${ofMonth ? ' of the month' : ''}`,
  dayOfMonth: (day, month) => `on ${day} ${MONTHS[month - 1]}`,
  weekdays: (spans) =>
    spans.every((span) => typeof span === 'number')
      ? `on ${and(spans.map((span) => `${WEEKDAYS[span as number]}s`))}`
      : and(spans.map(weekdayWords)),
  months: (spans) => {
    const [span] = spans;
    if (spans.length === 1 && typeof span === 'object') return `from ${MONTHS[span[0] - 1]} to ${MONTHS[span[1] - 1]}`;
    return `in ${sayValues({ kind: 'spans', spans, count: 2 }, (month) => MONTHS[month - 1]!, range, steps, and)}`;
  },
  years: (years) => {
    if (years.kind === 'steps') return `every ${years.step} years from ${years.first} to ${years.last}`;
    const [span] = years.spans;
    if (years.spans.length === 1 && typeof span === 'object') return `from ${span[0]} to ${span[1]}`;
    return `in ${numbers(years)}`;
  },
  lastDay: (back) => {
    if (back === 0) return 'on the last day of the month';
    return `${back === 1 ? '1 day' : `${back} days`} before the last day of the month`;
  },
  lastWorkday: (back) =>
    back === 0
      ? 'on the last working day of the month'
      : `on the working day nearest to ${back === 1 ? '1 day' : `${back} days`} before the last day of the month`,
  nearestWorkday: (day) =>
    day === 1
      ? 'on the first working day of the month'
      : `on the working day nearest to the ${ordinal(day)} of the month`,
  lastWeekday: (weekday) => `on the last ${WEEKDAYS[weekday]} of the month`,
  nthWeekday: (weekday, nth) => `on the ${NTH[nth - 1]} ${WEEKDAYS[weekday]} of the month`,
  and,
  either: (first, second) => `${first} or ${second}`,
  both: (first, second) => `${first}, but only ${second}`,
  never: 'never, because no such date exists',
};
