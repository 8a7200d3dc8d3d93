import { HoraeError } from '@horae/clock-store';
import type { CronFault, CronFieldName } from './cron-fault.js';
import { formatCronError } from './format-cron-error.js';
import { shownValue } from './shown-value.js';

/** One field, or the text as a whole, is not in the grammar. It is the `cause` of `InvalidCronExpressionError`. */
export class FieldParseError extends HoraeError<{ fieldName: CronFieldName; fieldValue: string }> {
  readonly code = 'cron-field-parse';
}

/**
 * The text is not a cron expression of the dialect. The details name the field, the reason, the place and, where one is safe, a suggestion.
 */
export class InvalidCronExpressionError extends HoraeError<CronFault> {
  readonly code = 'cron-invalid-expression';

  constructor(fault: CronFault, options?: { cause?: unknown }) {
    super(
      `Invalid cron expression "${quotable(fault.expression)}": ${fault.field} field ${fault.reason}`,
      fault,
      options,
    );
  }

  /** The text with a caret under the fault, and the suggestion: what `formatCronError` returns. */
  caret(): string {
    return formatCronError(this);
  }
}

/** A text beyond the length limit is shown by its beginning, so that a message stays a message. */
function quotable(expression: string): string {
  return expression.length > MAX_CHARACTERS ? `${expression.slice(0, 60)}…` : expression;
}

/** The longest text that is read at all. */
export const MAX_CHARACTERS = 65_536;

/** No occurrence exists in the direction of the search. `details.cause` is also the `cause`. */
export class CronCalculationError extends HoraeError<{ expression: string; currentTime: string; cause: Error }> {
  readonly code = 'cron-calculation';
}

/** An argument is not an instant: `NaN`, an invalid `Date`, a number outside the range of `Date`, or something else. */
export class InvalidInstantError extends HoraeError<{ field: string; value: unknown }> {
  readonly code = 'invalid-instant';
}

/** An argument other than the text, the instant and the zone is not usable; the details name it. */
export class CronArgumentError extends HoraeError<{ field: string; value: unknown }> {
  readonly code = 'cron-argument';
}

/** A calendar of excluded times cannot be read; the details name the field and the value that is wrong. */
export class InvalidCalendarError extends HoraeError<{ field: string; value: unknown }> {
  readonly code = 'cron-invalid-calendar';

  constructor(field: string, value: unknown, reason: string, cause?: unknown) {
    super(
      `Invalid calendar: ${field} ${reason}, got ${shownValue(value)}`,
      { field, value },
      cause === undefined ? undefined : { cause },
    );
  }
}

/** Words that are not understood, or have two readings, or name times that cron cannot express; the details list them as written. */
export class NaturalTextError extends HoraeError<{ text: string; words: readonly string[] }> {
  readonly code = 'cron-natural-text';

  /** `reason` ends the message: the fault of the words, in their language. */
  constructor(text: string, words: readonly string[], reason: string) {
    const which = [...(words.length === 0 ? [] : [words.map((word) => JSON.stringify(word)).join(' ')]), reason];
    super(`Cannot read ${shownValue(text)} as a schedule: ${which.join(': ')}`, {
      text,
      words,
    });
  }
}
