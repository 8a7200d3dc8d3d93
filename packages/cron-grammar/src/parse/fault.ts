import type { CronFieldName } from '../value/cron-fault.js';

/** Where and why a text leaves the grammar; places are offsets into the text, `end` exclusive. */
export interface Fault {
  readonly field: CronFieldName;
  readonly reason: string;
  readonly start: number;
  readonly end: number;
  /** The bounds of the whole field, for faults inside one. */
  readonly fieldStart?: number;
  readonly fieldEnd?: number;
}

/** A piece of the text between quotes, shortened when long. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}

/** A character as people can look it up: itself where it prints, and its code point. */
export function namedCharacter(text: string, at: number): string {
  const point = text.codePointAt(at)!;
  const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
  const name = CHARACTER_NAMES.get(point);
  if (name !== undefined) return `${name} (${code})`;
  return point > 32 && point < 127 ? `"${String.fromCodePoint(point)}"` : `the character ${code}`;
}

const CHARACTER_NAMES = new Map([
  [0x00, 'a NUL character'],
  [0x0a, 'a line feed'],
  [0x0b, 'a vertical tab'],
  [0x0c, 'a form feed'],
  [0x0d, 'a carriage return'],
  [0xa0, 'a no-break space'],
  [0x2013, 'an en dash'],
  [0x2014, 'an em dash'],
  [0x2212, 'a minus sign'],
  [0x200b, 'a zero-width space'],
  [0x202f, 'a narrow no-break space'],
  [0x3000, 'an ideographic space'],
  [0xfeff, 'a byte order mark'],
]);

/** Whether a character looks like white space or nothing at all, yet separates no fields. */
export function isForeignSpace(code: number): boolean {
  return (
    (code >= 0x0a && code <= 0x0d) ||
    code === 0x85 ||
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200b) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000 ||
    code === 0xfeff
  );
}
