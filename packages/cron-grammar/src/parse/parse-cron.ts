import { CronArgumentError, type InvalidCronExpressionError, MAX_CHARACTERS } from '../value/cron-errors.js';
import type { CronDialect, CronExpression } from '../value/cron-expression.js';
import { shownValue } from '../value/shown-value.js';
import { explainPosix } from './explain-posix.js';
import { explainVixie } from './explain-vixie.js';
import type { Fault } from './fault.js';
import { invalidExpression } from './invalid-expression.js';
import { readPosix } from './parse-posix.js';
import { readQuartz } from './parse-quartz.js';
import { readVixie } from './parse-vixie.js';
import { refuseUnread } from './refuse-unread.js';
import { suggest } from './suggest.js';

/** Which language to read; strict POSIX when left out. */
export interface ParseCronOptions {
  /** The language of the expression; `posix` when left out. */
  dialect?: CronDialect;
}

/** What `tryParseCron` returns: the value, or the error that `parseCron` would throw. */
export type CronParseResult =
  | { readonly ok: true; readonly value: CronExpression }
  | { readonly ok: false; readonly error: InvalidCronExpressionError };

/**
 * The value of a cron expression. The default dialect is POSIX to the letter: no steps, names, macros, `?`, `L`, `W`, `#`, weekday 7 or
 * wrap-around ranges; `vixie` reads what a crontab may hold. Throws `InvalidCronExpressionError` with place and reason, and a suggestion
 * where one is safe. Takes time linear in the text; more than 65,536 characters are refused. An expression that can never fire parses.
 */
export function parseCron(text: string, options?: ParseCronOptions): CronExpression {
  const result = read(text, options);
  if ('fault' in result) throw invalid(text, result.fault, result.dialect);
  return result;
}

/** `parseCron` as a result instead of an exception. An unknown dialect still throws, because that is a mistake in the program. */
export function tryParseCron(text: string, options?: ParseCronOptions): CronParseResult {
  const result = read(text, options);
  return 'fault' in result
    ? { ok: false, error: invalid(text, result.fault, result.dialect) }
    : { ok: true, value: result };
}

type Failure = { readonly fault: Fault; readonly dialect: CronDialect };

function read(text: string, options: ParseCronOptions | undefined): CronExpression | Failure {
  const dialect = options?.dialect ?? 'posix';
  if (dialect !== 'posix' && dialect !== 'vixie' && dialect !== 'quartz') {
    throw new CronArgumentError(`dialect must be 'posix', 'vixie' or 'quartz', got ${shownValue(dialect)}`, {
      field: 'dialect',
      value: dialect,
    });
  }
  const unreadable = refuseUnread(text);
  if (unreadable !== null) return { fault: unreadable, dialect };
  if (dialect === 'posix') return readPosix(text) ?? { fault: explainPosix(text), dialect };
  if (dialect === 'vixie') return readVixie(text) ?? { fault: explainVixie(text), dialect };
  const result = readQuartz(text);
  return 'reason' in result ? { fault: result, dialect } : result;
}

function invalid(text: unknown, fault: Fault, dialect: CronDialect): InvalidCronExpressionError {
  const expression = typeof text === 'string' ? text : String(text);
  const readable = typeof text === 'string' && text.length <= MAX_CHARACTERS;
  return invalidExpression(expression, fault, readable ? suggest(expression, dialect) : undefined);
}
