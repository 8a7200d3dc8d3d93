import { firstTimeOf, HALF, lastTimeOf } from '../value/bits.js';
import type { CronExpression, MonthRule } from '../value/cron-expression.js';
import { ALL_DAYS, ALL_WEEKDAYS, dateExists, rangeHigh, rangeLow } from './bit-field.js';
import { findFields, newBounds } from './field-bounds.js';
import { MONTH_NAMES, WEEKDAY_NAMES } from './fields.js';
import { MACROS } from './macros.js';
import { high as numbersHigh, low as numbersLow, readNumbers } from './number-list.js';

const STAR = 42;
const COMMA = 44;
const DASH = 45;
const SLASH = 47;
const ZERO = 48;
const NINE = 57;
const AT = 64;

const DAY_AND_WEEKDAY: MonthRule = Object.freeze({ kind: 'day-and-weekday' });

/** The bit that makes a capital letter of ASCII a small one. */
const LOWER = 32;
/** The names of a field as numbers that are compared without cutting the text. */
type Names = readonly number[];
const MONTHS: Names = MONTH_NAMES.map((name) => nameCode(name, 0));
const WEEKDAYS: Names = WEEKDAY_NAMES.map((name) => nameCode(name, 0));

/** Every n-th member of a set of 60 from the first on, in two halves: nearly all steps. */
const STEPS = 61;
const STEPS_LOW = new Int32Array(STEPS);
const STEPS_HIGH = new Int32Array(STEPS);
for (let step = 1; step < STEPS; step++) {
  for (let value = 0; value < STEPS - 1; value += step) {
    if (value < HALF) STEPS_LOW[step]! |= 1 << value;
    else STEPS_HIGH[step]! |= 1 << (value - HALF);
  }
}

const bounds = newBounds();
/** The set that `readField` has read, in two halves; bit 0 is the field's lowest value. */
let low = 0;
let high = 0;
/** Where the reading of an element has come to. */
let place = 0;

/**
 * The value of a crontab expression, or null when the text is not in the grammar; `explainVixie` then returns the reason. One pass over the
 * text, no regular expression, nothing allocated but the value.
 */
export function readVixie(text: string): CronExpression | null {
  const count = findFields(text, bounds);
  if (count === 1 && text.charCodeAt(bounds[0]!) === AT) {
    const meaning = MACROS.get(text.slice(bounds[0]!, bounds[1]!));
    if (meaning === undefined) return null;
    findFields(meaning, bounds);
    return readFields(meaning, text);
  }
  return count === 5 ? readFields(text, text) : null;
}

/** Reads the five fields of `source`, whose places are in `bounds`; `text` is what the value shows. */
function readFields(source: string, text: string): CronExpression | null {
  if (!readField(source, 0, 0, 59, null)) return null;
  const minutesLow = low;
  const minutesHigh = high;
  if (!readField(source, 1, 0, 23, null)) return null;
  const hours = low;
  if (!readField(source, 2, 1, 31, null)) return null;
  const days = (low | (high << HALF)) & ALL_DAYS;
  if (!readField(source, 3, 1, 12, MONTHS)) return null;
  const months = low;
  if (!readField(source, 4, 0, 7, WEEKDAYS)) return null;
  // 7 is Sunday too.
  const weekdays = (low | (low >>> 7)) & ALL_WEEKDAYS;
  // The first character of the two fields decides: without a "*" either is enough, otherwise both must match.
  const either = source.charCodeAt(bounds[4]!) !== STAR && source.charCodeAt(bounds[8]!) !== STAR;
  const dayRestricted = either || days !== ALL_DAYS;
  const weekdayRestricted = either || weekdays !== ALL_WEEKDAYS;
  const both = !either && dayRestricted && weekdayRestricted;
  return Object.freeze({
    dialect: 'vixie',
    text,
    secondsLow: 1,
    secondsHigh: 0,
    minutesLow,
    minutesHigh,
    hours,
    days,
    months,
    weekdays,
    dayRestricted,
    weekdayRestricted,
    monthRule: both ? DAY_AND_WEEKDAY : null,
    years: null,
    firstTime: firstTimeOf(hours, minutesLow, minutesHigh, 1, 0),
    lastTime: lastTimeOf(hours, minutesLow, minutesHigh, 1, 0),
    plain: !both,
    // Every month begins on every weekday sooner or later, 29 February included, so a date that exists meets its weekday.
    fires: either || (weekdayRestricted && !both) || dateExists(days, months),
  } as const);
}

/** Reads a list of elements from the field at `index` into `low` and `high`. False when it is anything else. */
function readField(text: string, index: number, min: number, max: number, names: Names | null): boolean {
  place = bounds[2 * index]!;
  const end = bounds[2 * index + 1]!;
  // Most fields are those of POSIX.
  if (readNumbers(text, place, end, min, max)) {
    low = numbersLow;
    high = numbersHigh;
    return true;
  }
  low = 0;
  high = 0;
  for (;;) {
    if (!readElement(text, end, min, max, names)) return false;
    if (place === end) return true;
    if (text.charCodeAt(place) !== COMMA) return false;
    place++;
  }
}

/** Reads `*`, a value or a range, each with an optional step, and leaves `place` after it. */
function readElement(text: string, end: number, min: number, max: number, names: Names | null): boolean {
  let from = min;
  let to = max;
  let open = true;
  if (place < end && text.charCodeAt(place) === STAR) {
    place++;
  } else {
    from = readValue(text, end, max, names, min);
    to = from;
    if (place < end && text.charCodeAt(place) === DASH) {
      place++;
      const start = place;
      to = readValue(text, end, max, names, min);
      // At the end of a range Sunday comes after Saturday.
      if (to === 0 && max === 7 && text.charCodeAt(start) > NINE) to = 7;
      open = false;
    }
    if (from < min || to < from || to > max) return false;
  }
  if (place === end || text.charCodeAt(place) !== SLASH) {
    low |= rangeLow(from - min, to - min);
    high |= rangeHigh(from - min, to - min);
    return true;
  }
  place++;
  const step = readDigits(text, end, max);
  if (step < 1) return false;
  // A single value with a step runs to the end of the field.
  const last = open ? max : to;
  if (from === min) {
    const known = step < STEPS ? step : STEPS - 1;
    low |= STEPS_LOW[known]! & rangeLow(0, last - min);
    high |= STEPS_HIGH[known]! & rangeHigh(0, last - min);
    return true;
  }
  for (let value = from - min; value <= last - min; value += step) {
    if (value < HALF) low |= 1 << value;
    else high |= 1 << (value - HALF);
  }
  return true;
}

/** A number or a three-letter name at `place`, or -1. */
function readValue(text: string, end: number, max: number, names: Names | null, min: number): number {
  const code = place < end ? text.charCodeAt(place) : 0;
  if (code <= NINE || names === null) return readDigits(text, end, max);
  if (end - place < 3) return -1;
  const index = names.indexOf(nameCode(text, place));
  if (index < 0) return -1;
  place += 3;
  return min + index;
}

/** Three letters in any case as one number; -1 when one is not of ASCII, since none of those stands for a letter of a name. */
function nameCode(text: string, at: number): number {
  const a = text.charCodeAt(at);
  const b = text.charCodeAt(at + 1);
  const c = text.charCodeAt(at + 2);
  return (a | b | c) > 127 ? -1 : ((a | LOWER) << 16) | ((b | LOWER) << 8) | (c | LOWER);
}

/** Decimal digits at `place`, or -1 when there are none. A number beyond `max` stops growing, so that it cannot overflow. */
function readDigits(text: string, end: number, max: number): number {
  let value = -1;
  for (; place < end; place++) {
    const code = text.charCodeAt(place);
    if (code < ZERO || code > NINE) break;
    if (value <= max) value = value < 0 ? code - ZERO : value * 10 + code - ZERO;
  }
  return value;
}
