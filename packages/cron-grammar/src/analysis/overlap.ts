import type { EpochMs } from '@horae/clock-store';
import type { Calendar, ExceptOptions } from '../exclusion/calendar.js';
import { calendarsOf } from '../exclusion/check-except.js';
import { countAllowed } from '../occurrence/count-except.js';
import { countSeconds } from '../occurrence/count-occurrences.js';
import { firstAtOrAfter } from '../occurrence/seek.js';
import { firstAllowed } from '../occurrence/seek-except.js';
import { firstTimeOf, lastTimeOf } from '../value/bits.js';
import { checkExpression } from '../value/check-argument.js';
import type { CronExpression } from '../value/cron-expression.js';
import { type Instant, instantMs, isDate, type MillisLike } from '../value/instant.js';
import type { ZoneTable } from '../zone/zone-table.js';
import { zoneTable } from '../zone/zones.js';

/** The window in which two expressions are compared: `[from, to)`. */
export interface OverlapOptions<From extends Instant = Instant> {
  /** Where the window begins, included. A `Date` here makes `first` a `Date`. */
  from: From;
  /** Where the window ends, excluded. */
  to: Instant;
  /** The host's zone when left out. */
  zone?: string;
  /** Times that these calendars exclude are left out. */
  except?: readonly Calendar[];
}

/** How often two expressions fire at the same instant, and when first; `first` is null when they never do. */
export interface Overlap<At extends EpochMs | Date = EpochMs> {
  readonly count: number;
  readonly first: At | null;
}

/**
 * The instants in `[from, to)` at which both expressions fire, counted without walking them. The dialects may differ. With a `Date` as
 * `from`, `first` is a `Date`.
 */
export function overlap(a: CronExpression, b: CronExpression, options: OverlapOptions<Date>): Overlap<Date>;
export function overlap(a: CronExpression, b: CronExpression, options: OverlapOptions<EpochMs | MillisLike>): Overlap;
export function overlap(a: CronExpression, b: CronExpression, options: OverlapOptions): Overlap<EpochMs | Date>;
export function overlap(a: CronExpression, b: CronExpression, options: OverlapOptions): Overlap<EpochMs | Date> {
  const both = intersection(a, b);
  const from = Math.ceil(instantMs(options.from, 'from') / 1000);
  const to = Math.ceil(instantMs(options.to, 'to') / 1000);
  const zone = zoneTable(options.zone);
  const calendars = calendarsOf(options);
  const count =
    calendars.length === 0 ? countSeconds(both, from, to, zone) : countAllowed(both, from, to, zone, calendars);
  if (count === 0) return { count, first: null };
  const first = firstOf(both, from, zone, calendars) * 1000;
  return { count, first: typeof options.from !== 'number' && isDate(options.from) ? new Date(first) : first };
}

/** The first instant strictly after `after` at which both expressions fire, or null when there is none within 400 years. */
export function firstCollision(
  a: CronExpression,
  b: CronExpression,
  after: Date,
  zone?: string,
  options?: ExceptOptions,
): Date | null;
export function firstCollision(
  a: CronExpression,
  b: CronExpression,
  after: EpochMs | MillisLike,
  zone?: string,
  options?: ExceptOptions,
): EpochMs | null;
export function firstCollision(
  a: CronExpression,
  b: CronExpression,
  after: Instant,
  zone?: string,
  options?: ExceptOptions,
): EpochMs | Date | null;
export function firstCollision(
  a: CronExpression,
  b: CronExpression,
  after: Instant,
  zone?: string,
  options?: ExceptOptions,
): EpochMs | Date | null {
  const both = intersection(a, b);
  const second = Math.floor(instantMs(after, 'after') / 1000) + 1;
  const found = firstOf(both, second, zoneTable(zone), calendarsOf(options)) * 1000;
  if (Number.isNaN(found)) return null;
  return typeof after !== 'number' && isDate(after) ? new Date(found) : found;
}

function firstOf(e: CronExpression, from: number, zone: ZoneTable, calendars: readonly Calendar[]): number {
  return calendars.length === 0 ? firstAtOrAfter(e, from, zone) : firstAllowed(e, from, zone, calendars);
}

/** The expression that fires when both do. For the searches of this file only: it has no text that could be parsed. */
function intersection(a: CronExpression, b: CronExpression): CronExpression {
  checkExpression(a, 'a');
  checkExpression(b, 'b');
  const both = {
    dialect: 'quartz' as const,
    text: `${a.text} & ${b.text}`,
    secondsLow: a.secondsLow & b.secondsLow,
    secondsHigh: a.secondsHigh & b.secondsHigh,
    minutesLow: a.minutesLow & b.minutesLow,
    minutesHigh: a.minutesHigh & b.minutesHigh,
    hours: a.hours & b.hours,
    days: a.days & b.days,
    months: a.months & b.months,
    weekdays: a.weekdays & b.weekdays,
    dayRestricted: true,
    weekdayRestricted: true,
    monthRule: { kind: 'both', left: a, right: b } as const,
    years: sharedYears(a.years, b.years),
    firstTime: 0,
    lastTime: 0,
    plain: false,
    fires: true,
  };
  const seconds = both.secondsLow | both.secondsHigh;
  const minutes = both.minutesLow | both.minutesHigh;
  const possible = seconds !== 0 && minutes !== 0 && both.hours !== 0 && both.months !== 0;
  if (!possible) return { ...both, fires: false };
  const { hours, minutesLow, minutesHigh, secondsLow, secondsHigh } = both;
  return {
    ...both,
    firstTime: firstTimeOf(hours, minutesLow, minutesHigh, secondsLow, secondsHigh),
    lastTime: lastTimeOf(hours, minutesLow, minutesHigh, secondsLow, secondsHigh),
    fires: a.fires && b.fires,
  };
}

function sharedYears(a: readonly number[] | null, b: readonly number[] | null): readonly number[] | null {
  if (a === null || b === null) return a ?? b;
  return a.map((word, index) => word & b[index]!);
}
