import { monthLength, monthStart } from '../calendar/civil-day.js';
import { tryParseCron } from '../parse/parse-cron.js';
import { checkExpression } from '../value/check-argument.js';
import { InvalidCalendarError } from '../value/cron-errors.js';
import type { CronExpression } from '../value/cron-expression.js';
import type { ZoneTable } from '../zone/zone-table.js';
import { zoneTable } from '../zone/zones.js';
import { type Calendar, type CalendarDefinition, joinStretches } from './calendar.js';
import { readIcs } from './ics/read-ics.js';

const DAY_MINUTES = 1440;

/** The most entries of one list of a definition. */
const MAX_ENTRIES = 10_000;

const KEYS = ['dates', 'weekdays', 'windows', 'cron', 'ics', 'zone'];

/**
 * The calendar of a definition: everything that it names is excluded. Throws `InvalidCalendarError` for an unknown key, a date that
 * does not exist, or anything else that cannot be read; its details name the field and the value.
 */
export function parseCalendar(definition: CalendarDefinition): Calendar {
  if (typeof definition !== 'object' || definition === null || Array.isArray(definition)) {
    throw invalid('definition', definition, `must be an object with some of ${KEYS.join(', ')}`);
  }
  for (const [key, value] of Object.entries(definition)) {
    if (!KEYS.includes(key)) throw invalid(key, value, `is no part of a calendar; known are ${KEYS.join(', ')}`);
  }
  const zone = readZone(definition.zone);
  const { days, yearly } = readDates(listOf('dates', definition.dates));
  const windows = Int32Array.from(readWindows(listOf('windows', definition.windows)));
  const cron = readCron(definition.cron);
  const events = definition.ics === undefined ? { local: [], fixed: [] } : readIcs(definition.ics);
  const calendar = {
    kind: 'calendar',
    zone,
    wholeDays: windows.length === 0 && cron === null && events.local.length === 0 && events.fixed.length === 0,
    weekdays: readWeekdays(listOf('weekdays', definition.weekdays)),
    days,
    yearly,
    windows,
    cron,
    local: Float64Array.from(joinStretches(events.local)),
    fixed: Float64Array.from(joinStretches(events.fixed)),
  } as const;
  const kept = copyOf(definition);
  // Not enumerable: two calendars are equal when they exclude the same times.
  return Object.freeze(Object.defineProperty(calendar, 'toJSON', { value: () => kept }) as unknown as Calendar);
}

/** A copy that later changes to the caller's object do not affect. */
function copyOf(definition: CalendarDefinition): CalendarDefinition {
  const given = Object.entries(definition).filter(([, value]) => value !== undefined);
  const copied = given.map(([key, value]) => [key, Array.isArray(value) ? Object.freeze([...value]) : value]);
  return Object.freeze(Object.fromEntries(copied));
}

/**
 * The calendar of an iCalendar text: the times of its events are excluded. All-day events are local dates, timed ones half-open stretches;
 * recurring ones are followed for ten years from their start. Cancelled events, to-dos and alarms do not count. Dates and floating times
 * are judged in `zone`; in the zone of the query when left out.
 */
export function parseIcs(
  text: string,
  options?: {
    /** The zone in which dates and floating times are judged; the zone of the query when left out. */
    zone?: string;
  },
): Calendar {
  if (typeof text !== 'string') throw invalid('ics', text, 'must be the text of an iCalendar file');
  return parseCalendar(options?.zone === undefined ? { ics: text } : { ics: text, zone: options.zone });
}

function readZone(zone: unknown): ZoneTable | null {
  if (zone === undefined) return null;
  if (typeof zone !== 'string') throw invalid('zone', zone, 'must be the IANA name of a zone');
  try {
    return zoneTable(zone);
  } catch (cause) {
    throw invalid('zone', zone, 'must be a zone that this runtime knows', cause);
  }
}

function listOf(field: string, value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw invalid(field, value, 'must be a list');
  if (value.length > MAX_ENTRIES) throw invalid(field, value, `must have at most ${MAX_ENTRIES} entries`);
  return value;
}

function readDates(dates: readonly unknown[]): { days: Int32Array; yearly: Int32Array | null } {
  const days = new Set<number>();
  const yearly = new Int32Array(12);
  for (const date of dates) {
    const parts = typeof date === 'string' ? /^(?:([0-9]{4})-)?([0-9]{2})-([0-9]{2})$/.exec(date) : null;
    if (parts === null) throw invalid('dates', date, "must be a date such as '2026-12-25' or '12-25'");
    const [month, day] = [Number(parts[2]), Number(parts[3])];
    // A date of every year may be 29 February, which then comes in leap years.
    const year = parts[1] === undefined ? 2024 : Number(parts[1]);
    const monthNumber = year * 12 + month - 1;
    if (month < 1 || month > 12 || day < 1 || day > monthLength(monthNumber)) {
      throw invalid('dates', date, 'must be a date that exists');
    }
    if (parts[1] === undefined) yearly[month - 1]! |= 1 << (day - 1);
    else days.add(monthStart(monthNumber) + day - 1);
  }
  return {
    days: Int32Array.from(days).sort(),
    yearly: yearly.some((mask) => mask !== 0) ? yearly : null,
  };
}

function readWeekdays(weekdays: readonly unknown[]): number {
  let mask = 0;
  for (const weekday of weekdays) {
    if (!Number.isInteger(weekday) || (weekday as number) < 0 || (weekday as number) > 6) {
      throw invalid('weekdays', weekday, 'must be a number from 0 (Sunday) to 6');
    }
    mask |= 1 << (weekday as number);
  }
  return mask;
}

function readWindows(windows: readonly unknown[]): number[] {
  const pairs: [number, number][] = [];
  for (const window of windows) {
    const parts = typeof window === 'string' ? /^([0-9]{2}):([0-9]{2})-([0-9]{2}):([0-9]{2})$/.exec(window) : null;
    if (parts === null) throw invalid('windows', window, "must be a window such as '22:00-06:00'");
    const [hour, minute, endHour, endMinute] = parts.slice(1).map(Number) as [number, number, number, number];
    const [start, end] = [hour * 60 + minute, endHour * 60 + endMinute];
    if (minute > 59 || endMinute > 59 || start >= DAY_MINUTES || end > DAY_MINUTES) {
      throw invalid('windows', window, 'must have times from 00:00 to 23:59, or 24:00 as its end');
    }
    if (end > start) pairs.push([start, end]);
    else pairs.push([start, DAY_MINUTES], [0, end]);
  }
  return joinStretches(pairs);
}

function readCron(cron: unknown): CronExpression | null {
  if (cron === undefined) return null;
  if (typeof cron === 'string') {
    const result = tryParseCron(cron);
    if (result.ok) return result.value;
    throw invalid('cron', cron, `cannot be read: ${result.error.message}`, result.error);
  }
  try {
    checkExpression(cron as CronExpression, 'cron');
  } catch (cause) {
    throw invalid('cron', cron, 'must be a POSIX text or a value made by parseCron', cause);
  }
  return cron as CronExpression;
}

function invalid(field: string, value: unknown, reason: string, cause?: unknown): InvalidCalendarError {
  return new InvalidCalendarError(field, value, reason, cause);
}
