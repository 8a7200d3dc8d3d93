import type { CalendarDefinition } from '@horae/cron-grammar';

/** Times at which jobs that name the calendar do not fire, as a person wrote them down. */
export interface RingCalendar extends CalendarDefinition {
  readonly name: string;
}

/** Calendars by name. A change counts for what is not claimed yet. */
export interface Calendars {
  /** Adds a calendar or replaces it; 'bad-calendar' when it cannot be read. */
  put(calendar: RingCalendar): Promise<RingCalendar>;
  get(name: string): Promise<RingCalendar | null>;
  /** By name. */
  list(): Promise<readonly RingCalendar[]>;
  /** 'calendar-in-use' while a job names it, 'unknown-calendar' when it is not there. */
  remove(name: string): Promise<void>;
}
