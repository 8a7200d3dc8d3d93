import { clock12, clock24, joined, type Language, type SentenceParts, sayValues, spaced } from './language.js';
import type { Span, Values } from './spans.js';

const MONTHS = 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(' ');
const WEEKDAYS = 'Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag'.split(' ');
const NTH = ['ersten', 'zweiten', 'dritten', 'vierten', 'fünften'];
const UNITS = { second: 'Sekunde', minute: 'Minute', hour: 'Stunde' };

const and = (items: readonly string[]): string => joined(items, 'und');
const range = (first: string, last: string): string => `${first} bis ${last}`;
const steps = (first: string, last: string, step: number): string => `${first} bis ${last} in Schritten von ${step}`;
const numbers = (values: Values): string => sayValues(values, String, range, steps, and);
const ofHours = (hours: Values): string =>
  `der ${hours.kind === 'spans' && hours.count === 1 ? 'Stunde' : 'Stunden'} ${numbers(hours)}`;
const daysBefore = (back: number): string => (back === 1 ? 'einen Tag' : `${back} Tage`);

function dayWords(days: Values): string {
  if (days.kind === 'steps') return `alle ${days.step} Tage vom ${days.first}. bis zum ${days.last}.`;
  const [span] = days.spans;
  if (days.spans.length === 1 && typeof span === 'object') return `vom ${span[0]}. bis zum ${span[1]}.`;
  return `am ${sayValues(days, (day) => `${day}.`, range, steps, and)}`;
}

function weekdayWords(span: Span): string {
  return typeof span === 'number'
    ? `${WEEKDAYS[span]!.toLowerCase()}s`
    : `von ${WEEKDAYS[span[0]]} bis ${WEEKDAYS[span[1]]}`;
}

/** A relative clause closes with a comma, unless it ends the sentence or meets another comma. */
function sentence(parts: SentenceParts): string {
  return spaced(parts).replace(/,(?=,|$)/g, '');
}

/** German. */
export const GERMAN: Language = {
  sentence,
  clock: (hour, minute, second, twelve) =>
    twelve ? `${clock12(hour, minute, second)} ${hour < 12 ? 'AM' : 'PM'}` : clock24(hour, minute, second),
  atTimes: (times) => `um ${and(times)}${times[0]!.endsWith('M') ? '' : ' Uhr'}`,
  every: (unit) => `jede ${UNITS[unit]}`,
  everyN: (step, unit) => `alle ${step} ${UNITS[unit]}n`,
  fromTo: (what, ranges) =>
    `${what} ${and(ranges.map(([first, last]) => `von ${first} bis ${last}${last.endsWith('M') ? '' : ' Uhr'}`))}`,
  onTheHour: 'jede Stunde zur vollen Stunde',
  hourlyAt: (minutes) => `jede Stunde in Minute ${numbers(minutes)}`,
  minutesOfHours: (minutes, hours) => `in Minute ${numbers(minutes)} ${ofHours(hours)}`,
  within: (seconds, minutes, hours) => {
    if (minutes === null && hours === null) return `${seconds} jeder Minute`;
    const inMinutes = minutes === null ? 'jeder Minute' : `in Minute ${numbers(minutes)}`;
    return `${seconds} ${inMinutes} ${hours === null ? 'jeder Stunde' : ofHours(hours)}`;
  },
  atSeconds: (seconds) => `in Sekunde ${numbers(seconds)}`,
  everyDay: 'jeden Tag',
  days: (days, ofMonth) => `${dayWords(days)}${ofMonth ? ' des Monats' : ''}`,
  dayOfMonth: (day, month) => `am ${day}. ${MONTHS[month - 1]}`,
  weekdays: (spans) => and(spans.map(weekdayWords)),
  months: (spans) => {
    const [span] = spans;
    if (spans.length === 1 && typeof span === 'object') return `von ${MONTHS[span[0] - 1]} bis ${MONTHS[span[1] - 1]}`;
    return `im ${sayValues({ kind: 'spans', spans, count: 2 }, (month) => MONTHS[month - 1]!, range, steps, and)}`;
  },
  years: (years) => {
    if (years.kind === 'steps') return `alle ${years.step} Jahre von ${years.first} bis ${years.last}`;
    return years.count === 1 ? `im Jahr ${numbers(years)}` : `in den Jahren ${numbers(years)}`;
  },
  lastDay: (back) => (back === 0 ? 'am letzten Tag des Monats' : `${daysBefore(back)} vor dem letzten Tag des Monats`),
  lastWorkday: (back) =>
    back === 0
      ? 'am letzten Arbeitstag des Monats'
      : `am Arbeitstag, der dem Tag ${daysBefore(back)} vor dem letzten Tag des Monats am nächsten liegt,`,
  nearestWorkday: (day) =>
    day === 1 ? 'am ersten Arbeitstag des Monats' : `am Arbeitstag, der dem ${day}. des Monats am nächsten liegt,`,
  lastWeekday: (weekday) => `am letzten ${WEEKDAYS[weekday]} des Monats`,
  nthWeekday: (weekday, nth) => `am ${NTH[nth - 1]} ${WEEKDAYS[weekday]} des Monats`,
  and,
  either: (first, second) => `${first} oder ${second}`,
  both: (first, second) => `${first}, aber nur ${second}`,
  never: 'nie, denn ein solches Datum gibt es nicht',
};
