import type { EpochMs } from '@horae/clock-store';
import { checkExpression } from './check-argument.js';
import { CYCLE_DAYS, DAY_SECONDS } from './civil-day.js';
import { CronCalculationError } from './cron-errors.js';
import type { CronExpression } from './cron-expression.js';
import { type Instant, instantMs, isDate, LAST_SECOND, type MillisLike } from './instant.js';
import { matchesLocal, searchBackward, searchForward } from './local-search.js';
import { isPlain } from './minute-search.js';
import { FIRST_MINUTE, LAST_MINUTE, nextMinute, previousMinute } from './minute-seek.js';
import { secondOfMinute, TABLE_START_SECOND } from './minute-spans.js';
import { type Moment, momentSecond, move, setMoment, setMomentMs } from './moment.js';
import type { ZoneTable } from './zone-table.js';
import { zoneTable } from './zones.js';

/** More than any two offsets of a zone can differ (32 hours). */
const OFFSET_MARGIN = 2 * DAY_SECONDS;

/** Calendar and zone rules repeat after this time, so a search that has come so far has seen everything. */
const HORIZON = CYCLE_DAYS * DAY_SECONDS + OFFSET_MARGIN;

/**
 * Moves `at` (UTC) to the first occurrence at or after it; false when there is none. It searches the local calendar with the
 * offset in force and accepts the hit if that offset is still in force then; otherwise it goes on in the next span of the zone. So
 * a local time that no span reaches is skipped, and one that two spans reach is found in both.
 */
export function seekForward(e: CronExpression, at: Moment, zone: ZoneTable): boolean {
  if (!e.fires) return false;
  let second = at.day * DAY_SECONDS + at.second;
  const horizon = second + HORIZON;
  do {
    const index = zone.locate(second);
    const offset = zone.offsets[index]!;
    const end = zone.ends[index]! + zone.shift;
    move(at, offset);
    const found = searchForward(e, at) ? at.day * DAY_SECONDS + at.second - offset : Number.POSITIVE_INFINITY;
    if (found < end) {
      move(at, -offset);
      return found <= LAST_SECOND;
    }
    zone.extend(index, 1);
    // Local times soon after a transition may lie before the place where this search began, so near the end go on step by step.
    // Farther on, nothing well before the hit can match, whatever the offset is there.
    second = end - second < OFFSET_MARGIN ? end : Math.max(end, found - OFFSET_MARGIN);
    setMoment(at, second);
  } while (second <= horizon);
  return false;
}

/** Moves `at` (UTC) to the last occurrence at or before it; the mirror of `seekForward`. */
export function seekBackward(e: CronExpression, at: Moment, zone: ZoneTable): boolean {
  if (!e.fires) return false;
  let second = at.day * DAY_SECONDS + at.second;
  const horizon = second - HORIZON;
  do {
    const index = zone.locate(second);
    const offset = zone.offsets[index]!;
    const start = zone.starts[index]! + zone.shift;
    move(at, offset);
    const found = searchBackward(e, at) ? at.day * DAY_SECONDS + at.second - offset : Number.NEGATIVE_INFINITY;
    if (found >= start) {
      move(at, -offset);
      return found >= -LAST_SECOND;
    }
    zone.extend(index, -1);
    second = second - start < OFFSET_MARGIN ? start - 1 : Math.min(start - 1, found + OFFSET_MARGIN);
    setMoment(at, second);
  } while (second >= horizon);
  return false;
}

/** The first occurrence at or after a second since 1970, or `NaN`. */
export function firstAtOrAfter(e: CronExpression, second: number, zone: ZoneTable): number {
  const minute = Math.ceil((second - TABLE_START_SECOND) / 60);
  if (e.fires && isPlain(e) && minute >= FIRST_MINUTE && minute <= LAST_MINUTE) {
    const found = nextMinute(e, minute | 0, zone);
    if (found >= 0) return secondOfMinute(found);
  }
  setMoment(moment, second);
  return seekForward(e, moment, zone) ? momentSecond(moment) : Number.NaN;
}

/** The last occurrence at or before a second since 1970, or `NaN`. */
export function lastAtOrBefore(e: CronExpression, second: number, zone: ZoneTable): number {
  const minute = Math.floor((second - TABLE_START_SECOND) / 60);
  if (e.fires && isPlain(e) && minute >= FIRST_MINUTE && minute <= LAST_MINUTE) {
    const found = previousMinute(e, minute | 0, zone);
    if (found >= 0) return secondOfMinute(found);
  }
  setMoment(moment, second);
  return seekBackward(e, moment, zone) ? momentSecond(moment) : Number.NaN;
}

/** The one moment that calls move; they are synchronous and do not nest. */
const moment: Moment = { day: 0, second: 0 };

/**
 * The first start strictly after an instant, in the zone's local time (the host's zone by default). A local time that does not
 * exist is skipped, one that occurs twice counts twice. A `Date` in gives a `Date` out. Throws `CronCalculationError` when there
 * is none within 400 years.
 */
export function nextOccurrence(e: CronExpression, after: Date, zone?: string): Date;
export function nextOccurrence(e: CronExpression, after: EpochMs | MillisLike, zone?: string): EpochMs;
export function nextOccurrence(e: CronExpression, after: Instant, zone?: string): EpochMs | Date;
export function nextOccurrence(e: CronExpression, after: Instant, zone?: string): EpochMs | Date {
  const ms = nextMs(e, typeof after === 'number' ? after : msOf(e, after, 'after'), zone);
  if (Number.isNaN(ms)) throw calculationError(e, after, 'next');
  return typeof after === 'number' ? ms : alike(after, ms);
}

/**
 * The last start strictly before an instant; otherwise like `nextOccurrence`. An instant inside a matching minute gives the start
 * of that minute.
 */
export function previousOccurrence(e: CronExpression, before: Date, zone?: string): Date;
export function previousOccurrence(e: CronExpression, before: EpochMs | MillisLike, zone?: string): EpochMs;
export function previousOccurrence(e: CronExpression, before: Instant, zone?: string): EpochMs | Date;
export function previousOccurrence(e: CronExpression, before: Instant, zone?: string): EpochMs | Date {
  const ms = previousMs(e, typeof before === 'number' ? before : msOf(e, before, 'before'), zone);
  if (Number.isNaN(ms)) throw calculationError(e, before, 'previous');
  return typeof before === 'number' ? ms : alike(before, ms);
}

/** `nextOccurrence` with null instead of `CronCalculationError`. An invalid instant or zone still throws. */
export function tryNextOccurrence(e: CronExpression, after: Date, zone?: string): Date | null;
export function tryNextOccurrence(e: CronExpression, after: EpochMs | MillisLike, zone?: string): EpochMs | null;
export function tryNextOccurrence(e: CronExpression, after: Instant, zone?: string): EpochMs | Date | null;
export function tryNextOccurrence(e: CronExpression, after: Instant, zone?: string): EpochMs | Date | null {
  const ms = nextMs(e, typeof after === 'number' ? after : msOf(e, after, 'after'), zone);
  if (Number.isNaN(ms)) return null;
  return typeof after === 'number' ? ms : alike(after, ms);
}

/** `previousOccurrence` with null instead of `CronCalculationError`. An invalid instant or zone still throws. */
export function tryPreviousOccurrence(e: CronExpression, before: Date, zone?: string): Date | null;
export function tryPreviousOccurrence(e: CronExpression, before: EpochMs | MillisLike, zone?: string): EpochMs | null;
export function tryPreviousOccurrence(e: CronExpression, before: Instant, zone?: string): EpochMs | Date | null;
export function tryPreviousOccurrence(e: CronExpression, before: Instant, zone?: string): EpochMs | Date | null {
  const ms = previousMs(e, typeof before === 'number' ? before : msOf(e, before, 'before'), zone);
  if (Number.isNaN(ms)) return null;
  return typeof before === 'number' ? ms : alike(before, ms);
}

/**
 * Whether an instant lies in a minute (Quartz: a second) that the expression names, in the zone's local time. Both passes of a
 * repeated hour match.
 */
export function matches(e: CronExpression, at: Instant, zone?: string): boolean {
  checkExpression(e);
  setMomentMs(moment, instantMs(at, 'at'));
  const table = zoneTable(zone);
  move(moment, table.offsets[table.locate(momentSecond(moment))]!);
  return matchesLocal(e, moment);
}

/** Whether no calendar date satisfies the expression, as in `0 0 30 2 *`. Such an expression parses, and never fires. */
export function neverFires(e: CronExpression): boolean {
  checkExpression(e);
  return !e.fires;
}

/** The milliseconds of an instant that is no number. The expression is looked at first, as with numbers. */
function msOf(e: CronExpression, instant: Date | MillisLike, name: string): number {
  checkExpression(e);
  return instantMs(instant, name);
}

/** The answer to an instant that is no number: a `Date` for a `Date`. */
function alike(asked: Date | MillisLike, ms: number): EpochMs | Date {
  return isDate(asked) ? new Date(ms) : ms;
}

/*
 * The two functions below are the path of nearly every call, and short enough to be merged with what they call. Their numbers are
 * literals (minutes are counted from the start of the month table, 2,208,988,800,000 ms before 1970; for the bounds see
 * `FIRST_MINUTE` and `LAST_MINUTE`) because a module's constant is loaded, and its kind checked, at each use.
 */

function nextMs(e: CronExpression, after: number, zone: string | undefined): number {
  if (e?.fires === true) {
    const minute = (after + 2_208_988_800_000) / 60_000;
    if (minute >= 14_400 && minute < 157_154_400 && (e.dialect === 'posix' || isPlain(e))) {
      const found = nextMinute(e, (minute | 0) + 1, zoneTable(zone));
      if (found >= 0) return found * 60_000 - 2_208_988_800_000;
    }
  }
  return nextMsOfAny(e, after, zone);
}

function nextMsOfAny(e: CronExpression, after: number, zone: string | undefined): number {
  checkExpression(e);
  setMomentMs(moment, instantMs(after, 'after'));
  move(moment, 1);
  return seekForward(e, moment, zoneTable(zone)) ? momentSecond(moment) * 1000 : Number.NaN;
}

function previousMs(e: CronExpression, before: number, zone: string | undefined): number {
  if (e?.fires === true) {
    const minute = Math.ceil((before + 2_208_988_800_000) / 60_000);
    if (minute > 14_400 && minute <= 157_154_400 && (e.dialect === 'posix' || isPlain(e))) {
      const found = previousMinute(e, (minute | 0) - 1, zoneTable(zone));
      if (found >= 0) return found * 60_000 - 2_208_988_800_000;
    }
  }
  return previousMsOfAny(e, before, zone);
}

function previousMsOfAny(e: CronExpression, before: number, zone: string | undefined): number {
  checkExpression(e);
  setMoment(moment, Math.ceil(instantMs(before, 'before') / 1000) - 1);
  return seekBackward(e, moment, zoneTable(zone)) ? momentSecond(moment) * 1000 : Number.NaN;
}

/** One cause for all: it says nothing about the call, and building an error with its stack is what a refusal costs. */
const causes = { next: noOccurrence('next'), previous: noOccurrence('previous') };

function noOccurrence(which: string): Error {
  return Object.freeze(new Error(`No valid ${which} execution time found for cron expression`));
}

function calculationError(e: CronExpression, at: Instant, which: 'next' | 'previous'): CronCalculationError {
  const cause = causes[which];
  return new CronCalculationError(
    `Failed to calculate ${which} occurrence: ${cause.message}`,
    { expression: e.text, currentTime: new Date(instantMs(at, 'at')).toISOString(), cause },
    { cause },
  );
}
