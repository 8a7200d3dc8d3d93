import type { EpochMs } from '@horae/clock-store';
import { matchesLocal } from '../calendar/local-search.js';
import { momentSecond, move, setMoment, setMomentMs } from '../calendar/moment.js';
import type { ExceptOptions } from '../exclusion/calendar.js';
import { calendarsOf } from '../exclusion/check-except.js';
import { excludedUntil } from '../exclusion/excluded.js';
import { checkExpression } from '../value/check-argument.js';
import { CronCalculationError } from '../value/cron-errors.js';
import type { CronExpression } from '../value/cron-expression.js';
import { type Instant, instantMs, isDate, type MillisLike } from '../value/instant.js';
import { zoneTable } from '../zone/zones.js';
import { areWholeDays, nextMinuteExcept, previousMinuteExcept } from './fast/minute-except.js';
import { nextMinute, previousMinute } from './fast/minute-seek.js';
import { moment, seekBackward, seekForward } from './seek.js';
import { firstAllowed, lastAllowed } from './seek-except.js';

/**
 * The first start strictly after an instant, in the zone's local time (the host's zone by default). A local time that does not exist is
 * skipped, one that occurs twice counts twice. Occurrences that a calendar in `except` excludes are left out. For a `Date` the result is a
 * `Date`. Throws `CronCalculationError` when there is none within 400 years.
 */
export function nextOccurrence(e: CronExpression, after: Date, zone?: string, options?: ExceptOptions): Date;
export function nextOccurrence(
  e: CronExpression,
  after: EpochMs | MillisLike,
  zone?: string,
  options?: ExceptOptions,
): EpochMs;
export function nextOccurrence(
  e: CronExpression,
  after: Instant,
  zone?: string,
  options?: ExceptOptions,
): EpochMs | Date;
export function nextOccurrence(
  e: CronExpression,
  after: Instant,
  zone?: string,
  options?: ExceptOptions,
): EpochMs | Date {
  const from = typeof after === 'number' ? after : msOf(e, after, 'after');
  const ms = options === undefined ? nextMs(e, from, zone) : nextMsExcept(e, from, zone, options);
  if (Number.isNaN(ms)) throw calculationError(e, after, 'next');
  return typeof after === 'number' ? ms : alike(after, ms);
}

/**
 * The last start strictly before an instant; otherwise like `nextOccurrence`. For an instant inside a matching minute the result is the
 * start of that minute.
 */
export function previousOccurrence(e: CronExpression, before: Date, zone?: string, options?: ExceptOptions): Date;
export function previousOccurrence(
  e: CronExpression,
  before: EpochMs | MillisLike,
  zone?: string,
  options?: ExceptOptions,
): EpochMs;
export function previousOccurrence(
  e: CronExpression,
  before: Instant,
  zone?: string,
  options?: ExceptOptions,
): EpochMs | Date;
export function previousOccurrence(
  e: CronExpression,
  before: Instant,
  zone?: string,
  options?: ExceptOptions,
): EpochMs | Date {
  const from = typeof before === 'number' ? before : msOf(e, before, 'before');
  const ms = options === undefined ? previousMs(e, from, zone) : previousMsExcept(e, from, zone, options);
  if (Number.isNaN(ms)) throw calculationError(e, before, 'previous');
  return typeof before === 'number' ? ms : alike(before, ms);
}

/** `nextOccurrence` with null instead of `CronCalculationError`. An invalid instant or zone still throws. */
export function tryNextOccurrence(e: CronExpression, after: Date, zone?: string, options?: ExceptOptions): Date | null;
export function tryNextOccurrence(
  e: CronExpression,
  after: EpochMs | MillisLike,
  zone?: string,
  options?: ExceptOptions,
): EpochMs | null;
export function tryNextOccurrence(
  e: CronExpression,
  after: Instant,
  zone?: string,
  options?: ExceptOptions,
): EpochMs | Date | null;
export function tryNextOccurrence(
  e: CronExpression,
  after: Instant,
  zone?: string,
  options?: ExceptOptions,
): EpochMs | Date | null {
  const from = typeof after === 'number' ? after : msOf(e, after, 'after');
  const ms = options === undefined ? nextMs(e, from, zone) : nextMsExcept(e, from, zone, options);
  if (Number.isNaN(ms)) return null;
  return typeof after === 'number' ? ms : alike(after, ms);
}

/** `previousOccurrence` with null instead of `CronCalculationError`. An invalid instant or zone still throws. */
export function tryPreviousOccurrence(
  e: CronExpression,
  before: Date,
  zone?: string,
  options?: ExceptOptions,
): Date | null;
export function tryPreviousOccurrence(
  e: CronExpression,
  before: EpochMs | MillisLike,
  zone?: string,
  options?: ExceptOptions,
): EpochMs | null;
export function tryPreviousOccurrence(
  e: CronExpression,
  before: Instant,
  zone?: string,
  options?: ExceptOptions,
): EpochMs | Date | null;
export function tryPreviousOccurrence(
  e: CronExpression,
  before: Instant,
  zone?: string,
  options?: ExceptOptions,
): EpochMs | Date | null {
  const from = typeof before === 'number' ? before : msOf(e, before, 'before');
  const ms = options === undefined ? previousMs(e, from, zone) : previousMsExcept(e, from, zone, options);
  if (Number.isNaN(ms)) return null;
  return typeof before === 'number' ? ms : alike(before, ms);
}

/**
 * Whether an instant lies in a minute (Quartz: a second) that the expression names and no calendar excludes, in the zone's local
 * time. Both passes of a repeated hour match. A minute is excluded when its first second is.
 */
export function matches(e: CronExpression, at: Instant, zone?: string, options?: ExceptOptions): boolean {
  checkExpression(e);
  const calendars = calendarsOf(options);
  setMomentMs(moment, instantMs(at, 'at'));
  const table = zoneTable(zone);
  const second = momentSecond(moment);
  move(moment, table.offsets[table.locate(second)]!);
  if (!matchesLocal(e, moment)) return false;
  const start = e.dialect === 'quartz' ? second : second - (moment.second % 60);
  return calendars.length === 0 || excludedUntil(calendars, start, table) === start;
}

/** Whether no calendar date satisfies the expression, as in `0 0 30 2 *`. Such an expression parses, and never fires. */
export function neverFires(e: CronExpression): boolean {
  checkExpression(e);
  return !e.fires;
}

/** The milliseconds of an instant that is not a number. The expression is checked first, as with numbers. */
function msOf(e: CronExpression, instant: Date | MillisLike, name: string): number {
  checkExpression(e);
  return instantMs(instant, name);
}

/** The result for an instant that is not a number: a `Date` for a `Date`. */
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
    if (minute >= 14_400 && minute < 157_154_400 && e.plain === true) {
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
    if (minute > 14_400 && minute <= 157_154_400 && e.plain === true) {
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

function nextMsExcept(e: CronExpression, after: number, zone: string | undefined, options: ExceptOptions): number {
  const calendars = calendarsOf(options);
  if (calendars.length === 0) return nextMs(e, after, zone);
  if (e?.fires === true && e.plain === true && areWholeDays(calendars)) {
    const minute = (after + 2_208_988_800_000) / 60_000;
    if (minute >= 14_400 && minute < 157_154_400) {
      const found = nextMinuteExcept(e, (minute | 0) + 1, zoneTable(zone), calendars);
      if (found >= 0) return found * 60_000 - 2_208_988_800_000;
    }
  }
  checkExpression(e);
  const second = Math.floor(instantMs(after, 'after') / 1000) + 1;
  return firstAllowed(e, second, zoneTable(zone), calendars) * 1000;
}

function previousMsExcept(e: CronExpression, before: number, zone: string | undefined, options: ExceptOptions): number {
  const calendars = calendarsOf(options);
  if (calendars.length === 0) return previousMs(e, before, zone);
  if (e?.fires === true && e.plain === true && areWholeDays(calendars)) {
    const minute = Math.ceil((before + 2_208_988_800_000) / 60_000);
    if (minute > 14_400 && minute <= 157_154_400) {
      const found = previousMinuteExcept(e, (minute | 0) - 1, zoneTable(zone), calendars);
      if (found >= 0) return found * 60_000 - 2_208_988_800_000;
    }
  }
  checkExpression(e);
  const second = Math.ceil(instantMs(before, 'before') / 1000) - 1;
  return lastAllowed(e, second, zoneTable(zone), calendars) * 1000;
}

/** One cause for all: it does not depend on the call, and building an error with its stack is most of the cost of a refusal. */
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
