import type { JobTransaction, StoredCalendar } from '../job-store.js';
import { copy, type Journal, JournalledMap } from './journalled-map.js';

type CalendarVerbs = 'calendars' | 'lockCalendars' | 'putCalendar' | 'deleteCalendar';

/** The calendars of the memory store. */
export function memoryCalendars(journal: Journal): Pick<JobTransaction, CalendarVerbs> {
  const rows = new JournalledMap<string, StoredCalendar>(journal);

  async function calendars(names: readonly string[] | null): Promise<readonly StoredCalendar[]> {
    return rows
      .values()
      .filter(({ name }) => names === null || names.includes(name))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(copy);
  }

  return {
    calendars,
    lockCalendars: calendars,
    putCalendar: async (calendar) => rows.set(calendar.name, copy(calendar)),
    deleteCalendar: async (name) => {
      const wasThere = rows.has(name);
      rows.delete(name);
      return wasThere;
    },
  };
}
