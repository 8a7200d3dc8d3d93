import type { EpochMs } from '@horae/clock-store';
import { DAY_SECONDS, monthAndDay, monthLength, monthStart } from '../calendar/civil-day.js';
import { CronArgumentError } from '../value/cron-errors.js';
import { type Instant, instantMs, isDate, type MillisLike } from '../value/instant.js';
import type { ZoneTable } from '../zone/zone-table.js';
import { zoneTable } from '../zone/zones.js';

/** How often: exactly one unit, a whole number of at least 1. */
export type Interval =
  | { readonly months: number }
  | { readonly weeks: number }
  | { readonly days: number }
  | { readonly hours: number }
  | { readonly minutes: number };

/** An interval, an instant at which it falls due, and the zone whose local time days, weeks and months keep. */
export interface IntervalOptions {
  /** The distance between occurrences, in one unit, such as `{ days: 2 }`. */
  every: Interval;
  /** One of the occurrences; the series runs both ways from it. */
  anchor: Instant;
  /** The host's zone when left out. */
  zone?: string;
}

/** The occurrences of an interval. For a `Date` the result is a `Date`. */
export interface IntervalOccurrences {
  /** The first strictly after an instant; null when there is none within the range of `Date`. */
  next(after: Date): Date | null;
  next(after: EpochMs | MillisLike): EpochMs | null;
  next(after: Instant): EpochMs | Date | null;
  /** The last strictly before an instant; null when there is none within the range of `Date`. */
  previous(before: Date): Date | null;
  previous(before: EpochMs | MillisLike): EpochMs | null;
  previous(before: Instant): EpochMs | Date | null;
}

/** The greatest number of a unit; beyond it a series would leave the range of `Date` at its first step. */
const MAX_EVERY = { months: 10_000_000, weeks: 10_000_000, days: 100_000_000, hours: 1e10, minutes: 1e11 } as const;

const UNITS = ['months', 'weeks', 'days', 'hours', 'minutes'] as const;
type Unit = (typeof UNITS)[number];

const LAST_MS = 8.64e15;

/**
 * "Every second Monday", "every 90 minutes": intervals that cron cannot express. Hours and minutes are elapsed time. Days, weeks and months
 * keep the local time of the anchor as cron does: a time that does not exist is skipped, one that occurs twice counts twice, and a month
 * without the day is skipped. `{ days: 1 }` is the daily cron.
 */
export function intervalOccurrences(options: IntervalOptions): IntervalOccurrences {
  if (typeof options !== 'object' || options === null) throw argument('options', options, 'must be an object');
  const [unit, every] = readEvery(options.every);
  const anchor = instantMs(options.anchor, 'anchor');
  const zone = zoneTable(options.zone);
  const series =
    unit === 'hours' || unit === 'minutes'
      ? elapsedSeries(anchor, every * (unit === 'hours' ? 3_600_000 : 60_000))
      : localSeries(
          anchor,
          zone,
          unit === 'months' ? monthSteps(every) : daySteps(unit === 'weeks' ? 7 * every : every),
        );
  const answer = (asked: Instant, ms: number | null): EpochMs | Date | null =>
    ms === null || Math.abs(ms) > LAST_MS ? null : typeof asked !== 'number' && isDate(asked) ? new Date(ms) : ms;
  return Object.freeze({
    next: (after: Instant) => answer(after, series.next(instantMs(after, 'after'))),
    previous: (before: Instant) => answer(before, series.previous(instantMs(before, 'before'))),
  }) as IntervalOccurrences;
}

function readEvery(every: unknown): [Unit, number] {
  const given = typeof every === 'object' && every !== null ? Object.entries(every) : [];
  // A unit that is undefined was left out, as everywhere in options.
  const entries = given.filter(([, count]) => count !== undefined);
  const [unit, count] = entries[0] ?? [];
  if (entries.length !== 1 || !UNITS.includes(unit as Unit)) {
    throw argument('every', every, `must have exactly one of ${UNITS.join(', ')}`);
  }
  const most = MAX_EVERY[unit as Unit];
  if (!Number.isInteger(count) || count < 1 || count > most) {
    throw argument(`every.${unit}`, count, `must be a whole number from 1 to ${most}`);
  }
  return [unit as Unit, count as number];
}

function argument(field: string, value: unknown, reason: string): CronArgumentError {
  return new CronArgumentError(`${field} ${reason}, got ${JSON.stringify(value) ?? String(value)}`, { field, value });
}

interface Series {
  next(after: number): number | null;
  previous(before: number): number | null;
}

function elapsedSeries(anchor: number, step: number): Series {
  return {
    next: (after) => anchor + (Math.floor((after - anchor) / step) + 1) * step,
    previous: (before) => anchor + (Math.ceil((before - anchor) / step) - 1) * step,
  };
}

/** The local days of a series of calendar steps, by their number; 0 is the day of the anchor. */
interface Steps {
  /** The local day since 1970, or `NaN` when the month lacks it. */
  dayOf(index: number, anchorDay: number): number;
  /** The number of the last step at or before a local day, or one close to it. */
  near(day: number, anchorDay: number): number;
}

function daySteps(every: number): Steps {
  return {
    dayOf: (index, anchorDay) => anchorDay + index * every,
    near: (day, anchorDay) => Math.floor((day - anchorDay) / every),
  };
}

function monthSteps(every: number): Steps {
  return {
    dayOf: (index, anchorDay) => {
      const packed = monthAndDay(anchorDay);
      const month = (packed >> 5) + index * every;
      return (packed & 31) < monthLength(month) ? monthStart(month) + (packed & 31) : Number.NaN;
    },
    near: (day, anchorDay) => Math.floor(((monthAndDay(day) >> 5) - (monthAndDay(anchorDay) >> 5)) / every),
  };
}

/**
 * Steps that a search visits before it gives up. Most that are skipped in a row lack the day: 29 February every 100 years is there after
 * four; every 12 months it is there after eight.
 */
const MAX_STEPS = 64;

function localSeries(anchor: number, zone: ZoneTable, steps: Steps): Series {
  const second = Math.floor(anchor / 1000);
  const anchorLocal = second + zone.offsets[zone.locate(second)]!;
  const anchorDay = Math.floor(anchorLocal / DAY_SECONDS);
  const time = anchorLocal - anchorDay * DAY_SECONDS;
  const rest = anchor - second * 1000;
  /** The instants at which the clock shows the local time of a step: none, one or two, ascending. */
  const instantsOf = (index: number): number[] => {
    const day = steps.dayOf(index, anchorDay);
    if (!(Math.abs(day) * DAY_SECONDS * 1000 <= LAST_MS)) return [];
    return instantsOfLocal(day * DAY_SECONDS + time, zone).map((found) => found * 1000 + rest);
  };
  const nearest = (ms: number): number => {
    const at = Math.floor(ms / 1000);
    return steps.near(Math.floor((at + zone.offsets[zone.locate(at)]!) / DAY_SECONDS), anchorDay);
  };
  return {
    next: (after) => {
      const from = nearest(after) - 1;
      for (let index = from; index < from + MAX_STEPS; index++) {
        const found = instantsOf(index).find((ms) => ms > after);
        if (found !== undefined) return found;
      }
      return null;
    },
    previous: (before) => {
      const from = nearest(before) + 1;
      for (let index = from; index > from - MAX_STEPS; index--) {
        const found = instantsOf(index).findLast((ms) => ms < before);
        if (found !== undefined) return found;
      }
      return null;
    },
  };
}

/** Every second since 1970 at which a zone's clock shows a local second, ascending. */
function instantsOfLocal(local: number, zone: ZoneTable): number[] {
  const found = new Set<number>();
  // No offset is more than a day from UTC, so what the clock shows then and later settles every offset that can be in force.
  for (let at = local - 2 * DAY_SECONDS, end = local + 2 * DAY_SECONDS; at < end; ) {
    const index = zone.locate(at);
    const until = zone.ends[index]! + zone.shift;
    const second = local - zone.offsets[index]!;
    if (second >= at && second < until && second < end) found.add(second);
    at = until;
  }
  return [...found].sort((a, b) => a - b);
}
