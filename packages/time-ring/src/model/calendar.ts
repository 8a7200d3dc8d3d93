import type { CalendarDefinition } from '@horae/cron-grammar';

/** Times at which jobs that name the calendar do not fire, as they were put. */
export interface RingCalendar extends CalendarDefinition {
  readonly name: string;
}

/** The calendars, by name. A change applies to occurrences that are not claimed yet. */
export interface Calendars {
  /** Adds a calendar or replaces it; rejects with 'bad-calendar' when it is invalid. */
  put(calendar: RingCalendar): Promise<RingCalendar>;
  get(name: string): Promise<RingCalendar | null>;
  /** By name. */
  list(): Promise<readonly RingCalendar[]>;
  /** Removes a calendar; rejects with 'calendar-in-use' while a job names it, and with 'unknown-calendar' when it does not exist. */
  remove(name: string): Promise<void>;
}
