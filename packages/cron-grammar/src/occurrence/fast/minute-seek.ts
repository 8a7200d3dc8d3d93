import type { CronExpression } from '../../value/cron-expression.js';
import type { ZoneTable } from '../../zone/zone-table.js';
import { minuteAtOrAfter, minuteAtOrBefore } from './minute-search.js';

/** More than any two offsets of a zone can differ (32 hours). */
const OFFSET_MARGIN = 2 * 1440;

/** The minutes this search covers: so far inside the month table that no offset leads out of it. */
export const FIRST_MINUTE = 10 * 1440;
export const LAST_MINUTE = 299 * 365 * 1440;

/**
 * The first occurrence at or after a UTC minute, both counted from the start of the month table, or -1 when it cannot decide: then the
 * search in seconds does. For plain expressions that fire. It covers nearly all calls: a hit in the span of constant offset where the
 * search begins, or well inside another one.
 */
export function nextMinute(e: CronExpression, from: number, zone: ZoneTable): number {
  let span = zone.minuteSpan;
  // Programs query times close to one another, so most searches begin in the span of the last one.
  if (from < span.start || from >= span.end) span = zone.enterMinute(from);
  const { end, offset } = span;
  if (span.uneven === true) return -1;
  const local = minuteAtOrAfter(e, (from + offset) | 0);
  const found = (local - offset) | 0;
  if (found < end) return local < 0 ? -1 : found;
  return end - from < OFFSET_MARGIN ? -1 : laterSpan(local, found, zone);
}

/**
 * The instant of a local minute in a later span. No local minute between the beginning of the search and this one matches, so
 * nothing before it can be an occurrence, provided that both lie farther from a transition than offsets can differ.
 */
function laterSpan(local: number, guess: number, zone: ZoneTable): number {
  const { start, end, offset, uneven } = zone.spanOfMinute(guess);
  if (uneven) return -1;
  const found = (local - offset) | 0;
  if (found < end && found - OFFSET_MARGIN >= start) return found;
  // The known span around the hit may end too soon by chance; the next call finds more of it.
  zone.extendAtMinute(guess, found < end ? -1 : 1);
  return -1;
}

/** The last occurrence at or before a UTC minute; the mirror of `nextMinute`. */
export function previousMinute(e: CronExpression, from: number, zone: ZoneTable): number {
  let span = zone.minuteSpan;
  if (from < span.start || from >= span.end) span = zone.enterMinute(from);
  const { start, offset } = span;
  if (span.uneven === true) return -1;
  const local = minuteAtOrBefore(e, (from + offset) | 0);
  // Near the beginning of the table an offset could lead out of it.
  if (local < 2 * OFFSET_MARGIN) return -1;
  const found = (local - offset) | 0;
  if (found >= start) return found;
  return from - start < OFFSET_MARGIN ? -1 : earlierSpan(local, found, zone);
}

function earlierSpan(local: number, guess: number, zone: ZoneTable): number {
  const { start, end, offset, uneven } = zone.spanOfMinute(guess);
  if (uneven) return -1;
  const found = (local - offset) | 0;
  if (found >= start && found + OFFSET_MARGIN < end) return found;
  zone.extendAtMinute(guess, found >= start ? 1 : -1);
  return -1;
}
