import type { CronExpression } from './cron-expression.js';
import { minuteAtOrAfter, minuteAtOrBefore, UNDECIDED } from './minute-search.js';
import { SPAN_END, SPAN_OFFSET, SPAN_START, UNEVEN } from './minute-spans.js';
import type { ZoneTable } from './zone-table.js';

/** More than any two offsets of a zone can differ (32 hours). */
const OFFSET_MARGIN = 2 * 1440;

/** The minutes that may be asked: so far inside the table that no offset leads out of it. */
const FIRST_MINUTE = OFFSET_MARGIN;
const LAST_MINUTE = 299 * 365 * 1440;

/**
 * The first occurrence at or after a UTC minute, both counted from the start of the month table, or `UNDECIDED`: then the search in
 * seconds answers. For plain expressions that fire. It covers what nearly all calls ask: a hit in the span of constant offset
 * where the search begins, or well inside another one.
 */
export function nextMinute(e: CronExpression, from: number, zone: ZoneTable): number {
  if (!(from >= FIRST_MINUTE && from <= LAST_MINUTE)) return UNDECIDED;
  const span = zone.spanOfMinute(from);
  const offset = zone.minutes.cells[span + SPAN_OFFSET]!;
  if (offset === UNEVEN) return UNDECIDED;
  const local = minuteAtOrAfter(e, (from + offset) | 0);
  const found = (local - offset) | 0;
  const end = zone.minutes.cells[span + SPAN_END]!;
  if (found < end) return local < 0 ? UNDECIDED : found;
  return end - from < OFFSET_MARGIN ? UNDECIDED : laterSpan(local, found, zone);
}

/**
 * The instant of a local minute in a later span. No local minute between the beginning of the search and this one matches, so
 * nothing before it can be an occurrence, provided that both lie farther from a transition than offsets can differ.
 */
function laterSpan(local: number, guess: number, zone: ZoneTable): number {
  const span = zone.spanOfMinute(guess);
  const { cells } = zone.minutes;
  const offset = cells[span + SPAN_OFFSET]!;
  if (offset === UNEVEN) return UNDECIDED;
  const found = (local - offset) | 0;
  const inside = found < cells[span + SPAN_END]!;
  if (inside && found - OFFSET_MARGIN >= cells[span + SPAN_START]!) return found;
  // Known time around the hit may end too soon by chance; the next call finds more of it.
  zone.extendMinuteSpan(span, inside ? -1 : 1);
  return UNDECIDED;
}

/** The last occurrence at or before a UTC minute; the mirror of `nextMinute`. */
export function previousMinute(e: CronExpression, from: number, zone: ZoneTable): number {
  if (!(from >= FIRST_MINUTE && from <= LAST_MINUTE)) return UNDECIDED;
  const span = zone.spanOfMinute(from);
  const offset = zone.minutes.cells[span + SPAN_OFFSET]!;
  if (offset === UNEVEN) return UNDECIDED;
  const local = minuteAtOrBefore(e, (from + offset) | 0);
  const found = (local - offset) | 0;
  const start = zone.minutes.cells[span + SPAN_START]!;
  if (local < 2 * OFFSET_MARGIN) return UNDECIDED;
  if (found >= start) return found;
  return from - start < OFFSET_MARGIN ? UNDECIDED : earlierSpan(local, found, zone);
}

function earlierSpan(local: number, guess: number, zone: ZoneTable): number {
  const span = zone.spanOfMinute(guess);
  const { cells } = zone.minutes;
  const offset = cells[span + SPAN_OFFSET]!;
  if (offset === UNEVEN) return UNDECIDED;
  const found = (local - offset) | 0;
  const inside = found >= cells[span + SPAN_START]!;
  if (inside && found + OFFSET_MARGIN < cells[span + SPAN_END]!) return found;
  zone.extendMinuteSpan(span, inside ? 1 : -1);
  return UNDECIDED;
}
