import { weekdayOf } from '../calendar/civil-day.js';
import type { CronExpression } from '../value/cron-expression.js';
import type { ZoneTable } from '../zone/zone-table.js';

/** Excluded times as a person or a store writes them down: plain JSON. Everything it names is excluded. */
export interface CalendarDefinition {
  /** `'2026-12-25'`, or `'12-25'` for every year. */
  readonly dates?: readonly string[];
  /** 0 to 6, 0 is Sunday. */
  readonly weekdays?: readonly number[];
  /** `'22:00-06:00'`, half-open, over midnight when the end is not after the start; `'00:00-24:00'` is the whole day. */
  readonly windows?: readonly string[];
  /** A POSIX text or a parsed value: every minute (Quartz: second) that matches. */
  readonly cron?: string | CronExpression;
  /** The text of an iCalendar file; see `parseIcs`. */
  readonly ics?: string;
  /** The zone in which all of this is judged; the zone of the query when left out. */
  readonly zone?: string;
}

/**
 * Excluded times in a form that searches can use: frozen, safe to share and to keep. Make one with `parseCalendar` or `parseIcs` and pass
 * it to the occurrence functions as `except`. The fields are internal to this package.
 */
export interface Calendar {
  readonly kind: 'calendar';
  /** Null when the zone of the query counts. */
  readonly zone: ZoneTable | null;
  /** Whether it names nothing but whole days; most do. */
  readonly wholeDays: boolean;
  /** Bit 0 is Sunday. */
  readonly weekdays: number;
  /** Days since 1970, ascending. */
  readonly days: Int32Array;
  /** For each month a mask of its days, bit 0 the first; null when no date comes every year. */
  readonly yearly: Int32Array | null;
  /** Minutes of a day as alternating starts and exclusive ends, ascending, not touching. */
  readonly windows: Int32Array;
  readonly cron: CronExpression | null;
  /** Local seconds since 1970 as alternating starts and exclusive ends, ascending, not touching. */
  readonly local: Float64Array;
  /** Seconds since 1970, in the same form. */
  readonly fixed: Float64Array;
  /** The definition, so that a calendar in a document of JSON is what `parseCalendar` reads. */
  toJSON(): CalendarDefinition;
}

/** The argument by which the occurrence functions leave out excluded times. */
export interface ExceptOptions {
  /** At most 10; what any of them names is left out. */
  readonly except?: readonly Calendar[];
}

/** Alternating starts and ends, sorted; stretches that touch or overlap are joined. Empty stretches are dropped. */
export function joinStretches(pairs: readonly (readonly [number, number])[]): number[] {
  const sorted = pairs.filter(([start, end]) => end > start).sort((a, b) => a[0] - b[0]);
  const joined: number[] = [];
  for (const [start, end] of sorted) {
    const last = joined.length - 1;
    if (last > 0 && start <= joined[last]!) joined[last] = Math.max(joined[last]!, end);
    else joined.push(start, end);
  }
  return joined;
}

/** The index of the stretch that contains `at`, by its start, or -1. */
export function stretchAt(stretches: Int32Array | Float64Array, at: number): number {
  let low = 0;
  let high = stretches.length >> 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (stretches[2 * middle]! <= at) low = middle + 1;
    else high = middle;
  }
  const index = 2 * (low - 1);
  return index >= 0 && at < stretches[index + 1]! ? index : -1;
}

/** Whether a day since 1970 is in a sorted list. */
export function hasDay(days: Int32Array, day: number): boolean {
  let low = 0;
  let high = days.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (days[middle]! < day) low = middle + 1;
    else high = middle;
  }
  return days[low] === day;
}

/** Whether the weekday of a day since 1970 is in a mask. */
export function hasWeekday(weekdays: number, day: number): boolean {
  return ((weekdays >>> weekdayOf(day)) & 1) === 1;
}
