import { firstTimeOf, HALF, lastTimeOf } from '../value/bits.js';
import type { CronExpression } from '../value/cron-expression.js';
import { ALL_DAYS, dateExists } from './bit-field.js';
import { findFields, newBounds } from './field-bounds.js';
import { high, low, readNumbers } from './number-list.js';

const STAR = 42;

const bounds = newBounds();

/**
 * The value of a strict POSIX expression, or null when the text is not in the grammar; `explainPosix` then returns the reason. One pass
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

function readField(text: string, index: number, min: number, max: number): boolean {
  return readNumbers(text, bounds[2 * index]!, bounds[2 * index + 1]!, min, max);
}
