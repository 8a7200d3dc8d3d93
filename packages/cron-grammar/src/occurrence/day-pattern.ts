import { DAY_SECONDS } from '../calendar/civil-day.js';
import { dayAllowed } from '../calendar/local-count.js';
import type { Calendar } from '../exclusion/calendar.js';
import { dayExcluded } from '../exclusion/excluded.js';
import type { CronExpression } from '../value/cron-expression.js';
import type { ZoneTable } from '../zone/zone-table.js';

/**
 * Everything that decides which occurrences of a day of UTC are excluded, as a text: two days with the same pattern have them at the same
 * times. A clock change is part of it by its time and offsets, an event by the times of the day that it covers.
 */
export function dayPattern(e: CronExpression, day: number, zone: ZoneTable, calendars: readonly Calendar[]): string {
  const start = day * DAY_SECONDS;
  const spans = offsetsOf(start, zone);
  let pattern = '';
  for (const span of spans)
    pattern += `${span.offset}${daysOf(span, (local) => dayAllowed(e, local))}${span.until - start}`;
  for (const calendar of calendars) {
    pattern += '|';
    for (const span of calendar.zone === null ? spans : offsetsOf(start, calendar.zone)) {
      pattern += `${span.offset}${daysOf(span, (local) => dayExcluded(calendar, local))}`;
      const { cron } = calendar;
      if (cron !== null) pattern += daysOf(span, (local) => dayAllowed(cron, local));
      pattern += `${stretchesIn(calendar.local, span.from + span.offset, span.until + span.offset)}${span.until - start}`;
    }
    pattern += stretchesIn(calendar.fixed, start, start + DAY_SECONDS);
  }
  return pattern;
}

/** A part of a day of UTC in which a zone has one offset; both ends in seconds since 1970. */
interface OffsetSpan {
  readonly from: number;
  until: number;
  readonly offset: number;
}

/** The offsets of a zone during a day of UTC: one, unless the clock changes in it. */
function offsetsOf(start: number, zone: ZoneTable): readonly OffsetSpan[] {
  const spans: OffsetSpan[] = [];
  const end = start + DAY_SECONDS;
  for (let from = start; from < end; ) {
    const index = zone.locate(from);
    const offset = zone.offsets[index]!;
    const until = Math.min(zone.ends[index]! + zone.shift, end);
    const last = spans.at(-1);
    // The known part of the table may end in this day by chance, without a clock change.
    if (last?.offset === offset) last.until = until;
    else spans.push({ from, until, offset });
    from = until;
  }
  return spans;
}

/** One letter for the two local days that a part of a day of UTC touches. */
function daysOf({ from, until, offset }: OffsetSpan, has: (day: number) => boolean): string {
  const first = Math.floor((from + offset) / DAY_SECONDS);
  const last = Math.floor((until + offset - 1) / DAY_SECONDS);
  return 'abcd'[(has(first) ? 1 : 0) + (has(last) ? 2 : 0)]!;
}

/**
 * The part of the time from `start` to `end` that stretches cover, as a text that counts from its start; empty when they do not touch it.
 */
function stretchesIn(stretches: Float64Array, start: number, end: number): string {
  if (stretches.length === 0) return '';
  let low = 0;
  let high = stretches.length >> 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (stretches[2 * middle + 1]! <= start) low = middle + 1;
    else high = middle;
  }
  let covered = '';
  for (let i = 2 * low; i < stretches.length && stretches[i]! < end; i += 2) {
    covered += `,${Math.max(0, stretches[i]! - start)}-${Math.min(stretches[i + 1]!, end) - start}`;
  }
  return covered;
}
