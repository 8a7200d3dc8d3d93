import {
  type Explainer,
  explainCharacters,
  explainQuartzToken,
  explainRange,
  explainSign,
  explainSpelling,
  explainText,
  type Found,
} from './explain-text.js';
import { type Fault, quoted } from './fault.js';
import { type FieldSpec, POSIX_FIELDS } from './fields.js';

const POSIX: Explainer = {
  fields: POSIX_FIELDS,
  macro: (name) => `must not be a macro (${quoted(name)})`,
  element: explainElement,
};

/** Why a text that `readPosix` refused is not in the grammar: the first failure in the order of `explainText`. */
export function explainPosix(text: string): Fault {
  return explainText(text, POSIX);
}

function explainElement(element: string, spec: FieldSpec, isList: boolean): Found | null {
  const strange = explainCharacters(element, allowed(spec));
  if (strange !== null) return strange;
  if (element.includes('/')) return [`must not use step syntax (${quoted(element)}); list the values instead`];
  if (element === '*')
    return [isList ? 'must not mix "*" with other values; "*" stands alone' : 'is not in the grammar'];
  const star = element.indexOf('*');
  if (star >= 0) return [`must not combine "*" with anything (${quoted(element)}); "*" stands alone`, star, 1];
  return explainLetters(element, spec) ?? explainNumbers(element, spec);
}

function explainLetters(element: string, spec: FieldSpec): Found | null {
  const letter = element.search(/[A-Za-z]/);
  if (letter >= 0 && !/[?#]/.test(element) && /^[0-9]/.test(element)) {
    const spelling = explainSpelling(element);
    if (spelling !== null && !/[._@]/.test(element)) return spelling;
  }
  const token = explainQuartzToken(element);
  if (token !== null || letter < 0) return token;
  const end = letter + element.slice(letter).search(/[^A-Za-z]|$/);
  return [
    `must not use named values (${quoted(element.slice(letter, end))}); write ${allowed(spec)}`,
    letter,
    end - letter,
  ];
}

function explainNumbers(element: string, spec: FieldSpec): Found | null {
  const spelled = explainSign(element) ?? explainSpelling(element);
  if (spelled !== null) return spelled;
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
  if (spec.name === 'weekday' && Number(digits) === 7) {
    return ['must not use weekday value 7; Sunday is 0', at, digits.length];
  }
  return explainRange(digits, at, spec);
}

function allowed(spec: FieldSpec): string {
  const sunday = spec.name === 'weekday' ? ' (0 = Sunday)' : '';
  return `the numbers ${spec.min}-${spec.max}${sunday}, "," and "-", or "*"`;
}
