import type { EpochMs } from '@horae/clock-store';
import { type Calendar, matches, parseCron, tryNextOccurrence, tryPreviousOccurrence } from '@horae/cron-grammar';
import type { Timetable } from './times.js';

/** A schedule with no time left within four years, including a leap day, counts as having none left. */
const HORIZON_MS = 4 * 366 * 86_400_000;
/** Each step skips one excluded stretch; at one day each, four years need 1,464. */
const MAX_STEPS = 20_000;
const everySecond = parseCron('* * * * * ?', { dialect: 'quartz' });

/** The timetable without the times that calendars exclude. */
export function exceptTimes(timetable: Timetable, zone: string, except: readonly Calendar[]): Timetable {
  if (except.length === 0) return timetable;
  const options = { except };
  const isFree = (at: EpochMs) => matches(everySecond, secondOf(at), zone, options);

  /** The next occurrence that is not excluded, skipping each excluded stretch in one step. */
  function next(after: EpochMs): EpochMs | null {
    let at = timetable.next(after);
    for (let step = 0; step < MAX_STEPS && at !== null && at <= after + HORIZON_MS; step++) {
      if (isFree(at)) return at;
      const free = tryNextOccurrence(everySecond, secondOf(at), zone, options);
      if (free === null) return null;
      at = timetable.next(Math.max(at, free - 1));
    }
    return null;
  }

  function previous(before: EpochMs): EpochMs | null {
    let at = timetable.previous(before);
    for (let step = 0; step < MAX_STEPS && at !== null && at >= before - HORIZON_MS; step++) {
      if (isFree(at)) return at;
      const free = tryPreviousOccurrence(everySecond, secondOf(at), zone, options);
      if (free === null) return null;
      at = timetable.previous(Math.min(at, free + 1_000));
    }
    return null;
  }

  return { next, previous };
}

/** The same timetable, limited to four years. */
export function withinYears(timetable: Timetable): Timetable {
  return {
    ...timetable,
    next(after) {
      const at = timetable.next(after);
      return at !== null && at <= after + HORIZON_MS ? at : null;
    },
    previous(before) {
      const at = timetable.previous(before);
      return at !== null && at >= before - HORIZON_MS ? at : null;
    },
  };
}

function secondOf(at: EpochMs): EpochMs {
  return Math.floor(at / 1_000) * 1_000;
}
