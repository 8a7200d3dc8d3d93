import type { EpochMs } from '@horae/clock-store';
import { firstTimeOf, lastTimeOf } from './bits.js';
import { checkExpression } from './check-argument.js';
import { countSeconds } from './count-occurrences.js';
import type { CronExpression } from './cron-expression.js';
import { type Instant, instantMs, isDate, type MillisLike } from './instant.js';
import { firstAtOrAfter } from './occurrence.js';
import { zoneTable } from './zones.js';

/** The window in which two expressions are compared: `[from, to)`. */
export interface OverlapOptions<From extends Instant = Instant> {
  from: From;
  to: Instant;
  /** The host's zone when left out. */
  zone?: string;
}

/** How often two expressions fire at the same instant, and when first; `first` is null when they never do. */
export interface Overlap<At extends EpochMs | Date = EpochMs> {
  readonly count: number;
  readonly first: At | null;
}

/**
 * The instants in `[from, to)` at which both expressions fire, counted without walking them. The dialects may differ. A `Date` as
 * `from` gives a `Date` as `first`.
 */
export function overlap(a: CronExpression, b: CronExpression, options: OverlapOptions<Date>): Overlap<Date>;
export function overlap(a: CronExpression, b: CronExpression, options: OverlapOptions<EpochMs | MillisLike>): Overlap;
export function overlap(a: CronExpression, b: CronExpression, options: OverlapOptions): Overlap<EpochMs | Date>;
export function overlap(a: CronExpression, b: CronExpression, options: OverlapOptions): Overlap<EpochMs | Date> {
  const both = intersection(a, b);
  const from = Math.ceil(instantMs(options.from, 'from') / 1000);
  const to = Math.ceil(instantMs(options.to, 'to') / 1000);
  const zone = zoneTable(options.zone);
  const count = countSeconds(both, from, to, zone);
  if (count === 0) return { count, first: null };
  const first = firstAtOrAfter(both, from, zone) * 1000;
  return { count, first: typeof options.from !== 'number' && isDate(options.from) ? new Date(first) : first };
}

/** The first instant strictly after `after` at which both expressions fire, or null when there is none within 400 years. */
export function firstCollision(a: CronExpression, b: CronExpression, after: Date, zone?: string): Date | null;
export function firstCollision(
  a: CronExpression,
  b: CronExpression,
  after: EpochMs | MillisLike,
  zone?: string,
): EpochMs | null;
export function firstCollision(
  a: CronExpression,
  b: CronExpression,
  after: Instant,
  zone?: string,
): EpochMs | Date | null;
export function firstCollision(
  a: CronExpression,
  b: CronExpression,
  after: Instant,
  zone?: string,
): EpochMs | Date | null {
  const both = intersection(a, b);
  const second = Math.floor(instantMs(after, 'after') / 1000) + 1;
  const found = firstAtOrAfter(both, second, zoneTable(zone)) * 1000;
  if (Number.isNaN(found)) return null;
  return typeof after !== 'number' && isDate(after) ? new Date(found) : found;
}

/** The expression that fires when both do. It serves the searches of this file and has no text that could be parsed. */
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
