import { CronArgumentError, FieldParseError, InvalidCronExpressionError, MOST_CHARACTERS } from './cron-errors.js';
import type { CronDialect, CronExpression } from './cron-expression.js';
import { explainPosix } from './explain-posix.js';
import type { Fault } from './fault.js';
import { readPosix } from './parse-posix.js';
import { readQuartz } from './parse-quartz.js';
import { suggestPosix, suggestQuartz } from './suggest.js';

/** Which language to read; strict POSIX when left out. */
export interface ParseCronOptions {
  dialect?: CronDialect;
}

/** What `tryParseCron` gives: the value, or the error that `parseCron` would throw. */
export type CronParseResult =
  | { readonly ok: true; readonly value: CronExpression }
  | { readonly ok: false; readonly error: InvalidCronExpressionError };

/**
 * The value of a cron expression. The default dialect is POSIX to the letter: no steps, names, macros, `?`, `L`, `W`, `#`, weekday
 * 7 or wrap-around ranges. Throws `InvalidCronExpressionError` with place and reason, and a suggestion where one is safe. Takes
 * time linear in the text; more than 65,536 characters are refused. An expression that can never fire parses.
 */
export function parseCron(text: string, options?: ParseCronOptions): CronExpression {
  const result = read(text, options);
  if ('fault' in result) throw invalid(text, result.fault, result.dialect);
  return result;
}

/** `parseCron` as a result instead of an exception. An unknown dialect still throws, because that is a slip of the program. */
export function tryParseCron(text: string, options?: ParseCronOptions): CronParseResult {
  const result = read(text, options);
  return 'fault' in result
    ? { ok: false, error: invalid(text, result.fault, result.dialect) }
    : { ok: true, value: result };
}

type Failure = { readonly fault: Fault; readonly dialect: CronDialect };

function read(text: string, options: ParseCronOptions | undefined): CronExpression | Failure {
  const dialect = options?.dialect ?? 'posix';
  if (dialect !== 'posix' && dialect !== 'quartz') {
    throw new CronArgumentError(`dialect must be 'posix' or 'quartz', got ${String(dialect)}`, {
      field: 'dialect',
      value: dialect,
    });
  }
  const unreadable = refuseUnread(text);
  if (unreadable !== null) return { fault: unreadable, dialect };
  if (dialect === 'posix') return readPosix(text) ?? { fault: explainPosix(text), dialect };
  const result = readQuartz(text);
  return 'reason' in result ? { fault: result, dialect } : result;
}

function refuseUnread(text: unknown): Fault | null {
  if (typeof text !== 'string') {
    return {
      field: 'expression',
      reason: `must be a string, got ${text === null ? 'null' : typeof text}`,
      start: 0,
      end: 0,
    };
  }
  if (text.length <= MOST_CHARACTERS) return null;
  return {
    field: 'expression',
    reason: `is too long: ${text.length} characters, at most 65,536 are read`,
    start: MOST_CHARACTERS,
    end: text.length,
  };
}

function invalid(text: unknown, fault: Fault, dialect: CronDialect): InvalidCronExpressionError {
  const expression = typeof text === 'string' ? text : String(text);
  const value = fault.field === 'expression' ? expression : expression.slice(fault.fieldStart, fault.fieldEnd);
  const readable = typeof text === 'string' && text.length <= MOST_CHARACTERS;
  const suggestion = readable
    ? dialect === 'posix'
      ? suggestPosix(expression)
      : suggestQuartz(expression)
    : undefined;
  const details = {
    expression,
    field: fault.field,
    reason: fault.reason,
    column: fault.start + 1,
    length: fault.end - fault.start,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
  const cause = new FieldParseError(`${fault.field} field ${fault.reason}`, {
    fieldName: fault.field,
    fieldValue: value,
  });
  return new InvalidCronExpressionError(details, { cause });
}
