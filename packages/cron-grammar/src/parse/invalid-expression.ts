import { FieldParseError, InvalidCronExpressionError } from '../value/cron-errors.js';
import type { Fault } from './fault.js';

/** The error of a fault in a text, with its `FieldParseError` as the cause. */
export function invalidExpression(expression: string, fault: Fault, suggestion?: string): InvalidCronExpressionError {
  const fieldValue = fault.field === 'expression' ? expression : expression.slice(fault.fieldStart, fault.fieldEnd);
  const details = {
    expression,
    field: fault.field,
    reason: fault.reason,
    column: fault.start + 1,
    length: fault.end - fault.start,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
  const cause = new FieldParseError(`${fault.field} field ${fault.reason}`, { fieldName: fault.field, fieldValue });
  return new InvalidCronExpressionError(details, { cause });
}
