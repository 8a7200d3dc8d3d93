import { InvalidCalendarError } from '../../value/cron-errors.js';

/** One property of an iCalendar component: `DTSTART;TZID=Europe/Berlin:20260101T090000`. Names are in capitals. */
export interface IcsProperty {
  readonly name: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly value: string;
}

/** The longest text that is read. */
const MAX_CHARACTERS = 10_000_000;

/** A VTIMEZONE: its TZID and the properties of each STANDARD and DAYLIGHT in it. */
export interface IcsZoneLines {
  name: string;
  readonly observances: IcsProperty[][];
}

/** The events of a text, each as its properties, and the zones that it defines. */
export interface IcsComponents {
  readonly events: readonly (readonly IcsProperty[])[];
  readonly zones: readonly IcsZoneLines[];
}

/** The events and zones of a text. Throws `InvalidCalendarError` for anything that is not iCalendar. */
export function readComponents(text: unknown): IcsComponents {
  if (typeof text !== 'string') throw invalid(text, 'must be the text of an iCalendar file');
  if (text.length > MAX_CHARACTERS) throw invalid(text.slice(0, 40), `must have at most ${MAX_CHARACTERS} characters`);
  const events: IcsProperty[][] = [];
  const zones: IcsZoneLines[] = [];
  const open: string[] = [];
  let seen = false;
  for (const line of unfold(text)) {
    const property = readProperty(line);
    const component = property.value.trim().toUpperCase();
    const around = open[open.length - 1];
    if (property.name === 'BEGIN') {
      if (around === undefined && component !== 'VCALENDAR') throw invalid(line, 'must begin with BEGIN:VCALENDAR');
      open.push(component);
      seen = true;
      if (component === 'VEVENT') events.push([]);
      if (component === 'VTIMEZONE') zones.push({ name: '', observances: [] });
      if (around === 'VTIMEZONE') zones[zones.length - 1]!.observances.push([]);
    } else if (property.name === 'END') {
      if (open.pop() !== component) throw invalid(line, 'must close its components in the order they were opened');
    } else if (around === undefined) {
      throw invalid(line, 'must begin with BEGIN:VCALENDAR');
    } else if (around === 'VEVENT') {
      events[events.length - 1]!.push(property);
    } else if (around === 'VTIMEZONE') {
      if (property.name === 'TZID') zones[zones.length - 1]!.name = property.value.trim();
    } else if (open[open.length - 2] === 'VTIMEZONE') {
      zones[zones.length - 1]!.observances.at(-1)!.push(property);
    }
  }
  if (!seen) throw invalid(text, 'must begin with BEGIN:VCALENDAR');
  if (open.length > 0) throw invalid(`END:${open[open.length - 1]}`, 'must close every component');
  return { events, zones };
}

/** The lines of a text, with those that begin with a blank joined to the line before. A byte order mark is dropped. */
function unfold(text: string): string[] {
  const plain = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const lines: string[] = [];
  for (const line of plain.split(/\r\n|\n|\r/)) {
    if ((line[0] === ' ' || line[0] === '\t') && lines.length > 0) lines[lines.length - 1] += line.slice(1);
    else lines.push(line);
  }
  return lines.filter((line) => line !== '');
}

/** Takes a line apart at the first ":" and the ";" before it, except where they stand between quotes. */
function readProperty(line: string): IcsProperty {
  const pieces: string[] = [];
  let start = 0;
  let inQuotes = false;
  for (let i = 0; i < line.length; i++) {
    const character = line[i];
    if (character === '"') inQuotes = !inQuotes;
    if (inQuotes || (character !== ';' && character !== ':')) continue;
    pieces.push(line.slice(start, i));
    start = i + 1;
    if (character === ':')
      return { name: pieces[0]!.toUpperCase(), parameters: readParameters(pieces.slice(1)), value: line.slice(start) };
  }
  throw invalid(line, 'has a line without a name and ":"');
}

function readParameters(pieces: readonly string[]): Record<string, string> {
  const parameters: Record<string, string> = Object.create(null);
  for (const piece of pieces) {
    const equals = piece.indexOf('=');
    if (equals > 0) parameters[piece.slice(0, equals).toUpperCase()] = piece.slice(equals + 1).replace(/^"|"$/g, '');
  }
  return parameters;
}

/** The error of an iCalendar text; `value` is the part that is wrong. */
export function invalid(value: unknown, reason: string, cause?: unknown): InvalidCalendarError {
  return new InvalidCalendarError('ics', value, reason, cause);
}
