import { type Calendar, parseCalendar } from '@horae/cron-grammar';
import type { Job } from '../../model/job.js';
import type { JobReads, StoredCalendar } from '../../store/job-store.js';

/** Returns the calendars that a job names. Throws, naming the calendar, when one does not exist or cannot be read. */
export type CalendarsByName = (names: readonly string[]) => readonly Calendar[];

const parsed = new Map<string, Calendar>();
const MAX_PARSED = 1_000;

/** Reads the calendars that jobs name, in one statement; none when no job names any. */
export async function calendarsFor(
  reads: Pick<JobReads, 'calendars'>,
  jobs: readonly Pick<Job, 'except'>[],
  zone: string,
): Promise<CalendarsByName> {
  const names = [...new Set(jobs.flatMap(({ except }) => except))];
  if (names.length === 0) return () => [];
  const found = new Map((await reads.calendars(names)).map((calendar) => [calendar.name, calendar]));
  return (wanted) =>
    wanted.map((name) => {
      const calendar = found.get(name);
      if (calendar === undefined) throw new Error(`There is no calendar "${name}", which the job names in except`);
      return parsedCalendar(calendar, zone);
    });
}

/** Years of holidays take milliseconds to parse, and every pass needs them: parsed calendars are cached by their text. */
function parsedCalendar({ definition }: StoredCalendar, zone: string): Calendar {
  const key = `${zone} ${JSON.stringify(definition)}`;
  let calendar = parsed.get(key);
  if (calendar === undefined) {
    calendar = parseCalendar({ ...definition, zone: definition.zone ?? zone });
    if (parsed.size >= MAX_PARSED) parsed.clear();
    parsed.set(key, calendar);
  }
  return calendar;
}
