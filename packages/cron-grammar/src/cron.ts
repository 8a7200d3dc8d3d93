import type { CronExpression } from './cron-expression.js';
import type { CronLiteral } from './cron-literal.js';
import { parseCron } from './parse-cron.js';

/**
 * The value of a strict POSIX expression that stands in the source. The call form `cron('0 9 * * 1-5')` is checked by the
 * compiler: a wrong literal is a type error whose text names the field. The tag form `` cron`0 9 * * 1-5` `` reads better but is
 * checked when the line runs, because TypeScript does not give tags the type of their text. Both throw
 * `InvalidCronExpressionError` for a wrong text.
 */
export function cron(strings: TemplateStringsArray, ...values: readonly (string | number)[]): CronExpression;
export function cron<const S extends string>(text: CronLiteral<S>): CronExpression;
export function cron(text: TemplateStringsArray | string, ...values: readonly (string | number)[]): CronExpression {
  if (typeof text === 'string') return parseCron(text);
  // A part with an escape that JavaScript cannot read has no cooked text; its raw text then fails in the parser with a place.
  const parts = text.map((part: string | undefined, index) => part ?? text.raw[index]!);
  return parseCron(String.raw({ raw: parts }, ...values));
}
