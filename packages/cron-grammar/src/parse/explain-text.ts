import type { CronFieldName } from '../value/cron-fault.js';
import { type Fault, isForeignSpace, namedCharacter, quoted } from './fault.js';
import { findFields, isBlank, newBounds } from './field-bounds.js';
import type { FieldSpec } from './fields.js';

const bounds = newBounds();

/** Why an element is refused: reason, offset inside the element, length; the last two default to the whole element. */
export type Found = readonly [reason: string, at?: number, length?: number];

/** How a dialect of five fields explains what it refuses. */
export interface Explainer {
  readonly fields: readonly FieldSpec[];
  /** Why a text that begins with `@` is refused. */
  macro(name: string): string;
  /** Null when the element is right. */
  element(element: string, spec: FieldSpec, isList: boolean): Found | null;
}

/**
 * The first failure of a text of five fields, in the order empty, macro, number of fields, fields from left to right, elements from
 * left to right.
 */
export function explainText(text: string, explainer: Explainer): Fault {
  const count = findFields(text, bounds);
  if (count === 0) return whole('is empty; write five fields: minute hour day month weekday', 0, text.length);
  if (text.charCodeAt(bounds[0]!) === 64) {
    return whole(explainer.macro(text.slice(bounds[0]!, bounds[1]!)), bounds[0]!, bounds[1]!);
  }
  if (count !== 5) return wrongCount(text, count);
  for (let index = 0; index < 5; index++) {
    const fault = explainField(text, bounds[2 * index]!, bounds[2 * index + 1]!, explainer.fields[index]!, explainer);
    if (fault !== null) return fault;
  }
  return whole('is not in the grammar', 0, text.length);
}

function whole(reason: string, start: number, end: number): Fault {
  const field: CronFieldName = 'expression';
  return { field, reason, start, end };
}

function wrongCount(text: string, count: number): Fault {
  const reason = `must have exactly 5 fields (minute hour day month weekday), got ${count}`;
  if (count > 5) return whole(reason, bounds[10]!, endOfText(text));
  for (let i = 0; i < text.length; i++) {
    if (!isForeignSpace(text.charCodeAt(i))) continue;
    return whole(`${reason}; ${namedCharacter(text, i)} does not separate fields, only space and tab do`, i, i + 1);
  }
  return whole(reason, text.length, text.length);
}

function endOfText(text: string): number {
  let end = text.length;
  while (end > 0 && isBlank(text.charCodeAt(end - 1))) end--;
  return end;
}

function explainField(text: string, start: number, end: number, spec: FieldSpec, explainer: Explainer): Fault | null {
  if (end - start === 1 && text.charCodeAt(start) === 42) return null;
  const single = text.indexOf(',', start);
  const isList = single >= 0 && single < end;
  for (let from = start; from <= end; ) {
    const comma = text.indexOf(',', from);
    const to = comma < 0 || comma > end ? end : comma;
    const found = explainer.element(text.slice(from, to), spec, isList);
    if (found !== null) {
      const [reason, at = 0, length = to - from - at] = found;
      return { field: spec.name, reason, start: from + at, end: from + at + length, fieldStart: start, fieldEnd: end };
    }
    from = to + 1;
  }
  return null;
}

/** The reasons that every dialect of five fields shares: nothing at all, and characters that no cron dialect has. */
export function explainCharacters(element: string, allowed: string): Found | null {
  if (element === '') return ['has an empty list element; remove the extra comma', 0, 0];
  const at = strangeCharacter(element);
  if (at < 0) return null;
  const length = element.codePointAt(at)! > 0xffff ? 2 : 1;
  const separator = isForeignSpace(element.charCodeAt(at)) ? '; only space and tab separate fields' : '';
  return [`must not contain ${namedCharacter(element, at)}${separator || `; allowed are ${allowed}`}`, at, length];
}

/** The Quartz tokens `?`, `#`, `L` and `W`, or null when there is none. */
export function explainQuartzToken(element: string): Found | null {
  const mark = element.search(/[?#]/);
  if (mark >= 0) return [`must not use the Quartz token "${element[mark]}"`, mark, 1];
  if (!/^(?:[0-9]*[LW]|LW|L-[0-9]+W?|[A-Z]{3}L)$/i.test(element)) return null;
  return [`must not use the Quartz token "${/[LW]$/i.test(element) ? element.slice(-1) : 'L'}" (${quoted(element)})`];
}

/** Numbers in other spellings than decimal digits: `5e1`, `0x5`, `1.5`, `1_0`. */
export function explainSpelling(element: string): Found | null {
  const other = /^[0-9]+[eE][0-9]+$/.test(element) || /^0[xXbBoO][0-9a-fA-F]+$/.test(element) || /[._@]/.test(element);
  return other ? [`must be plain decimal digits, got ${quoted(element)}`] : null;
}

/** A sign before a number: `-5`, `+5`, `1--5`. */
export function explainSign(element: string): Found | null {
  const sign = /^[+-]/.test(element) ? 0 : element.search(/-[+-]|\+/);
  if (sign < 0) return null;
  const at = sign > 0 && element[sign] === '-' ? sign + 1 : sign;
  return [`must not have a sign (${quoted(element)}); write plain decimal digits`, at, 1];
}

/** A number outside its field. */
export function explainRange(digits: string, at: number, spec: FieldSpec): Found | null {
  const value = Number(digits);
  if (value >= spec.min && value <= spec.max) return null;
  const shown = digits.length > 12 ? `${digits.slice(0, 12)}…` : digits;
  return [`value ${shown} is out of range ${spec.min}-${spec.max}`, at, digits.length];
}

/** The first character that no cron dialect has, or -1. */
function strangeCharacter(element: string): number {
  for (let i = 0; i < element.length; i++) {
    const code = element.charCodeAt(i);
    const known =
      (code >= 48 && code <= 57) ||
      (code >= 65 && code <= 90) ||
      (code >= 97 && code <= 122) ||
      '*,-/?#+._@'.includes(element[i]!);
    if (!known) return i;
  }
  return -1;
}
