import { quoted } from './fault.js';
import type { FieldSpec } from './fields.js';

/** One element of a Quartz field, read but not yet put into a set. Values are those of the text: Sunday is 1. */
export type QuartzElement =
  | {
      readonly kind: 'values';
      readonly from: number;
      readonly to: number;
      readonly step: number;
      readonly star: boolean;
    }
  /** `L`, `L-3`, `LW`, `L-3W` in the day field. */
  | { readonly kind: 'from-end'; readonly back: number; readonly workday: boolean }
  /** `15W` */
  | { readonly kind: 'workday'; readonly day: number }
  /** `6L` */
  | { readonly kind: 'last-weekday'; readonly weekday: number }
  /** `6#3` */
  | { readonly kind: 'nth-weekday'; readonly weekday: number; readonly nth: number };

/** Why an element is refused, and which part of it. */
export interface ElementFault {
  readonly reason: string;
  readonly at: number;
  readonly length: number;
}

/** Reads one element of a Quartz field other than `?`. */
export function readQuartzElement(element: string, spec: FieldSpec): QuartzElement | ElementFault {
  if (element === '') return fault('has an empty list element; remove the extra comma', 0, 0);
  // Some letters outside ASCII become ASCII as capitals; they are other letters here.
  const upper = /[^ -~]/.test(element) ? element : element.toUpperCase();
  if (spec.name === 'day') {
    const special = readDaySpecial(upper, spec);
    if (special !== null) return special;
  }
  if (spec.name === 'weekday') {
    const special = readWeekdaySpecial(upper, spec);
    if (special !== null) return special;
  }
  return readValues(upper, element, spec);
}

function readDaySpecial(upper: string, spec: FieldSpec): QuartzElement | ElementFault | null {
  const fromEnd = /^L(?:-([0-9]{1,4}))?(W)?$/.exec(upper);
  if (fromEnd !== null) {
    const back = Number(fromEnd[1] ?? 0);
    if (back > 30)
      return fault(
        `counts back ${back} days from the end of the month; at most 30 are possible`,
        2,
        fromEnd[1]!.length,
      );
    return { kind: 'from-end', back, workday: fromEnd[2] !== undefined };
  }
  const workday = /^([0-9]{1,6})W$/.exec(upper);
  if (workday === null) return null;
  const day = Number(workday[1]);
  return outside(day, workday[1]!, 0, spec) ?? { kind: 'workday', day };
}

function readWeekdaySpecial(upper: string, spec: FieldSpec): QuartzElement | ElementFault | null {
  // Alone, L is the last day of the week.
  if (upper === 'L') return { kind: 'values', from: 7, to: 7, step: 1, star: false };
  const last = /^([0-9]{1,6}|[A-Z]{3})L$/.exec(upper);
  if (last !== null) {
    const weekday = readValue(last[1]!, spec);
    if (weekday === null) return badName(last[1]!, 0, spec);
    return outside(weekday, last[1]!, 0, spec) ?? { kind: 'last-weekday', weekday };
  }
  const hash = upper.indexOf('#');
  if (hash < 0) return null;
  const name = upper.slice(0, hash);
  const nth = upper.slice(hash + 1);
  const weekday = readValue(name, spec);
  if (weekday === null) return badName(name, 0, spec);
  const bad = outside(weekday, name, 0, spec);
  if (bad !== null) return bad;
  if (!/^[1-5]$/.test(nth))
    return fault(`needs a number from 1 to 5 after "#", got ${quoted(nth)}`, hash + 1, nth.length);
  return { kind: 'nth-weekday', weekday, nth: Number(nth) };
}

function readValues(upper: string, element: string, spec: FieldSpec): QuartzElement | ElementFault {
  const slash = upper.indexOf('/');
  const base = slash < 0 ? upper : upper.slice(0, slash);
  const step = slash < 0 ? 1 : readStep(upper.slice(slash + 1), slash + 1, spec);
  if (typeof step !== 'number') return step;
  if (slash >= 0 && /[A-Z]/.test(base)) {
    const reason = `must not have a step after a name (${quoted(element)}), which Quartz drops without a word; write numbers`;
    return fault(reason, slash, upper.length - slash);
  }
  if (base === '*' || (base === '' && slash === 0))
    return { kind: 'values', from: spec.min, to: spec.max, step, star: true };
  const dash = base.indexOf('-');
  const firstText = dash < 0 ? base : base.slice(0, dash);
  const from = readValue(firstText, spec);
  if (from === null) return badName(element.slice(0, firstText.length), 0, spec);
  const badFrom = outside(from, firstText, 0, spec);
  if (badFrom !== null) return badFrom;
  // A single value with a step runs to the end of the field: 5/15 is 5, 20, 35, 50.
  if (dash < 0) return { kind: 'values', from, to: slash < 0 ? from : spec.max, step, star: false };
  const lastText = base.slice(dash + 1);
  const to = readValue(lastText, spec);
  if (to === null) return badName(element.slice(dash + 1, base.length), dash + 1, spec);
  const badTo = outside(to, lastText, dash + 1, spec);
  if (badTo !== null) return badTo;
  if (to < from && spec.name === 'year')
    return fault(`has a range that runs backwards (${quoted(element)}); years do not wrap`, 0, base.length);
  return { kind: 'values', from, to, step, star: false };
}

function readStep(digits: string, at: number, spec: FieldSpec): number | ElementFault {
  const most = spec.max - spec.min + (spec.min === 0 ? 0 : 1);
  const step = /^[0-9]{1,6}$/.test(digits) ? Number(digits) : 0;
  if (step >= 1 && step <= most) return step;
  return fault(`needs a step from 1 to ${most} after "/", got ${quoted(digits)}`, at, digits.length);
}

/** The value of a number or a name, or null when it is neither. */
function readValue(text: string, spec: FieldSpec): number | null {
  if (/^[0-9]+$/.test(text)) return Number(text);
  const index = spec.names === null ? -1 : spec.names.indexOf(text);
  return index < 0 ? null : spec.min + index;
}

function outside(value: number, text: string, at: number, spec: FieldSpec): ElementFault | null {
  if (value >= spec.min && value <= spec.max) return null;
  const shown = text.length > 12 ? `${text.slice(0, 12)}…` : text;
  const hint = spec.name === 'weekday' && value === 0 ? '; in Quartz Sunday is 1' : '';
  return fault(`value ${shown} is out of range ${spec.min}-${spec.max}${hint}`, at, text.length);
}

function badName(text: string, at: number, spec: FieldSpec): ElementFault {
  if (text === '') return fault('has a range without both ends', at, 0);
  const names = spec.names === null ? '' : ` or ${spec.names[0]}-${spec.names[spec.names.length - 1]}`;
  return fault(`cannot read ${quoted(text)}; allowed are ${spec.min}-${spec.max}${names}`, at, text.length);
}

function fault(reason: string, at: number, length: number): ElementFault {
  return { reason, at, length };
}
