import { rangeHigh, rangeLow } from './bit-field.js';

const STAR = 42;
const COMMA = 44;
const DASH = 45;
const ZERO = 48;
const NINE = 57;

/** The set that `readNumbers` has read, in two halves; bit 0 is the field's lowest value. */
export let low = 0;
export let high = 0;

/**
 * Reads `"*" / element *("," element)` of numbers and ranges, the fields of POSIX, into `low` and `high`. False when it is anything else.
 * The set is left in variables rather than returned, so that parsing allocates nothing but the value.
 */
export function readNumbers(text: string, start: number, end: number, min: number, max: number): boolean {
  let i = start;
  low = 0;
  high = 0;
  if (end - i === 1 && text.charCodeAt(i) === STAR) {
    addRange(0, max - min);
    return true;
  }
  // `from` is the start of a range whose "-" has been read, `value` the number being read; -1 means none.
  let from = -1;
  let value = -1;
  for (; ; i++) {
    const code = i < end ? text.charCodeAt(i) : COMMA;
    if (code >= ZERO && code <= NINE) {
      // A number beyond the maximum stops growing: it is refused whatever follows, and must not overflow.
      if (value <= max) value = value < 0 ? code - ZERO : value * 10 + code - ZERO;
    } else if (code === DASH && from < 0 && value >= min && value <= max) {
      from = value;
      value = -1;
    } else if (code === COMMA && value >= min && value >= from && value <= max) {
      addRange((from < 0 ? value : from) - min, value - min);
      if (i === end) return true;
      from = -1;
      value = -1;
    } else {
      return false;
    }
  }
}

function addRange(from: number, to: number): void {
  low |= rangeLow(from, to);
  high |= rangeHigh(from, to);
}
