import { isForeignSpace } from './fault.js';
import type { FieldSpec } from './fields.js';
import { runs } from './format-cron.js';

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
 * What the writer of a field that POSIX refuses probably meant, as a POSIX field; null when there is no safe guess. It knows the
 * common extensions: steps, names, `?`, weekday 7, wrap-around ranges, `*` in lists, stray commas, other spellings of numbers.
 */
export function repairField(field: string, spec: FieldSpec): string | null {
  if (field === '?') return '*';
  const wanted = new Set<number>();
  for (const element of field.toLowerCase().split(',')) {
    if (element === '') continue;
    if (element === '*' || element === '*/1') return '*';
    if (!addElement(element, spec, wanted)) return null;
  }
  if (wanted.size === 0) return null;
  // A full day or weekday stays a range: there "*" would change how the two combine.
  const full = wanted.size === spec.max - spec.min + 1 && spec.name !== 'day' && spec.name !== 'weekday';
  return full ? '*' : runs([...wanted].sort((a, b) => a - b));
}

function addElement(element: string, spec: FieldSpec, wanted: Set<number>): boolean {
  const [base, stepText, ...more] = element.split('/') as [string, string?, ...string[]];
  if (more.length > 0) return false;
  const step = stepText === undefined ? 1 : readNumber(stepText);
  if (step === null || step < 1) return false;
  const ends = readEnds(base, stepText !== undefined, spec);
  if (ends === null) return false;
  const size = spec.max - spec.min + 1;
  const [from, to] = ends;
  const last = to < from ? to + size : to;
  for (let value = from; value <= last; value += step) wanted.add(((value - spec.min) % size) + spec.min);
  return true;
}

function readEnds(base: string, hasStep: boolean, spec: FieldSpec): readonly [number, number] | null {
  if (base === '*' || base === '') return [spec.min, spec.max];
  const [firstText, lastText, ...more] = base.split('-') as [string, string?, ...string[]];
  if (more.length > 0) return null;
  const from = readValue(firstText, spec);
  if (from === null) return null;
  if (lastText === undefined) return [from, hasStep ? spec.max : from];
  // At the end of a range, Sunday as 7 and midnight as 24 lie after the rest of it; anywhere else they are 0.
  const beyond = readNumber(lastText) === spec.max + 1 && (spec.name === 'weekday' || spec.name === 'hour');
  const to = beyond ? spec.max + 1 : readValue(lastText, spec);
  return to === null ? null : [from, to];
}

function readValue(text: string, spec: FieldSpec): number | null {
  const number = readNumber(text);
  const value = number ?? readName(text, spec);
  if (value === null) return null;
  if (spec.name === 'weekday' && value === 7) return 0;
  // 24:00 is the midnight that ends the day; the cron for it is 0.
  if (spec.name === 'hour' && value === 24) return 0;
  return value >= spec.min && value <= spec.max ? value : null;
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
