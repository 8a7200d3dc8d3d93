import {
  type CronDialect,
  type CronExpression,
  InvalidCronExpressionError,
  neverFires,
  tryParseCron,
} from '@horae/cron-grammar';
import { CronExpressionInvalidError } from './registration-errors.js';
import { DIALECTS } from './task-settings.js';

/** The value of a task's expression; the error of the grammar, or that it never fires, comes wrapped with the task's name. */
export function parseExpression(
  text: string,
  dialect: CronDialect,
  place: { readonly registrationIndex: number; readonly taskName: string },
): CronExpression {
  const parsed = tryParseCron(text, { dialect });
  if (parsed.ok && !neverFires(parsed.value)) return parsed.value;
  const cause = parsed.ok ? neverFiresError(text) : parsed.error;
  const { expression, field, reason, suggestion } = cause.details;
  const remedy = parsed.ok ? undefined : remedyFor(text, dialect);
  throw new CronExpressionInvalidError(
    cause.message,
    {
      expression,
      field,
      reason,
      cause,
      ...place,
      ...(suggestion === undefined ? {} : { suggestion }),
      ...(remedy === undefined ? {} : { remedy }),
    },
    { cause },
  );
}

/** Which option makes this very text readable, if any does. */
function remedyFor(text: string, refusedBy: CronDialect): string | undefined {
  const other = DIALECTS.find((dialect) => dialect !== refusedBy && tryParseCron(text, { dialect }).ok);
  if (other === undefined) return undefined;
  return `set dialect: '${other}' for the scheduler or for this task, which reads this expression as it is`;
}

function neverFiresError(expression: string): InvalidCronExpressionError {
  const reason = 'No valid next execution time found for cron expression';
  return new InvalidCronExpressionError({
    expression,
    field: 'expression',
    reason,
    column: 1,
    length: expression.length,
  });
}
