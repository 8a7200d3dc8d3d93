import type { EpochMs } from '@horae/clock-store';
import { type Calendar, type CronExpression, previousOccurrence, tryNextOccurrence } from '@horae/cron-grammar';

/** When a task is due: its expression, read in a zone, without what its calendars exclude. */
export interface Timetable {
  readonly expression: CronExpression;
  readonly zone: string;
  /** Undefined where nothing is excluded, which is the fast path. */
  readonly exclusion?: { readonly except: readonly Calendar[] } | undefined;
}

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

/** The first millisecond of the minute that contains `at`. Minutes are those of the epoch; no zone has a fraction of one today. */
export function minuteOf(at: EpochMs): EpochMs {
  return Math.floor(at / MINUTE_MS) * MINUTE_MS;
}

/** The first millisecond of the minute that contains `at`, of the second where tasks are due by the second (`quartz`). */
export function unitOf({ expression }: Timetable, at: EpochMs): EpochMs {
  return expression.dialect === 'quartz' ? Math.floor(at / SECOND_MS) * SECOND_MS : minuteOf(at);
}

/** The first occurrence after `after`; null when the calendar has none left. */
export function nextDue({ expression, zone, exclusion }: Timetable, after: EpochMs): EpochMs | null {
  return tryNextOccurrence(expression, after, zone, exclusion);
}

/** The latest occurrence up to and including `now`, which must exist. */
export function latestDue({ expression, zone, exclusion }: Timetable, now: EpochMs): EpochMs {
  return previousOccurrence(expression, now + 1, zone, exclusion);
}

/** An instant at which nearly every timetable has occurrences ahead. */
const RECENT = Date.UTC(2025, 0, 1);

/**
 * Whether calendars exclude every occurrence. It does not depend on the present: a task whose last occurrence is over, or whose next ones
 * are excluded by date, is none of these.
 */
export function isWhollyExcluded({ expression, zone, exclusion }: Timetable): boolean {
  if (exclusion === undefined) return false;
  return [RECENT, 0].every((after) => tryNextOccurrence(expression, after - 1, zone, exclusion) === null);
}

/** The timetable of an expression in a zone; calendars only where there are any. */
export function timetableOf(expression: CronExpression, zone: string, except: readonly Calendar[] = []): Timetable {
  return except.length === 0 ? { expression, zone } : { expression, zone, exclusion: { except } };
}
