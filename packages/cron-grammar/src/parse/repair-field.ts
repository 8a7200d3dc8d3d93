import { runs } from '../value/format-cron.js';
import { isForeignSpace } from './fault.js';
import type { FieldSpec } from './fields.js';

const FULL_NAMES: Readonly<Record<string, readonly string[]>> = {
  month: [
    'january',
    'february',
    'march',
    'april',
    'may',
    'june',
    'july',
    'august',
    'september',
    'october',
    'november',
    'december',
  ],
  weekday: ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'],
};

/**
 * The meaning of a refused field in the dialects that accept it, as a POSIX field; null when there is no safe guess. It covers the common
 * extensions: steps, names, `?`, weekday 7, wrap-around ranges, `*` in lists, stray commas, other spellings of numbers; and hour 24 if
 * `endOfDay` allows it.
 */
export function repairField(field: string, spec: FieldSpec, endOfDay: boolean): string | null {
  if (field === '?') return '*';
  const wanted = new Set<number>();
  for (const element of field.toLowerCase().split(',')) {
    if (element === '') continue;
    if (!addElement(element, spec, endOfDay, wanted)) return null;
  }
  if (wanted.size === 0) return null;
  // A full day or weekday that does not begin with "*" stays a range: there "*" would change how the two combine.
  const free = (spec.name !== 'day' && spec.name !== 'weekday') || field.startsWith('*');
  const full = wanted.size === spec.max - spec.min + 1;
  return full && free ? '*' : runs([...wanted].sort((a, b) => a - b));
}

function addElement(element: string, spec: FieldSpec, endOfDay: boolean, wanted: Set<number>): boolean {
  const [base, stepText, ...more] = element.split('/') as [string, string?, ...string[]];
  if (more.length > 0) return false;
  // A step is read as cron reads it, in digits: what libraries make of `*/1e3` or `*/0x5` differs.
  const step = stepText === undefined ? 1 : /^[0-9]+$/.test(stepText) ? readNumber(stepText) : null;
  if (step === null || step < 1) return false;
  const ends = readEnds(base, stepText !== undefined, spec, endOfDay);
  if (ends === null) return false;
  const size = spec.max - spec.min + 1;
  const [from, to] = ends;
  const last = to < from ? to + size : to;
  for (let value = from; value <= last; value += step) wanted.add(((value - spec.min) % size) + spec.min);
  return true;
}

/** The first and the last value; one beyond the field's maximum, weekday 7 or hour 24, comes round to its first value. */
function readEnds(
  base: string,
  hasStep: boolean,
  spec: FieldSpec,
  endOfDay: boolean,
): readonly [number, number] | null {
  if (base === '*' || base === '') return [spec.min, spec.max];
  const [firstText, lastText, ...more] = base.split('-') as [string, string?, ...string[]];
  if (more.length > 0) return null;
  const from = readValue(firstText, spec, endOfDay);
  if (from === null) return null;
  if (lastText === undefined) return [from, hasStep ? Math.max(from, lastOf(spec)) : from];
  const to = readValue(lastText, spec, endOfDay);
  if (to === null) return null;
  // At the end of a range a Sunday by name comes after Saturday.
  return [from, to === 0 && spec.name === 'weekday' && !/^[0-9+]/.test(lastText) ? 7 : to];
}

function readValue(text: string, spec: FieldSpec, endOfDay: boolean): number | null {
  const value = readNumber(text) ?? readName(text, spec);
  if (value === null) return null;
  if (spec.name === 'hour' && value === 24) return endOfDay ? value : null;
  return value >= spec.min && value <= lastOf(spec) ? value : null;
}

function lastOf(spec: FieldSpec): number {
  return spec.name === 'weekday' ? 7 : spec.max;
}

function readName(text: string, spec: FieldSpec): number | null {
  if (text.length < 3) return null;
  const index = (FULL_NAMES[spec.name] ?? []).findIndex((name) => name.startsWith(text));
  return index < 0 ? null : spec.min + index;
}

/** Digits, with a plus sign, in hexadecimal or in scientific notation; nothing with a fraction. */
function readNumber(text: string): number | null {
  if (text.length > 12 || !/^\+?(?:[0-9]+|0x[0-9a-f]+|[0-9]+e[0-9])$/.test(text)) return null;
  const value = Number(text.startsWith('+') ? text.slice(1) : text);
  return Number.isSafeInteger(value) ? value : null;
}

/** The text with look-alikes replaced (full-width digits, long dashes, foreign spaces) and without quotes around it. */
export function plainText(text: string): string {
  let plain = '';
  for (const character of text.normalize('NFKC')) {
    const code = character.codePointAt(0)!;
    if (code === 0x200b || code === 0xfeff) continue;
    if (code >= 0x2010 && code <= 0x2015) plain += '-';
    else plain += code === 0x2212 ? '-' : isForeignSpace(code) ? ' ' : character;
  }
  const trimmed = plain.trim();
  const quote = trimmed[0];
  const isQuoted = trimmed.length > 1 && (quote === '"' || quote === "'" || quote === '`') && trimmed.endsWith(quote);
  return isQuoted ? trimmed.slice(1, -1) : trimmed;
}
