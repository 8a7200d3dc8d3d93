import { firstTimeOf, HALF, lastTimeOf } from '../value/bits.js';
import type { CronExpression } from '../value/cron-expression.js';
import { ALL_DAYS, dateExists, rangeHigh, rangeLow } from './bit-field.js';
import { findFields, newBounds } from './field-bounds.js';

const STAR = 42;
const COMMA = 44;
const DASH = 45;
const ZERO = 48;
const NINE = 57;

const bounds = newBounds();
/** The set that `readField` has read, in two halves; bit 0 is the field's lowest value. */
let low = 0;
let high = 0;

/**
 * The value of a strict POSIX expression, or null when the text is not in the grammar; `explainPosix` then says why. One pass
 * over the text, no regular expression, nothing allocated but the value.
 */
export function readPosix(text: string): CronExpression | null {
  if (findFields(text, bounds) !== 5) return null;
  if (!readField(text, 0, 0, 59)) return null;
  const minutesLow = low;
  const minutesHigh = high;
  if (!readField(text, 1, 0, 23)) return null;
  const hours = low;
  if (!readField(text, 2, 1, 31)) return null;
  // Day 31 is bit 30: the first bit of the upper half.
  const days = low | (high << HALF);
  const dayRestricted = text.charCodeAt(bounds[4]!) !== STAR;
  if (!readField(text, 3, 1, 12)) return null;
  const months = low;
  if (!readField(text, 4, 0, 6)) return null;
  const weekdays = low;
  const weekdayRestricted = text.charCodeAt(bounds[8]!) !== STAR;
  return Object.freeze({
    dialect: 'posix',
    text,
    secondsLow: 1,
    secondsHigh: 0,
    minutesLow,
    minutesHigh,
    hours,
    days: days & ALL_DAYS,
    months,
    weekdays,
    dayRestricted,
    weekdayRestricted,
    monthRule: null,
    years: null,
    firstTime: firstTimeOf(hours, minutesLow, minutesHigh, 1, 0),
    lastTime: lastTimeOf(hours, minutesLow, minutesHigh, 1, 0),
    plain: true,
    fires: weekdayRestricted || dateExists(days, months),
  } as const);
}

/** Reads `"*" / element *("," element)` from the field at `index` into `low` and `high`. False when it is anything else. */
function readField(text: string, index: number, min: number, max: number): boolean {
  let i = bounds[2 * index]!;
  const end = bounds[2 * index + 1]!;
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
