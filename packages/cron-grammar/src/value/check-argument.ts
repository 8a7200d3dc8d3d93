import { CronArgumentError } from './cron-errors.js';
import type { CronExpression } from './cron-expression.js';
import { shownValue } from './shown-value.js';

/** Throws `CronArgumentError` unless `e` was made by `parseCron`; the usual slip is to pass the text itself. */
export function checkExpression(e: CronExpression, field = 'expression'): void {
  if (typeof e === 'object' && e !== null && typeof e.fires === 'boolean') return;
  throw new CronArgumentError(
    `${field} must be a value made by parseCron, got ${typeof e === 'string' ? `the text ${JSON.stringify(e)}; parse it first` : shownValue(e)}`,
    { field, value: e },
  );
}

/** A count of at least 0, or `Infinity` when none is given. */
export function checkLimit(limit: number | undefined): number {
  if (limit === undefined) return Number.POSITIVE_INFINITY;
  if (limit === Number.POSITIVE_INFINITY || (Number.isInteger(limit) && limit >= 0)) return limit;
  throw new CronArgumentError(`limit must be a whole number of at least 0, got ${shownValue(limit)}`, {
    field: 'limit',
    value: limit,
  });
}
