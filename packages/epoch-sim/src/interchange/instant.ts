const MINUTE_MS = 60_000;
const SHAPE = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|z|[+-]\d\d:?\d\d)?$/;

/**
 * The minute (counted from 1970 in UTC) of an ISO 8601 date with a time, or null for any other text. Without an offset the text is UTC;
 * seconds round up to the next minute. A date alone and a blank instead of the `T` are refused. The host's zone and locale have no
 * influence.
 */
export function minuteOf(text: unknown): number | null {
  const ms = instantMs(text);
  return ms === null ? null : Math.ceil(ms / MINUTE_MS);
}

/** The same instant in milliseconds, fractions of one rounded up. */
export function instantMs(text: unknown): number | null {
  if (typeof text !== 'string' || text.length > 40) return null;
  const parts = SHAPE.exec(text);
  if (parts === null) return null;
  const [, year, month, day, hour, minute, second = '0', fraction = '0', offset = 'Z'] = parts;
  const at = civilMs(Number(year), Number(month), Number(day));
  if (at === null || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const shift = offsetMinutes(offset);
  if (shift === null) return null;
  const fractionMs = Math.ceil(Number(`0.${fraction}`) * 1000);
  return at + ((Number(hour) * 60 + Number(minute) - shift) * 60 + Number(second)) * 1000 + fractionMs;
}

function civilMs(year: number, month: number, day: number): number | null {
  if (month < 1 || month > 12 || day < 1) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : null;
}

function offsetMinutes(offset: string): number | null {
  if (offset.length === 1) return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(-2));
  if (hours > 23 || minutes > 59) return null;
  return (offset[0] === '-' ? -1 : 1) * (hours * 60 + minutes);
}

/** Numbers beyond this many minutes are not moments. */
const MAX_OFFSET = 1e10;

/** The minute of a moment that may also be a whole number of minutes from `origin`; null when it is not a moment. */
export function minuteFrom(origin: number, moment: unknown): number | null {
  if (typeof moment !== 'number') return minuteOf(moment);
  return Number.isInteger(moment) && Math.abs(moment) <= MAX_OFFSET ? origin + moment : null;
}

/**
 * A reader of moments, whose numbers count from `origin`. It remembers the last day it has seen, because the actions of one epoch
 * share it.
 */
export function createMinuteReader(origin: number): (moment: unknown) => number | null {
  let day = '';
  let dayMinute = 0;
  return (text) => {
    if (typeof text === 'number') return minuteFrom(origin, text);
    if (typeof text === 'string' && day !== '' && text.startsWith(day)) {
      const minute = isPlain(text) ? plainMinute(text) : -1;
      if (minute >= 0) return dayMinute + minute;
    }
    const minute = minuteOf(text);
    if (minute !== null) {
      day = (text as string).slice(0, 10);
      const midnight = minuteOf(`${day}T00:00`);
      dayMinute = midnight ?? 0;
    }
    return minute;
  };
}

/** `....-..-..T..:..:..`, perhaps with `Z` or `.000Z`: the forms that programs write. */
function isPlain(text: string): boolean {
  if (text.length === 19) return true;
  return (text.length === 20 && text.charCodeAt(19) === 90) || (text.length === 24 && text.endsWith('.000Z'));
}

/** Minute of the day of `....-..-..Thh:mm:ss`, seconds rounded up; -1 when the text is anything else. */
function plainMinute(text: string): number {
  if (text.charCodeAt(10) !== 84 || text.charCodeAt(13) !== 58 || text.charCodeAt(16) !== 58) return -1;
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) return -1;
  return hour * 60 + minute + (second > 0 ? 1 : 0);
}

function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1;
}

/** The ISO text of a minute counted from 1970. */
export function isoOfMinute(minute: number): string {
  return new Date(minute * MINUTE_MS).toISOString();
}
