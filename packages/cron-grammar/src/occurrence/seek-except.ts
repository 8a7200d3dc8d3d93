import { CYCLE_DAYS, DAY_SECONDS } from '../calendar/civil-day.js';
import type { Calendar } from '../exclusion/calendar.js';
import { excludedSince, excludedUntil } from '../exclusion/excluded.js';
import type { CronExpression } from '../value/cron-expression.js';
import type { ZoneTable } from '../zone/zone-table.js';
import { dayPattern } from './day-pattern.js';
import { firstAtOrAfter, lastAtOrBefore } from './seek.js';

/** Steps after which a search assumes that much is excluded and begins to remember which days it has seen. */
const QUICK_STEPS = 64;

/**
 * Steps after which a search gives up: far more than 400 years of days. Only events that differ from day to day and crons with
 * seconds that leave nothing beside them come near it.
 */
const MAX_STEPS = 2_000_000;

/** The calendar, weekdays included, repeats after 400 years; nothing is sought beyond. */
const CYCLE_SECONDS = CYCLE_DAYS * DAY_SECONDS;

/**
 * Within 40 years a year has begun on every weekday, with and without a 29 February, so a search that has come so far beyond every
 * date that is named by its year has seen each kind of day in each kind of year.
 */
const ALL_YEARS_SECONDS = 41 * 366 * DAY_SECONDS;

/** The first and the last second of the years that a Quartz year field can name. */
const YEARS_START = 0;
const YEARS_END = 4_102_444_800;

/** How far a search must go in a direction to know that nothing is left. */
function horizonOf(e: CronExpression, second: number, calendars: readonly Calendar[], direction: 1 | -1): number {
  let far = second;
  const reach = (at: number): void => {
    far = direction === 1 ? Math.max(far, at) : Math.min(far, at);
  };
  const years = direction === 1 ? YEARS_END : YEARS_START;
  if (e.years !== null || e.monthRule?.kind === 'both') reach(years);
  for (const { days, local, fixed, cron } of calendars) {
    if (days.length > 0) reach(days[direction === 1 ? days.length - 1 : 0]! * DAY_SECONDS);
    if (local.length > 0) reach(local[direction === 1 ? local.length - 1 : 0]!);
    if (fixed.length > 0) reach(fixed[direction === 1 ? fixed.length - 1 : 0]!);
    if (cron !== null && cron.years !== null) reach(years);
  }
  return second + direction * Math.min(CYCLE_SECONDS, Math.abs(far - second) + ALL_YEARS_SECONDS);
}

/** The first occurrence at or after a second since 1970 that no calendar excludes, or `NaN`. */
export function firstAllowed(
  e: CronExpression,
  second: number,
  zone: ZoneTable,
  calendars: readonly Calendar[],
): number {
  const from = second;
  for (let step = 0; step < QUICK_STEPS; step++) {
    const found = firstAtOrAfter(e, second, zone);
    if (!(found <= from + CYCLE_SECONDS)) return Number.NaN;
    second = excludedUntil(calendars, found, zone);
    if (second === found) return found;
  }
  return searchDays(e, second, zone, calendars, 1);
}

/** The last occurrence at or before a second since 1970 that no calendar excludes, or `NaN`. */
export function lastAllowed(
  e: CronExpression,
  second: number,
  zone: ZoneTable,
  calendars: readonly Calendar[],
): number {
  const from = second;
  for (let step = 0; step < QUICK_STEPS; step++) {
    const found = lastAtOrBefore(e, second, zone);
    if (!(found >= from - CYCLE_SECONDS)) return Number.NaN;
    second = excludedSince(calendars, found, zone);
    if (second === found) return found;
  }
  return searchDays(e, second, zone, calendars, -1);
}

/**
 * The search when much is excluded. It goes from one day of UTC to the next and remembers which patterns of a day leave nothing, so that a
 * day like one seen before costs one lookup, and "nothing left at all" is certain after one lookup per day of the cycle.
 */
function searchDays(
  e: CronExpression,
  from: number,
  zone: ZoneTable,
  calendars: readonly Calendar[],
  direction: 1 | -1,
): number {
  const forward = direction === 1;
  const horizon = horizonOf(e, from, calendars, direction);
  const empty = new Set<string>();
  let second = from;
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const found = forward ? firstAtOrAfter(e, second, zone) : lastAtOrBefore(e, second, zone);
    if (Number.isNaN(found) || (forward ? found > horizon : found < horizon)) return Number.NaN;
    const day = Math.floor(found / DAY_SECONDS);
    const whole = forward ? day * DAY_SECONDS >= second : (day + 1) * DAY_SECONDS <= second + 1;
    const pattern = dayPattern(e, day, zone, calendars);
    const end = forward ? (day + 1) * DAY_SECONDS : day * DAY_SECONDS - 1;
    if (empty.has(pattern)) {
      second = end;
      continue;
    }
    let at = found;
    while (forward ? at < end : at > end) {
      steps++;
      const next = forward ? excludedUntil(calendars, at, zone) : excludedSince(calendars, at, zone);
      if (next === at) return at;
      at = forward ? firstAtOrAfter(e, next, zone) : lastAtOrBefore(e, next, zone);
      if (Number.isNaN(at)) return Number.NaN;
    }
    if (whole) empty.add(pattern);
    second = end;
  }
  return Number.NaN;
}
