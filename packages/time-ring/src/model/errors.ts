import { HoraeError } from '@horae/clock-store';

/** The reason for a refusal: the `code` of a `TimeRingError`. */
export type TimeRingErrorCode =
  | 'bad-option'
  | 'bad-job'
  | 'bad-schedule'
  | 'unknown-job'
  | 'child-cycle'
  | 'unknown-child'
  | 'not-schedulable'
  | 'bad-range'
  | 'claim-mode-mismatch'
  | 'lock-row-missing'
  | 'address-taken'
  | 'stopped'
  | 'kill-refused'
  | 'unknown-run'
  | 'unknown-executor'
  | 'bad-import'
  | 'key-taken'
  | 'bad-trigger'
  | 'bad-transaction'
  | 'bad-params'
  | 'wait-timeout'
  | 'not-retryable'
  | 'bad-calendar'
  | 'unknown-calendar'
  | 'calendar-in-use'
  | 'bad-group'
  | 'unknown-group'
  | 'group-in-use'
  | 'params-too-large'
  | 'clock-skew'
  | 'bad-flow'
  | 'unknown-flow';

/** A refusal by the ring: always before anything is written, always with the field and the value it concerns. */
export class TimeRingError extends HoraeError<{ field?: string; value?: unknown; [fact: string]: unknown }> {
  readonly code: TimeRingErrorCode;

  constructor(
    code: TimeRingErrorCode,
    message: string,
    details: { field?: string; value?: unknown; [fact: string]: unknown },
    options?: { cause?: unknown },
  ) {
    super(message, details, options);
    this.code = code;
  }
}

/** Returns the refusal of an option: `wanted` completes "must be". */
export function badOption(field: string, value: unknown, wanted: string): TimeRingError {
  return new TimeRingError('bad-option', `${field} must be ${wanted}; got ${String(value)}`, { field, value });
}
