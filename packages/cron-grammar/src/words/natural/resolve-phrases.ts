import { runs } from '../../value/format-cron.js';
import type { ClockTime, Phrase, Reasons } from './phrases.js';

type Kind = Phrase['kind'];
export type Phrases = { readonly [K in Kind]?: Extract<Phrase, { kind: K }> };

/** Phrases that do not go together, or that cron cannot express, and why. */
export interface Refusal {
  readonly wrong: readonly Kind[];
  readonly reason: string;
}

/** The text of an expression, or the phrases that stand in its way. */
export type Resolution = { readonly text: string } | Refusal;

/**
 * Combines phrases into a POSIX expression. Without a day every day is meant, as in "at 9"; a day without a time is midnight, and hours
 * between two without a step are every hour.
 */
export function resolvePhrases(phrases: Phrases, reasons: Reasons): Resolution {
  const refusal = clashes(phrases, reasons);
  if (refusal !== null) return refusal;
  const { every, between } = phrases;
  if (every?.unit === 'minute' || every?.unit === 'hour') return often(phrases, every.unit, every.step, reasons);
  if (between !== undefined) return often(phrases, 'hour', 1, reasons);
  const time = timeFields(phrases.times?.times ?? [{ hour: 0, minute: 0 }]);
  if (time === null) {
    return { wrong: ['times'], reason: reasons.unevenTimes };
  }
  const date = dateFields(phrases, reasons);
  return typeof date === 'string' ? { text: `${time} ${date}` } : date;
}

/** Phrases that cannot stand beside each other; the later kind of each pair is the one that is too much. */
const CLASHES: readonly (readonly [Kind, Kind])[] = [
  ['weekdays', 'days'],
  ['date', 'days'],
  ['date', 'weekdays'],
  ['date', 'months'],
];

function clashes(phrases: Phrases, reasons: Reasons): Refusal | null {
  const unit = phrases.every?.unit;
  // Minutes between two hours might end with the last hour or within it; with a time there is nothing left to lie between.
  const hourly = unit === 'hour' || (unit === undefined && phrases.times === undefined);
  if (!hourly && phrases.between !== undefined) return { wrong: ['between'], reason: reasons.hourOnly };
  const wrong = CLASHES.filter(([one, other]) => phrases[one] !== undefined && phrases[other] !== undefined).map(
    ([, other]) => other,
  );
  const not = (...kinds: Kind[]): void => {
    wrong.push(...kinds.filter((kind) => phrases[kind] !== undefined));
  };
  if (unit === 'minute' || unit === 'hour') not('times');
  if (unit === 'day') not('weekdays', 'days', 'date');
  if (unit === 'month') not('weekdays', 'date');
  if (unit === 'year') not('weekdays', 'days', 'months');
  return wrong.length === 0 ? null : { wrong, reason: reasons.clash };
}

/** Every n minutes or hours, on the days that the other phrases name. */
function often(phrases: Phrases, unit: 'minute' | 'hour', step: number, reasons: Reasons): Resolution {
  const whole = unit === 'minute' ? 60 : 24;
  // A step that does not divide the hour or day would be shorter once an hour or day.
  if (whole % step !== 0) {
    return { wrong: ['every'], reason: reasons.unevenSteps(step, whole, unit) };
  }
  const dates = dateFields({ ...phrases, every: undefined }, reasons);
  if (typeof dates !== 'string') return dates;
  const steps = step === 1 ? '*' : Array.from({ length: whole / step }, (_, index) => index * step).join(',');
  if (unit === 'minute') return { text: `${steps} * ${dates}` };
  const { between } = phrases;
  if (between === undefined) return { text: `0 ${steps} ${dates}` };
  if (step > 1) return { wrong: ['between'], reason: reasons.hourOnly };
  const length = ((between.to - between.from + 24) % 24) + 1;
  const hours = Array.from({ length }, (_, index) => (between.from + index) % 24).sort((a, b) => a - b);
  return { text: `0 ${runs(hours)} ${dates}` };
}

/** Minute and hour, or null when the times are not a combination of minutes and hours. */
function timeFields(times: readonly ClockTime[]): string | null {
  const minutes = [...new Set(times.map(({ minute }) => minute))].sort((a, b) => a - b);
  const hours = [...new Set(times.map(({ hour }) => hour))].sort((a, b) => a - b);
  const said = new Set(times.map(({ hour, minute }) => hour * 60 + minute));
  return said.size === minutes.length * hours.length ? `${runs(minutes)} ${runs(hours)}` : null;
}

/** Day, month and weekday. */
function dateFields(phrases: Phrases, reasons: Reasons): string | Refusal {
  const { every, date, days, weekdays, months } = phrases;
  const sorted = (values: readonly number[]): string => runs([...new Set(values)].sort((a, b) => a - b));
  if (date !== undefined) return `${date.day} ${date.month} *`;
  const month = months === undefined ? '*' : sorted(months.months);
  const step = every?.step ?? 1;
  if (every?.unit === 'year') return '1 1 *';
  if (every?.unit === 'month') {
    if (12 % step !== 0) {
      return { wrong: ['every'], reason: reasons.unevenSteps(step, 12, 'month') };
    }
    if (step > 1 && months !== undefined) return { wrong: ['every'], reason: reasons.clash };
    const inMonths = step === 1 ? month : Array.from({ length: 12 / step }, (_, index) => 1 + index * step).join(',');
    return `${days === undefined ? '1' : sorted(days.days)} ${inMonths} *`;
  }
  if (every?.unit === 'day' && step > 1) {
    if (step > 15) return { wrong: ['every'], reason: reasons.tooManyDays };
    const steps = Array.from({ length: Math.ceil(31 / step) }, (_, index) => 1 + index * step);
    return `${steps.join(',')} ${month} *`;
  }
  return `${days === undefined ? '*' : sorted(days.days)} ${month} ${weekdays === undefined ? '*' : sorted(weekdays.weekdays)}`;
}
