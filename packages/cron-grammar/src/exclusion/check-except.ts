import { CronArgumentError } from '../value/cron-errors.js';
import { shownValue } from '../value/shown-value.js';
import type { Calendar, ExceptOptions } from './calendar.js';

/** The maximum number of calendars per call. */
const MAX_CALENDARS = 10;

const NONE: readonly Calendar[] = Object.freeze([]);

/** The calendars of an options argument; none when it has none. Throws `CronArgumentError` for anything else. */
export function calendarsOf(options: ExceptOptions | undefined): readonly Calendar[] {
  if (options === undefined) return NONE;
  if (typeof options !== 'object' || options === null)
    throw unusable('options', options, 'an object such as { except }');
  const { except } = options;
  if (except === undefined) return NONE;
  if (!Array.isArray(except)) throw unusable('except', except, 'a list of calendars');
  if (except.length > MAX_CALENDARS) {
    throw new CronArgumentError(`except takes at most ${MAX_CALENDARS} calendars, got ${except.length}`, {
      field: 'except',
      value: except,
    });
  }
  for (let i = 0; i < except.length; i++) {
    if (except[i]?.kind !== 'calendar')
      throw unusable('except', except[i], 'calendars made by parseCalendar or parseIcs');
  }
  return except;
}

function unusable(field: string, value: unknown, wanted: string): CronArgumentError {
  return new CronArgumentError(`${field} must be ${wanted}, got ${shownValue(value)}`, { field, value });
}
