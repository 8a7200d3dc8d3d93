import { type Fault, isForeignSpace, namedCharacter, quoted } from './fault.js';
import { findFields, isBlank, newBounds } from './field-bounds.js';
import { type FieldSpec, POSIX_FIELDS } from './fields.js';

const bounds = newBounds();

/**
 * Why a text that `readPosix` refused is not in the grammar: the first failure in the order empty, macro, number of fields, fields
 * from left to right, elements from left to right.
 */
export function explainPosix(text: string): Fault {
  const count = findFields(text, bounds);
  if (count === 0) return whole('is empty; write five fields: minute hour day month weekday', 0, text.length);
  if (text.charCodeAt(bounds[0]!) === 64) {
    return whole(`must not be a macro (${quoted(text.slice(bounds[0]!, bounds[1]!))})`, bounds[0]!, bounds[1]!);
  }
  if (count !== 5) return wrongCount(text, count);
  for (let index = 0; index < 5; index++) {
    const fault = explainField(text, bounds[2 * index]!, bounds[2 * index + 1]!, POSIX_FIELDS[index]!);
    if (fault !== null) return fault;
  }
  return whole('is not in the grammar', 0, text.length);
}

function whole(reason: string, start: number, end: number): Fault {
  return { field: 'expression', reason, start, end };
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

function explainField(text: string, start: number, end: number, spec: FieldSpec): Fault | null {
  if (end - start === 1 && text.charCodeAt(start) === 42) return null;
  const single = text.indexOf(',', start);
  const isList = single >= 0 && single < end;
  for (let from = start; from <= end; ) {
    const comma = text.indexOf(',', from);
    const to = comma < 0 || comma > end ? end : comma;
    const found = explainElement(text.slice(from, to), spec, isList);
    if (found !== null) {
      const [reason, at = 0, length = to - from - at] = found;
      return { field: spec.name, reason, start: from + at, end: from + at + length, fieldStart: start, fieldEnd: end };
    }
    from = to + 1;
  }
  return null;
}

/** Reason, offset inside the element, length; the last two default to the whole element. */
type Found = readonly [reason: string, at?: number, length?: number];

function explainElement(element: string, spec: FieldSpec, isList: boolean): Found | null {
  if (element === '') return ['has an empty list element; remove the extra comma', 0, 0];
  const strange = strangeCharacter(element);
  if (strange >= 0) return strangeFound(element, strange, spec);
  if (element.includes('/')) return [`must not use step syntax (${quoted(element)}); list the values instead`];
  if (element === '*')
    return [isList ? 'must not mix "*" with other values; "*" stands alone' : 'is not in the grammar'];
  const star = element.indexOf('*');
  if (star >= 0) return [`must not combine "*" with anything (${quoted(element)}); "*" stands alone`, star, 1];
  return explainLetters(element, spec) ?? explainNumbers(element, spec);
}

/** The first character that no cron dialect knows, or -1. */
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

function strangeFound(element: string, at: number, spec: FieldSpec): Found {
  const length = element.codePointAt(at)! > 0xffff ? 2 : 1;
  const separator = isForeignSpace(element.charCodeAt(at)) ? '; only space and tab separate fields' : '';
  return [
    `must not contain ${namedCharacter(element, at)}${separator || `; allowed are ${allowed(spec)}`}`,
    at,
    length,
  ];
}

function explainLetters(element: string, spec: FieldSpec): Found | null {
  const mark = element.search(/[?#]/);
  if (mark >= 0) return [`must not use the Quartz token "${element[mark]}"`, mark, 1];
  const letter = element.search(/[A-Za-z]/);
  if (letter < 0) return null;
  if (/^[0-9]+[eE][0-9]+$/.test(element) || /^0[xXbBoO][0-9a-fA-F]+$/.test(element)) return notDecimal(element);
  const token = /^(?:[0-9]*[LW]|LW|L-[0-9]+W?|[A-Z]{3}L)$/i.exec(element);
  if (token !== null)
    return [`must not use the Quartz token "${/[LW]$/i.test(element) ? element.slice(-1) : 'L'}" (${quoted(element)})`];
  const end = letter + element.slice(letter).search(/[^A-Za-z]|$/);
  return [
    `must not use named values (${quoted(element.slice(letter, end))}); write ${allowed(spec)}`,
    letter,
    end - letter,
  ];
}

function explainNumbers(element: string, spec: FieldSpec): Found | null {
  const sign = /^[+-]/.test(element) ? 0 : element.search(/-[+-]|\+/);
  if (sign >= 0) {
    const at = sign > 0 && element[sign] === '-' ? sign + 1 : sign;
    return [`must not have a sign (${quoted(element)}); write plain decimal digits`, at, 1];
  }
  const dot = element.search(/[._@]/);
  if (dot >= 0) return notDecimal(element);
  const parts = element.split('-');
  if (parts.length > 2) return [`must not chain ranges (${quoted(element)}); a range is two numbers and one "-"`];
  const [first, last] = parts as [string, string?];
  if (last === '') return [`has an open range (${quoted(element)}); write the last value`, element.length, 0];
  const outside =
    explainValue(first, 0, spec) ?? (last === undefined ? null : explainValue(last, first.length + 1, spec));
  if (outside !== null) return outside;
  if (last !== undefined && Number(first) > Number(last)) {
    return [`must not use a wrap-around range (${quoted(element)}); a range goes from low to high`];
  }
  return null;
}

function explainValue(digits: string, at: number, spec: FieldSpec): Found | null {
  const value = Number(digits);
  if (value >= spec.min && value <= spec.max) return null;
  if (spec.name === 'weekday' && value === 7) {
    return ['must not use weekday value 7; Sunday is 0', at, digits.length];
  }
  const shown = digits.length > 12 ? `${digits.slice(0, 12)}…` : digits;
  return [`value ${shown} is out of range ${spec.min}-${spec.max}`, at, digits.length];
}

function notDecimal(element: string): Found {
  return [`must be plain decimal digits, got ${quoted(element)}`];
}

function allowed(spec: FieldSpec): string {
  const sunday = spec.name === 'weekday' ? ' (0 = Sunday)' : '';
  return `the numbers ${spec.min}-${spec.max}${sunday}, "," and "-", or "*"`;
}
