import { instantOfLocal } from '../../zone/local-instant.js';
import type { ZoneTable } from '../../zone/zone-table.js';
import { type IcsProperty, invalid } from './content-lines.js';
import { readLocal } from './ics-local.js';
import type { IcsZones } from './ics-zones.js';

/** A date or a time of an event as written in the file. */
export interface IcsTime {
  /** Local seconds since 1970: on the wall clock of `zone`, or of any zone when it is null. */
  readonly local: number;
  readonly allDay: boolean;
  /** Null for dates and floating times. */
  readonly zone: ZoneTable | null;
}

/** Reads the one value of a property such as DTSTART. */
export function readTime(property: IcsProperty, zones: IcsZones): IcsTime {
  const { local, allDay, utc } = readLocal(property);
  if (allDay) return { local, allDay, zone: null };
  const name = utc ? 'UTC' : property.parameters.TZID;
  return { local, allDay, zone: name === undefined ? null : zones(name) };
}

/** Reads the comma-separated values of EXDATE or RDATE. Of a period only the start counts. */
export function readTimes(property: IcsProperty, zones: IcsZones): IcsTime[] {
  return property.value.split(',').map((value) => readTime({ ...property, value: value.split('/')[0]! }, zones));
}

/** The second since 1970 of a time with a zone. */
export function instantOf(time: IcsTime): number {
  return time.zone === null ? time.local : instantOfLocal(time.local, time.zone);
}

/** A length of time: whole days follow the calendar, seconds elapse. */
export interface IcsDuration {
  readonly days: number;
  readonly seconds: number;
}

/** Reads the DURATION of an event, such as `P1DT2H` or `P1W`. */
export function readDuration(property: IcsProperty): IcsDuration {
  const text = property.value.trim();
  const parts =
    /^\+?P(?:([0-9]{1,6})W|(?:([0-9]{1,6})D)?(?:T(?:([0-9]{1,8})H)?(?:([0-9]{1,8})M)?(?:([0-9]{1,8})S)?)?)$/.exec(text);
  if (parts === null || !/[0-9]/.test(text)) throw invalid(text, 'has a DURATION that cannot be read');
  const [weeks, days, hours, minutes, seconds] = parts.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return { days: weeks * 7 + days, seconds: hours * 3600 + minutes * 60 + seconds };
}
