import { HoraeError } from '@horae/clock-store';
import type { CronFault, CronFieldName } from './cron-fault.js';
import { formatCronError } from './format-cron-error.js';

/** One field, or the text as a whole, is not in the grammar. It is the `cause` of `InvalidCronExpressionError`. */
export class FieldParseError extends HoraeError<{ fieldName: CronFieldName; fieldValue: string }> {
  readonly code = 'cron-field-parse';
}

/** The text is not a cron expression of the dialect. The details say which field, why, where, and often what to write instead. */
export class InvalidCronExpressionError extends HoraeError<CronFault> {
  readonly code = 'cron-invalid-expression';

  constructor(fault: CronFault, options?: { cause?: unknown }) {
    super(
      `Invalid cron expression "${quotable(fault.expression)}": ${fault.field} field ${fault.reason}`,
      fault,
      options,
    );
  }

  /** The text with a caret under the fault, and the suggestion: what `formatCronError` gives. */
  caret(): string {
    return formatCronError(this);
  }
}

/** A text beyond the length limit is shown by its beginning, so that a message stays a message. */
function quotable(expression: string): string {
  return expression.length > MOST_CHARACTERS ? `${expression.slice(0, 60)}…` : expression;
}

/** The longest text that is read at all. */
export const MOST_CHARACTERS = 65_536;

/** There is no occurrence in the asked direction. `details.cause` is also the `cause`. */
export class CronCalculationError extends HoraeError<{ expression: string; currentTime: string; cause: Error }> {
  readonly code = 'cron-calculation';
}

/** What was given as an instant is none: `NaN`, an invalid `Date`, a number outside the range of `Date`, or something else. */
export class InvalidInstantError extends HoraeError<{ field: string; value: unknown }> {
  readonly code = 'invalid-instant';
}

/** An argument other than the text, the instant and the zone is not usable; the details name it. */
export class CronArgumentError extends HoraeError<{ field: string; value: unknown }> {
  readonly code = 'cron-argument';
}
