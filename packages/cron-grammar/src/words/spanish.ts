import { clock12, clock24, isOne, joined, type Language, sayValues, spaced } from './language.js';
import type { Span, Values } from './spans.js';

const MONTHS = 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(' ');
const WEEKDAYS = 'domingo lunes martes miércoles jueves viernes sábado'.split(' ');
const NTH = ['primer', 'segundo', 'tercer', 'cuarto', 'quinto'];
const UNITS = { second: 'segundo', minute: 'minuto', hour: 'hora' };

const and = (items: readonly string[]): string => joined(items, 'y');
const range = (first: string, last: string): string => `${first} a ${last}`;
const steps = (first: string, last: string, step: number): string => `${first} a ${last} en pasos de ${step}`;
const numbers = (values: Values): string => sayValues(values, String, range, steps, and);
const at = (name: string, values: Values): string =>
  isOne(values) ? `en el ${name} ${numbers(values)}` : `en los ${name}s ${numbers(values)}`;
const ofMinutes = (values: Values): string =>
  isOne(values) ? `del minuto ${numbers(values)}` : `de los minutos ${numbers(values)}`;
const ofHours = (values: Values): string =>
  isOne(values) ? `de la hora ${numbers(values)}` : `de las horas ${numbers(values)}`;
const before = (back: number): string => (back === 1 ? '1 día' : `${back} días`);
const plural = (weekday: number): string =>
  /s$/.test(WEEKDAYS[weekday]!) ? WEEKDAYS[weekday]! : `${WEEKDAYS[weekday]}s`;

function dayWords(days: Values): string {
  if (days.kind === 'steps') return `cada ${days.step} días del ${days.first} al ${days.last}`;
  const [span] = days.spans;
  if (days.spans.length === 1) return typeof span === 'number' ? `el día ${span}` : `del ${span![0]} al ${span![1]}`;
  return `los días ${sayValues(days, String, range, steps, and)}`;
}

function weekdayWords(span: Span): string {
  return typeof span === 'number' ? `los ${plural(span)}` : `de ${WEEKDAYS[span[0]]} a ${WEEKDAYS[span[1]]}`;
}

/** Spanish. */
export const SPANISH: Language = {
  sentence: spaced,
  clock: (hour, minute, second, twelve) =>
    twelve ? `${clock12(hour, minute, second)} ${hour < 12 ? 'a. m.' : 'p. m.'}` : clock24(hour, minute, second),
  // One o'clock is singular.
  atTimes: (times) => `a ${/^0?1:/.test(times[0]!) ? 'la' : 'las'} ${and(times)}`,
  every: (unit) => `cada ${UNITS[unit]}`,
  everyN: (step, unit) => `cada ${step} ${UNITS[unit]}s`,
  fromTo: (what, ranges) => `${what} ${and(ranges.map(([first, last]) => `de ${first} a ${last}`))}`,
  onTheHour: 'cada hora en punto',
  hourlyAt: (minutes) => `cada hora ${at('minuto', minutes)}`,
  minutesOfHours: (minutes, hours) => `${at('minuto', minutes)} ${ofHours(hours)}`,
  within: (seconds, minutes, hours) => {
    if (minutes === null && hours === null) return `${seconds} de cada minuto`;
    const inMinutes = minutes === null ? 'de cada minuto' : ofMinutes(minutes);
    return `${seconds} ${inMinutes} ${hours === null ? 'de cada hora' : ofHours(hours)}`;
  },
  atSeconds: (seconds) => at('segundo', seconds),
  everyDay: 'todos los días',
  days: (days, ofMonth) => `${dayWords(days)}${ofMonth ? ' del mes' : ''}`,
  dayOfMonth: (day, month) => `el ${day} de ${MONTHS[month - 1]}`,
  weekdays: (spans) => and(spans.map(weekdayWords)),
  months: (spans) => {
    const said = spans.map((span) =>
      typeof span === 'number' ? `en ${MONTHS[span - 1]}` : `de ${MONTHS[span[0] - 1]} a ${MONTHS[span[1] - 1]}`,
    );
    return and(said);
  },
  years: (years) => {
    if (years.kind === 'steps') return `cada ${years.step} años de ${years.first} a ${years.last}`;
    return and(years.spans.map((span) => (typeof span === 'number' ? `en ${span}` : `de ${span[0]} a ${span[1]}`)));
  },
  lastDay: (back) => (back === 0 ? 'el último día del mes' : `${before(back)} antes del último día del mes`),
  lastWorkday: (back) =>
    back === 0
      ? 'el último día laborable del mes'
      : `el día laborable más cercano a ${before(back)} antes del último día del mes`,
  nearestWorkday: (day) =>
    day === 1 ? 'el primer día laborable del mes' : `el día laborable más cercano al ${day} del mes`,
  lastWeekday: (weekday) => `el último ${WEEKDAYS[weekday]} del mes`,
  nthWeekday: (weekday, nth) => `el ${NTH[nth - 1]} ${WEEKDAYS[weekday]} del mes`,
  and,
  either: (first, second) => `${first} o ${second}`,
  both: (first, second) => `${first}, pero solo ${second}`,
  never: 'nunca, porque esa fecha no existe',
};
