import { DAY_SECONDS } from '../calendar/civil-day.js';
import { TABLE_START_DAY } from '../calendar/month-table.js';

/** Where the minutes of the month table begin, in seconds since 1970. */
export const TABLE_START_SECOND = TABLE_START_DAY * DAY_SECONDS;

/** The second since 1970 of a minute of the month table. */
export function secondOfMinute(minute: number): number {
  return minute * 60 + TABLE_START_SECOND;
}

/** Beyond every minute of the table. */
const FAR = 0x3fff_ffff;

/**
 * A span of constant offset in whole minutes of the month table, all small integers. A start or end inside a minute counts as the
 * next one, because occurrences are starts of minutes. The zone table changes its spans in place as it learns.
 */
export interface MinuteSpan {
  start: number;
  /** Exclusive. */
  end: number;
  /** Minutes ahead of UTC; meaningless when the span is `uneven`. */
  offset: number;
  /** The offset is not a whole number of minutes, as with local mean times. */
  uneven: boolean;
}

/** A span that contains nothing. */
export function emptySpan(): MinuteSpan {
  return { start: FAR, end: -FAR, offset: 0, uneven: true };
}

/** Sets a span from bounds and offset in seconds; the bounds may be infinite. */
export function setSpan(span: MinuteSpan, start: number, end: number, offset: number): void {
  span.start = minuteAtOrAfterSecond(start);
  span.end = minuteAtOrAfterSecond(end);
  span.offset = (offset / 60) | 0;
  span.uneven = offset % 60 !== 0;
}

/** Makes a span contain nothing, because hints may still refer to it. */
export function retireSpan(span: MinuteSpan): void {
  span.start = FAR;
  span.end = -FAR;
}

function minuteAtOrAfterSecond(second: number): number {
  return Math.max(-FAR, Math.min(FAR, Math.ceil((second - TABLE_START_SECOND) / 60))) | 0;
}
