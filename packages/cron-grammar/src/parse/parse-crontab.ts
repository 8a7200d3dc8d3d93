import { CronArgumentError, type InvalidCronExpressionError } from '../value/cron-errors.js';
import type { CronDialect, CronExpression } from '../value/cron-expression.js';
import { shownValue } from '../value/shown-value.js';
import { isBlank } from './field-bounds.js';
import { invalidExpression } from './invalid-expression.js';
import { tryParseCron } from './parse-cron.js';

/** A line of a crontab that is meant to run something. */
export interface CrontabEntry {
  /** Counted from 1. */
  readonly line: number;
  /** Null when the line has an error. */
  readonly expression: CronExpression | null;
  /** The text after the five fields, trimmed; a `%` is kept as it is. */
  readonly command: string;
  /** The variables set by the lines above, as they stand at this line. */
  readonly environment: Readonly<Record<string, string>>;
  /** Why the line cannot be used. Its `column` counts in the line as it stands in the file. */
  readonly error?: InvalidCronExpressionError;
}

/** Which language the schedules are in; `vixie` when left out, because a crontab is a crontab. */
export interface ParseCrontabOptions {
  /** The language of the schedules; `vixie` when left out. */
  dialect?: 'posix' | 'vixie';
}

/**
 * The entries of a crontab. Blank lines and lines that begin with `#` are skipped, `NAME=value` lines set the
 * environment of the lines below (quotes around the value are removed), and every other line is an entry. A bad line does not
 * stop the reading: it becomes an entry with an `error`. There is no user column and no continuation of lines.
 */
export function parseCrontab(text: string, options?: ParseCrontabOptions): CrontabEntry[] {
  if (typeof text !== 'string') {
    throw new CronArgumentError(`text must be a string, got ${shownValue(text)}`, { field: 'text', value: text });
  }
  const dialect = options?.dialect ?? 'vixie';
  if (dialect !== 'posix' && dialect !== 'vixie') {
    throw new CronArgumentError(`dialect must be 'posix' or 'vixie', got ${shownValue(dialect)}`, {
      field: 'dialect',
      value: dialect,
    });
  }
  const entries: CrontabEntry[] = [];
  let environment: Readonly<Record<string, string>> = Object.freeze({});
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    const start = skipBlank(line, 0);
    if (start === line.length || line[start] === '#') continue;
    const assignment = readAssignment(line, start);
    if (assignment !== null) {
      environment = Object.freeze({ ...environment, [assignment[0]]: assignment[1] });
      continue;
    }
    entries.push(readEntry(line, index + 1, environment, dialect));
  }
  return entries;
}

function readEntry(
  line: string,
  number: number,
  environment: Readonly<Record<string, string>>,
  dialect: CronDialect,
): CrontabEntry {
  const end = endOfFields(line);
  const command = line.slice(skipBlank(line, end)).trimEnd();
  // The text keeps its leading blanks, so that columns are those of the line.
  const result = tryParseCron(line.slice(0, end), { dialect });
  if (!result.ok) return Object.freeze({ line: number, expression: null, command, environment, error: result.error });
  if (command === '')
    return Object.freeze({ line: number, expression: null, command, environment, error: noCommand(line) });
  return Object.freeze({ line: number, expression: result.value, command, environment });
}

/** Where the schedule ends: after five fields, or after a macro. */
function endOfFields(line: string): number {
  let end = skipBlank(line, 0);
  const fields = line[end] === '@' ? 1 : 5;
  for (let field = 0; field < fields; field++) {
    end = skipBlank(line, end);
    while (end < line.length && !isBlank(line.charCodeAt(end))) end++;
  }
  return end;
}

function skipBlank(line: string, from: number): number {
  while (from < line.length && isBlank(line.charCodeAt(from))) from++;
  return from;
}

/** `NAME=value`, blanks around the sign allowed; null when the line is something else. */
function readAssignment(line: string, start: number): readonly [string, string] | null {
  const equals = line.indexOf('=', start);
  if (equals < 0) return null;
  const name = unquote(line.slice(start, equals).trim());
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return null;
  return [name, unquote(line.slice(equals + 1).trim())];
}

function unquote(value: string): string {
  const quote = value[0];
  return value.length > 1 && (quote === '"' || quote === "'") && value.endsWith(quote) ? value.slice(1, -1) : value;
}

function noCommand(line: string): InvalidCronExpressionError {
  const reason = 'has no command after the schedule';
  return invalidExpression(line, { field: 'expression', reason, start: line.length, end: line.length });
}
