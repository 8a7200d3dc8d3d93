import { type CalendarDefinition, parseCalendar } from '@horae/cron-grammar';
import { TimeRingError } from '../../model/errors.js';
import type { StoredCalendar } from '../../store/job-store.js';

const MAX_ICS_BYTES = 262_144;

/** Checks a calendar: kept as given, with its lists sorted. Throws 'bad-calendar', naming the field. */
export function parseRingCalendar(input: unknown, zone: string): StoredCalendar {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw badCalendar('calendar', input, 'must be an object with a name');
  }
  const { name, ...given } = input as Record<string, unknown>;
  if (typeof name !== 'string' || name.length === 0 || name.length > 255) {
    throw badCalendar('name', name, 'must be a text of 1 to 255 characters');
  }
  const { ics, cron } = given;
  if (typeof ics === 'string' && Buffer.byteLength(ics) > MAX_ICS_BYTES) {
    throw badCalendar('ics', Buffer.byteLength(ics), `must be at most ${MAX_ICS_BYTES} bytes`);
  }
  if (cron !== undefined && typeof cron !== 'string') throw badCalendar('cron', cron, 'must be a POSIX cron text');
  const definition = JSON.parse(JSON.stringify(given)) as CalendarDefinition;
  try {
    parseCalendar({ ...definition, zone: definition.zone ?? zone });
  } catch (cause) {
    const { field, value } = (cause as { details?: { field?: string; value?: unknown } }).details ?? {};
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new TimeRingError('bad-calendar', message, { field: field ?? 'calendar', value }, { cause });
  }
  return { name, definition: withSortedLists(definition) };
}

function withSortedLists(definition: CalendarDefinition): CalendarDefinition {
  const { dates, weekdays, windows } = definition;
  return {
    ...definition,
    ...(dates === undefined ? {} : { dates: [...dates].sort() }),
    ...(weekdays === undefined ? {} : { weekdays: [...weekdays].sort((a, b) => a - b) }),
    ...(windows === undefined ? {} : { windows: [...windows].sort() }),
  };
}

function badCalendar(field: string, value: unknown, wanted: string): TimeRingError {
  return new TimeRingError('bad-calendar', `${field} ${wanted}`, { field, value });
}
