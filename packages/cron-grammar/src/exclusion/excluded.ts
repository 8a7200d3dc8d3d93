import { DAY_SECONDS, monthAndDay, yearOfMonth } from '../calendar/civil-day.js';
import { matchesLocal, minuteMatchesLocal } from '../calendar/local-search.js';
import { ALL_HALF, nextBit60, previousBit60 } from '../value/bits.js';
import type { ZoneTable } from '../zone/zone-table.js';
import { type Calendar, hasDay, hasWeekday, stretchAt } from './calendar.js';
import { matchEnd, matchStart } from './cron-run.js';

/** Days in a row that one step of a search may skip; more are skipped by further steps. */
const MAX_DAYS_PER_STEP = 400;

/** Whether a calendar excludes a whole local day (since 1970) by its date or weekday. */
export function dayExcluded(calendar: Calendar, day: number): boolean {
  if (calendar.weekdays !== 0 && hasWeekday(calendar.weekdays, day)) return true;
  if (calendar.days.length !== 0 && hasDay(calendar.days, day)) return true;
  if (calendar.yearly === null) return false;
  const packed = monthAndDay(day);
  const month = packed >> 5;
  return ((calendar.yearly[month - yearOfMonth(month) * 12]! >>> (packed & 31)) & 1) === 1;
}

/**
 * Where the excluded stretch around a second since 1970 ends: a second after it up to which everything is excluded by some one rule
 * of some one calendar. The second itself when no calendar excludes it.
 */
export function excludedUntil(calendars: readonly Calendar[], second: number, zone: ZoneTable): number {
  let until = second;
  for (let i = 0; i < calendars.length; i++) {
    const calendar = calendars[i]!;
    const table = calendar.zone ?? zone;
    const index = table.locate(second);
    const offset = table.offsets[index]!;
    const local = second + offset;
    const day = Math.floor(local / DAY_SECONDS);
    if (dayExcluded(calendar, day)) {
      let last = day + 1;
      while (last < day + MAX_DAYS_PER_STEP && dayExcluded(calendar, last)) last++;
      until = Math.max(until, Math.min(last * DAY_SECONDS - offset, table.ends[index]! + table.shift));
    }
    if (calendar.wholeDays) continue;
    const end = timeEnd(calendar, day, local);
    // Exclusions by the wall clock are known up to the next clock change only.
    if (end > local) until = Math.max(until, Math.min(end - offset, table.ends[index]! + table.shift));
    const fixed = stretchAt(calendar.fixed, second);
    if (fixed >= 0) until = Math.max(until, calendar.fixed[fixed + 1]!);
  }
  if (until === second || until - second >= 60) return until;
  unionOfSeconds(calendars, second, zone);
  const allowed = nextBit60(~union.low & ALL_HALF, ~union.high & ALL_HALF, second - union.minute);
  return Math.max(until, union.minute + (allowed < 0 ? 60 : allowed));
}

/** Where the excluded stretch around a second begins, minus one: the mirror of `excludedUntil`. */
export function excludedSince(calendars: readonly Calendar[], second: number, zone: ZoneTable): number {
  let since = second;
  for (let i = 0; i < calendars.length; i++) {
    const calendar = calendars[i]!;
    const table = calendar.zone ?? zone;
    const index = table.locate(second);
    const offset = table.offsets[index]!;
    const local = second + offset;
    const day = Math.floor(local / DAY_SECONDS);
    const start = table.starts[index]! + table.shift;
    if (dayExcluded(calendar, day)) {
      let first = day;
      while (first > day - MAX_DAYS_PER_STEP && dayExcluded(calendar, first - 1)) first--;
      since = Math.min(since, Math.max(first * DAY_SECONDS - offset, start) - 1);
    }
    if (calendar.wholeDays) continue;
    const begin = timeStart(calendar, day, local);
    if (begin <= local) since = Math.min(since, Math.max(begin - offset, start) - 1);
    const fixed = stretchAt(calendar.fixed, second);
    if (fixed >= 0) since = Math.min(since, calendar.fixed[fixed]! - 1);
  }
  if (since === second || second - since >= 60) return since;
  unionOfSeconds(calendars, second, zone);
  const allowed = previousBit60(~union.low & ALL_HALF, ~union.high & ALL_HALF, second - union.minute);
  return Math.min(since, union.minute + allowed);
}

/** The minute of UTC of the last call, and the seconds of it that all crons together exclude. */
const union = { minute: 0, low: 0, high: 0 };

/**
 * Joins the seconds that the crons exclude in the minute around a second, so that a search crosses a minute in one step although
 * each cron excludes some of its seconds only. A cron whose clock has no whole minutes there, or is changed within the minute, is
 * left out; what it excludes is then found second by second.
 */
function unionOfSeconds(calendars: readonly Calendar[], second: number, zone: ZoneTable): void {
  union.minute = Math.floor(second / 60) * 60;
  union.low = 0;
  union.high = 0;
  for (let i = 0; i < calendars.length; i++) {
    const { cron, zone: own } = calendars[i]!;
    if (cron === null) continue;
    const table = own ?? zone;
    const index = table.locate(second);
    const offset = table.offsets[index]!;
    if (offset % 60 !== 0) continue;
    if (table.starts[index]! + table.shift > union.minute || table.ends[index]! + table.shift < union.minute + 60)
      continue;
    const local = union.minute + offset;
    const day = Math.floor(local / DAY_SECONDS);
    if (!minuteMatchesLocal(cron, { day, second: local - day * DAY_SECONDS })) continue;
    union.low |= cron.dialect === 'quartz' ? cron.secondsLow : ALL_HALF;
    union.high |= cron.dialect === 'quartz' ? cron.secondsHigh : ALL_HALF;
  }
}

/** The end of what windows, cron and floating events exclude around a local second, or the second itself. */
function timeEnd(calendar: Calendar, day: number, local: number): number {
  let end = local;
  const time = local - day * DAY_SECONDS;
  const window = stretchAt(calendar.windows, (time / 60) | 0);
  if (window >= 0) end = day * DAY_SECONDS + calendar.windows[window + 1]! * 60;
  const event = stretchAt(calendar.local, local);
  if (event >= 0) end = Math.max(end, calendar.local[event + 1]!);
  if (calendar.cron !== null && matchesLocal(calendar.cron, { day, second: time })) {
    end = Math.max(end, day * DAY_SECONDS + matchEnd(calendar.cron, time));
  }
  return end;
}

/** The start of what windows, cron and floating events exclude around a local second, or the second after it. */
function timeStart(calendar: Calendar, day: number, local: number): number {
  let start = local + 1;
  const time = local - day * DAY_SECONDS;
  const window = stretchAt(calendar.windows, (time / 60) | 0);
  if (window >= 0) start = day * DAY_SECONDS + calendar.windows[window]! * 60;
  const event = stretchAt(calendar.local, local);
  if (event >= 0) start = Math.min(start, calendar.local[event]!);
  if (calendar.cron !== null && matchesLocal(calendar.cron, { day, second: time })) {
    start = Math.min(start, day * DAY_SECONDS + matchStart(calendar.cron, time));
  }
  return start;
}
