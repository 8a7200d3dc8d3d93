import { clock12, clock24, isOne, joined, type Language, sayValues, spaced } from './language.js';
import type { Span, Values } from './spans.js';

const MONTHS = 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(' ');
const WEEKDAYS = 'dimanche lundi mardi mercredi jeudi vendredi samedi'.split(' ');
const NTH = ['premier', 'deuxième', 'troisième', 'quatrième', 'cinquième'];
const UNITS = { second: 'seconde', minute: 'minute', hour: 'heure' };

const and = (items: readonly string[]): string => joined(items, 'et');
const range = (first: string, last: string): string => `${first} à ${last}`;
const steps = (first: string, last: string, step: number): string => `${first} à ${last} par pas de ${step}`;
const numbers = (values: Values): string => sayValues(values, String, range, steps, and);
const at = (name: string, values: Values): string =>
  isOne(values) ? `à la ${name} ${numbers(values)}` : `aux ${name}s ${numbers(values)}`;
const of = (name: string, values: Values): string =>
  isOne(values) ? `de ${name === 'heure' ? "l'" : 'la '}${name} ${numbers(values)}` : `des ${name}s ${numbers(values)}`;
const date = (day: number): string => (day === 1 ? '1er' : `${day}`);
const before = (back: number): string => (back === 1 ? '1 jour' : `${back} jours`);
/** « d'avril », « de mars » */
const from = (month: string): string => (/^[ao]/.test(month) ? `d'${month}` : `de ${month}`);

function daySpan(span: Span): string {
  return typeof span === 'number' ? `le ${date(span)}` : `du ${date(span[0])} au ${date(span[1])}`;
}

function weekdayWords(span: Span): string {
  return typeof span === 'number' ? `le ${WEEKDAYS[span]}` : `du ${WEEKDAYS[span[0]]} au ${WEEKDAYS[span[1]]}`;
}

/** French. */
export const FRENCH: Language = {
  sentence: spaced,
  clock: (hour, minute, second, twelve) =>
    twelve ? `${clock12(hour, minute, second)} ${hour < 12 ? 'AM' : 'PM'}` : clock24(hour, minute, second),
  atTimes: (times) => `à ${and(times)}`,
  every: (unit) => `toutes les ${UNITS[unit]}s`,
  everyN: (step, unit) => `toutes les ${step} ${UNITS[unit]}s`,
  fromTo: (what, ranges) => `${what} ${and(ranges.map(([first, last]) => `de ${first} à ${last}`))}`,
  onTheHour: 'toutes les heures pile',
  hourlyAt: (minutes) => `toutes les heures ${at('minute', minutes)}`,
  minutesOfHours: (minutes, hours) => `${at('minute', minutes)} ${of('heure', hours)}`,
  within: (seconds, minutes, hours) => {
    if (minutes === null && hours === null) return `${seconds} de chaque minute`;
    const inMinutes = minutes === null ? 'de chaque minute' : of('minute', minutes);
    return `${seconds} ${inMinutes} ${hours === null ? 'de chaque heure' : of('heure', hours)}`;
  },
  atSeconds: (seconds) => at('seconde', seconds),
  everyDay: 'tous les jours',
  days: (days, ofMonth) => {
    const said =
      days.kind === 'steps'
        ? `tous les ${days.step} jours du ${date(days.first)} au ${date(days.last)}`
        : and(days.spans.map(daySpan));
    return `${said}${ofMonth ? ' du mois' : ''}`;
  },
  dayOfMonth: (day, month) => `le ${date(day)} ${MONTHS[month - 1]}`,
  weekdays: (spans) => and(spans.map(weekdayWords)),
  months: (spans) => {
    const said = spans.map((span) =>
      typeof span === 'number' ? `en ${MONTHS[span - 1]}` : `${from(MONTHS[span[0] - 1]!)} à ${MONTHS[span[1] - 1]}`,
    );
    return and(said);
  },
  years: (years) => {
    if (years.kind === 'steps') return `tous les ${years.step} ans de ${years.first} à ${years.last}`;
    return and(years.spans.map((span) => (typeof span === 'number' ? `en ${span}` : `de ${span[0]} à ${span[1]}`)));
  },
  lastDay: (back) => (back === 0 ? 'le dernier jour du mois' : `${before(back)} avant le dernier jour du mois`),
  lastWorkday: (back) =>
    back === 0
      ? 'le dernier jour ouvré du mois'
      : `le jour ouvré le plus proche du jour situé ${before(back)} avant le dernier jour du mois`,
  nearestWorkday: (day) =>
    day === 1 ? 'le premier jour ouvré du mois' : `le jour ouvré le plus proche du ${day} du mois`,
  lastWeekday: (weekday) => `le dernier ${WEEKDAYS[weekday]} du mois`,
  nthWeekday: (weekday, nth) => `le ${NTH[nth - 1]} ${WEEKDAYS[weekday]} du mois`,
  and,
  either: (first, second) => `${first} ou ${second}`,
  both: (first, second) => `${first}, mais seulement ${second}`,
  never: "jamais, car cette date n'existe pas",
};
