import { type Calendar, type CalendarDefinition, parseCalendar, parseIcs } from '@horae/cron-grammar';
import { readInput } from '../documents/read-input.js';
import { CommandInputError } from '../frame/command-errors.js';

/** Excluded times, for commands about occurrences. */
export const exceptArgument = {
  type: 'string',
  alias: 'x',
  description: 'Leave out the times of a calendar: an iCalendar file, or JSON such as {"dates": ["12-25"]}',
  valueHint: 'file',
} as const;

/** The calendars of a file: an iCalendar text, one definition in JSON, or a list of definitions. None without a file. */
export async function calendarsOf(file: string | undefined): Promise<Calendar[]> {
  if (file === undefined) return [];
  const text = await readInput(file);
  if (/^\s*BEGIN:VCALENDAR/i.test(text.replace(/^\ufeff/, ''))) return [parseIcs(text)];
  let definitions: unknown;
  try {
    definitions = JSON.parse(text);
  } catch {
    const hint = 'an .ics file, or JSON such as {"dates": ["12-25"], "weekdays": [0, 6]}';
    throw new CommandInputError(`${file} is neither an iCalendar file nor JSON`, { hint, path: file });
  }
  return (Array.isArray(definitions) ? definitions : [definitions]).map((definition) =>
    parseCalendar(definition as CalendarDefinition),
  );
}
