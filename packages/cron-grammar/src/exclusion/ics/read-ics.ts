import { DAY_SECONDS, monthAndDay, monthStart } from '../../calendar/civil-day.js';
import { instantOfLocal, offsetAt } from '../../zone/local-instant.js';
import { type IcsProperty, invalid, readComponents } from './content-lines.js';
import { expandRule, MAX_PERIODS, type PeriodBudget } from './expand-rule.js';
import { readLocal } from './ics-local.js';
import { type IcsDuration, type IcsTime, instantOf, readDuration, readTime, readTimes } from './ics-time.js';
import { type IcsZones, icsZones } from './ics-zones.js';
import { readRule } from './recurrence-rule.js';

/** How far a recurring event is followed. */
const EXPANDED_YEARS = 10;

/** The most occurrences of one file. */
const MAX_OCCURRENCES = 100_000;

/** The times that the events of a file occupy: stretches of local seconds, and of seconds since 1970. */
export interface IcsStretches {
  readonly local: [number, number][];
  readonly fixed: [number, number][];
}

/** The stretches of all events that are not cancelled. Throws `InvalidCalendarError` for anything that is not iCalendar. */
export function readIcs(text: unknown): IcsStretches {
  const components = readComponents(text);
  const zones = icsZones(components.zones);
  const events = components.events.map((properties) => readEvent(properties, zones));
  const stretches: IcsStretches = { local: [], fixed: [] };
  const budget: PeriodBudget = { periods: MAX_PERIODS };
  // An occurrence that was moved or cancelled by itself stands as an event of its own with the same UID.
  const replaced = new Set(
    events.flatMap(({ uid, recurrence }) => (recurrence === null ? [] : [`${uid} ${instantOf(recurrence)}`])),
  );
  for (const event of events) {
    if (event.cancelled) continue;
    for (const start of startsOf(event, budget)) {
      const at = { ...event.start, local: start };
      if (event.recurrence === null && replaced.has(`${event.uid} ${instantOf(at)}`)) continue;
      addStretch(stretches, at, event);
      if (stretches.local.length + stretches.fixed.length > MAX_OCCURRENCES) throw tooMany(event);
    }
  }
  return stretches;
}

interface IcsEvent {
  readonly uid: string;
  readonly start: IcsTime;
  readonly end: IcsTime | null;
  readonly duration: IcsDuration | null;
  readonly rules: readonly string[];
  readonly added: readonly IcsTime[];
  readonly excluded: readonly IcsTime[];
  readonly recurrence: IcsTime | null;
  readonly cancelled: boolean;
}

function readEvent(properties: readonly IcsProperty[], zones: IcsZones): IcsEvent {
  const one = (name: string): IcsProperty | undefined => properties.find((property) => property.name === name);
  const all = (name: string): IcsProperty[] => properties.filter((property) => property.name === name);
  const start = one('DTSTART');
  if (start === undefined)
    throw invalid(one('UID')?.value ?? one('SUMMARY')?.value ?? 'VEVENT', 'has an event without DTSTART');
  const [end, duration, recurrence] = [one('DTEND'), one('DURATION'), one('RECURRENCE-ID')];
  return {
    uid: one('UID')?.value ?? '',
    start: readTime(start, zones),
    end: end === undefined ? null : readTime(end, zones),
    duration: duration === undefined ? null : readDuration(duration),
    rules: all('RRULE').map((property) => property.value),
    added: all('RDATE').flatMap((property) => readTimes(property, zones)),
    excluded: all('EXDATE').flatMap((property) => readTimes(property, zones)),
    recurrence: recurrence === undefined ? null : readTime(recurrence, zones),
    cancelled: one('STATUS')?.value.trim().toUpperCase() === 'CANCELLED',
  };
}

/** The local starts of an event and of its repetitions. */
function startsOf(event: IcsEvent, budget: PeriodBudget): number[] {
  const { start } = event;
  const starts = new Set([start.local, ...event.added.map((time) => localLike(time, start))]);
  for (const text of event.rules) for (const each of ruleStarts(text, event, budget)) starts.add(each);
  // A date as EXDATE of a timed event leaves out what begins on that day.
  const days = new Set(event.excluded.filter(({ allDay }) => allDay).map(({ local }) => local));
  const times = new Set(event.excluded.filter(({ allDay }) => !allDay).map((time) => localLike(time, start)));
  return [...starts].filter((each) => !times.has(each) && !days.has(Math.floor(each / DAY_SECONDS) * DAY_SECONDS));
}

function ruleStarts(text: string, event: IcsEvent, budget: PeriodBudget): number[] {
  const { local } = event.start;
  const rule = readRule(text);
  const packed = monthAndDay(Math.floor(local / DAY_SECONDS));
  const tenYears = (monthStart((packed >> 5) + EXPANDED_YEARS * 12) + (packed & 31)) * DAY_SECONDS + timeOfDay(local);
  const until = rule.until === null ? Number.POSITIVE_INFINITY : lastStart(rule.until, event.start);
  const { starts, complete } = expandRule(rule, local, Math.min(tenYears, until + 1), MAX_OCCURRENCES, budget);
  if (!complete) throw tooMany(event);
  return starts;
}

function timeOfDay(local: number): number {
  return local - Math.floor(local / DAY_SECONDS) * DAY_SECONDS;
}

/** UNTIL as the last local start that counts. A date includes its whole day. */
function lastStart(until: string, start: IcsTime): number {
  const { local, allDay, utc } = readLocal({ name: 'UNTIL', parameters: {}, value: until });
  if (allDay) return local + DAY_SECONDS - 1;
  return utc && start.zone !== null ? local + offsetAt(local, start.zone) : local;
}

/** A time as the wall clock of another time's zone shows it. */
function localLike(time: IcsTime, other: IcsTime): number {
  if (time.zone === null || other.zone === null || time.zone === other.zone) return time.local;
  const second = instantOf(time);
  return second + offsetAt(second, other.zone);
}

function addStretch(stretches: IcsStretches, at: IcsTime, event: IcsEvent): void {
  if (at.zone === null) {
    stretches.local.push([at.local, at.local + localLength(event)]);
    return;
  }
  const start = instantOf(at);
  if (event.end !== null) {
    // With DTEND every repetition takes the same exact time as the first.
    stretches.fixed.push([start, start + Math.max(0, instantOf(event.end) - instantOf(event.start))]);
  } else if (event.duration !== null) {
    const { days, seconds } = event.duration;
    stretches.fixed.push([start, instantOfLocal(at.local + days * DAY_SECONDS, at.zone) + seconds]);
  }
}

/** The length of an all-day or floating event on the wall clock; one day for a date without an end. */
function localLength({ start, end, duration }: IcsEvent): number {
  const length =
    end !== null ? end.local - start.local : duration === null ? 0 : duration.days * DAY_SECONDS + duration.seconds;
  return start.allDay ? Math.max(DAY_SECONDS, Math.ceil(length / DAY_SECONDS) * DAY_SECONDS) : Math.max(0, length);
}

function tooMany(event: IcsEvent): Error {
  const value = event.rules.join(' ') || event.uid;
  return invalid(value, `has more than ${MAX_OCCURRENCES} occurrences within ${EXPANDED_YEARS} years`);
}
