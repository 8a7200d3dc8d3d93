import type { CronExpression } from '../value/cron-expression.js';
import type { CronLiteral } from './cron-literal.js';
import { type ParseCronOptions, parseCron } from './parse-cron.js';

/**
 * The value of an expression that is written in the source: strict POSIX, or a crontab's with `{ dialect: 'vixie' }`. The call form
 * `cron('0 9 * * 1-5')` is checked by the compiler: a wrong literal is a type error whose text names the field. The tag form
 * `` cron`0 9 * * 1-5` `` is POSIX and is checked when the line runs, because TypeScript does not pass the type of the text to tags. Both
 * throw `InvalidCronExpressionError` for a wrong text.
 */
export function cron(strings: TemplateStringsArray, ...values: readonly (string | number)[]): CronExpression;
export function cron<const S extends string>(text: CronLiteral<S>, options?: { dialect?: 'posix' }): CronExpression;
export function cron<const S extends string>(
  text: CronLiteral<S, 'vixie'>,
  options: { dialect: 'vixie' },
): CronExpression;
export function cron(
  text: TemplateStringsArray | string,
  ...rest: readonly (string | number | ParseCronOptions | undefined)[]
): CronExpression {
  if (typeof text === 'string') return parseCron(text, rest[0] as ParseCronOptions | undefined);
  // A part with an escape that JavaScript cannot read has no cooked text; its raw text then fails in the parser with a place.
  const parts = text.map((part: string | undefined, index) => part ?? text.raw[index]!);
  return parseCron(String.raw({ raw: parts }, ...rest));
}
